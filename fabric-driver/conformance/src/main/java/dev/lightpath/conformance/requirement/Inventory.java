package dev.lightpath.conformance.requirement;

import static dev.lightpath.conformance.bench.Expect.equal;
import static dev.lightpath.conformance.bench.Expect.refused;
import static dev.lightpath.conformance.bench.Expect.that;

import dev.lightpath.conformance.bench.Bench;
import dev.lightpath.conformance.bench.Inapplicable;
import dev.lightpath.proto.driver.v1alpha1.Availability;
import dev.lightpath.proto.driver.v1alpha1.Device;
import dev.lightpath.proto.driver.v1alpha1.DeviceKind;
import dev.lightpath.proto.driver.v1alpha1.GetInventoryRequest;
import dev.lightpath.proto.driver.v1alpha1.ListDevicesRequest;
import dev.lightpath.proto.driver.v1alpha1.ListFactoryLossRequest;
import dev.lightpath.proto.driver.v1alpha1.Port;
import dev.lightpath.proto.driver.v1alpha1.PortSide;
import io.grpc.Status;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** What there is. */
final class Inventory {
    private static final int MOST_PAGES = 200;

    private Inventory() {}

    static List<Requirement> all() {
        return List.of(
                new Requirement(
                        "inventory/device",
                        "InventoryService.ListDevices",
                        "A device is listed with kind, serial, availability and revision",
                        Inventory::device),
                new Requirement(
                        "inventory/pages",
                        "InventoryService.ListDevices",
                        "Pages hold every device once, in the order of their names",
                        Inventory::pages),
                new Requirement(
                        "inventory/ports",
                        "InventoryService.GetInventory",
                        "Ports have unique names and sides; selectable paths name ports of the device",
                        Inventory::ports),
                new Requirement(
                        "inventory/unknown-device",
                        "ListDevicesRequest.device_ids, GetInventoryRequest.device_ids",
                        "A device that is not there is left out of ListDevices and NOT_FOUND in GetInventory",
                        Inventory::unknownDevice),
                new Requirement(
                        "inventory/factory-loss",
                        "InventoryService.ListFactoryLoss",
                        "Where capabilities promise a loss table, it can be paged through and names ports of the device",
                        Inventory::factoryLoss));
    }

    private static void device(Bench bench) {
        Device device = bench.listed();
        that(device.getKind() != DeviceKind.DEVICE_KIND_UNSPECIFIED, "a kind", device);
        that(!device.getSerial().isEmpty(), "a serial number", device);
        equal("availability", Availability.AVAILABILITY_PRESENT, device.getAvailability());
        that(device.hasSince(), "since", device);
        that(!device.getCapabilitiesId().isEmpty(), "a capabilities_id", device);
        equal("holding_role", bench.role(), device.getHoldingRole());
        equal("highest_epoch", bench.epoch(), device.getHighestEpoch());
        equal(
                "inventory_revision of GetInventory",
                device.getInventoryRevision(),
                bench.device().inventory().getInventoryRevision());
    }

    private static void pages(Bench bench) {
        List<String> whole = bench
                .calls()
                .inventory()
                .listDevices(
                        ListDevicesRequest.newBuilder().setPageSize(MOST_PAGES).build())
                .getDevicesList()
                .stream()
                .map(Device::getDeviceId)
                .toList();
        equal("devices in order", whole.stream().sorted().toList(), whole);
        int size = Math.max(1, whole.size() / 3);
        List<String> paged = new ArrayList<>();
        String token = "";
        do {
            var page = bench.calls()
                    .inventory()
                    .listDevices(ListDevicesRequest.newBuilder()
                            .setPageSize(size)
                            .setPageToken(token)
                            .build());
            that(page.getDevicesCount() <= size, "at most " + size + " devices on a page", page.getDevicesCount());
            page.getDevicesList().forEach(d -> paged.add(d.getDeviceId()));
            token = page.getNextPageToken();
        } while (!token.isEmpty() && paged.size() < whole.size());
        equal("devices of all pages", whole, paged);
    }

    private static void ports(Bench bench) {
        var inventory = bench.device().inventory();
        Set<String> names = inventory.getPortsList().stream().map(Port::getName).collect(Collectors.toSet());
        equal("number of different port names", inventory.getPortsCount(), names.size());
        for (Port port : inventory.getPortsList()) {
            that(port.getSide() != PortSide.PORT_SIDE_UNSPECIFIED, "a side of port " + port.getName(), port);
        }
        inventory
                .getPathsList()
                .forEach(path -> that(
                        names.contains(path.getCommonPort()) && names.contains(path.getLinePort()),
                        "paths to name ports of the device",
                        path));
        that(inventory.getModulesCount() > 0, "at least one module, if only an unnamed one", "none");
    }

    private static void unknownDevice(Bench bench) {
        equal(
                "devices listed for a name that is not there",
                0,
                bench.calls()
                        .inventory()
                        .listDevices(ListDevicesRequest.newBuilder()
                                .addDeviceIds("no-such-device")
                                .build())
                        .getDevicesCount());
        refused(
                "GetInventory of a device that is not there",
                () -> {
                    var unused = bench.calls()
                            .inventory()
                            .getInventory(GetInventoryRequest.newBuilder()
                                    .addDeviceIds("no-such-device")
                                    .build());
                },
                Status.Code.NOT_FOUND,
                "NO_SUCH_DEVICE");
    }

    private static void factoryLoss(Bench bench) {
        if (!bench.device().capabilities().getInsertionLossData()) {
            throw new Inapplicable("capabilities: no insertion_loss_data");
        }
        Set<String> names = bench.device().inventory().getPortsList().stream()
                .map(Port::getName)
                .collect(Collectors.toSet());
        var request = ListFactoryLossRequest.newBuilder()
                .setDeviceId(bench.deviceId())
                .setPageSize(2);
        var first = bench.calls().inventory().listFactoryLoss(request.build());
        that(first.getEntriesCount() > 0 && first.getEntriesCount() <= 2, "one or two entries on a page of two", first);
        first.getEntriesList()
                .forEach(loss -> that(
                        names.contains(loss.getIngress()) && names.contains(loss.getEgress()) && loss.getLossDb() >= 0,
                        "a loss in dB between ports of the device",
                        loss));
        if (!first.getNextPageToken().isEmpty()) {
            var second = bench.calls()
                    .inventory()
                    .listFactoryLoss(
                            request.setPageToken(first.getNextPageToken()).build());
            that(
                    second.getEntriesList().stream().noneMatch(first.getEntriesList()::contains),
                    "other entries on the second page",
                    second);
        }
    }
}
