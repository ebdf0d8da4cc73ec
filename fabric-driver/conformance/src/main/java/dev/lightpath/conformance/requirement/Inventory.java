package dev.lightpath.conformance.requirement;

import static dev.lightpath.conformance.bench.Expect.equal;
import static dev.lightpath.conformance.bench.Expect.refused;
import static dev.lightpath.conformance.bench.Expect.that;

import dev.lightpath.conformance.bench.Bench;
import dev.lightpath.conformance.bench.Inapplicable;
import dev.lightpath.proto.driver.v1alpha1.Availability;
import dev.lightpath.proto.driver.v1alpha1.Device;
import dev.lightpath.proto.driver.v1alpha1.DeviceKind;
import dev.lightpath.proto.driver.v1alpha1.FactoryLoss;
import dev.lightpath.proto.driver.v1alpha1.GetInventoryRequest;
import dev.lightpath.proto.driver.v1alpha1.ListDevicesRequest;
import dev.lightpath.proto.driver.v1alpha1.ListFactoryLossRequest;
import dev.lightpath.proto.driver.v1alpha1.Port;
import dev.lightpath.proto.driver.v1alpha1.PortSide;
import io.grpc.Status;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** What there is. */
final class Inventory {
    private static final int MOST_OF_A_PAGE = 200;
    private static final int MOST_LOSSES = 10_000;

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
                        "Pages of devices and of inventories hold every device once, in the order of their names",
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
                        "Where capabilities promise a loss table, its pages have every path once, in the order of the ports",
                        Inventory::factoryLoss));
    }

    private static void device(Bench bench) {
        Device device = bench.listed();
        that(device.getKind() != DeviceKind.DEVICE_KIND_UNSPECIFIED, "a kind", device);
        that(!device.getSerial().isEmpty(), "a serial number", device);
        equal("availability", Availability.AVAILABILITY_PRESENT, device.getAvailability());
        that(device.hasSince(), "since", device);
        equal("since, listed again,", device.getSince(), bench.listed().getSince());
        that(!device.getCapabilitiesId().isEmpty(), "a capabilities_id", device);
        equal("holding_role", bench.role(), device.getHoldingRole());
        equal("highest_epoch", bench.epoch(), device.getHighestEpoch());
        equal(
                "inventory_revision of GetInventory",
                device.getInventoryRevision(),
                bench.device().inventory().getInventoryRevision());
    }

    private static void pages(Bench bench) {
        List<String> whole = listed(bench);
        equal("devices in order", whole.stream().sorted().toList(), whole);
        int size = Math.max(1, Math.min(MOST_OF_A_PAGE, whole.size() / 3));
        equal("devices of pages of " + size, whole, listed(bench, size));
        List<String> inventories = new ArrayList<>();
        String token = "";
        do {
            var page = bench.calls()
                    .inventory()
                    .getInventory(GetInventoryRequest.newBuilder()
                            .setPageSize(size)
                            .setPageToken(token)
                            .build());
            that(page.getDevicesCount() <= size, "at most " + size + " inventories on a page", page.getDevicesCount());
            page.getDevicesList().forEach(d -> inventories.add(d.getDeviceId()));
            token = page.getNextPageToken();
        } while (!token.isEmpty() && inventories.size() < whole.size());
        equal("inventories of pages of " + size, whole, inventories);
    }

    /** Names of all devices, as ListDevices has them by itself. */
    static List<String> listed(Bench bench) {
        return listed(bench, 0);
    }

    private static List<String> listed(Bench bench, int size) {
        List<String> all = new ArrayList<>();
        String token = "";
        do {
            var page = bench.calls()
                    .inventory()
                    .listDevices(ListDevicesRequest.newBuilder()
                            .setPageSize(size)
                            .setPageToken(token)
                            .build());
            that(
                    size == 0 || page.getDevicesCount() <= size,
                    "at most " + size + " devices on a page",
                    page.getDevicesCount());
            that(page.getDevicesCount() > 0 || token.isEmpty(), "devices on every page", "none after " + all);
            page.getDevicesList().forEach(d -> all.add(d.getDeviceId()));
            token = page.getNextPageToken();
        } while (!token.isEmpty());
        return List.copyOf(all);
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
        List<FactoryLoss> whole = losses(bench, MOST_LOSSES);
        that(!whole.isEmpty(), "entries, for capabilities promise them", "none");
        whole.forEach(loss -> that(
                names.contains(loss.getIngress()) && names.contains(loss.getEgress()) && loss.getLossDb() >= 0,
                "a loss in dB between ports of the device",
                loss));
        Map<String, Integer> order = new HashMap<>();
        bench.device().inventory().getPortsList().forEach(p -> order.put(p.getName(), order.size()));
        List<FactoryLoss> ordered = whole.stream()
                .sorted(Comparator.comparing((FactoryLoss l) -> order.get(l.getIngress()))
                        .thenComparing(l -> order.get(l.getEgress())))
                .toList();
        equal("paths in the order of the device's ports", paths(ordered), paths(whole));
        equal(
                "number of different paths",
                whole.size(),
                Set.copyOf(paths(whole)).size());
        int size = Math.max(2, whole.size() / 5);
        equal("entries of pages of " + size, whole, losses(bench, size));
    }

    private static List<String> paths(List<FactoryLoss> losses) {
        return losses.stream().map(l -> l.getIngress() + "->" + l.getEgress()).toList();
    }

    private static List<FactoryLoss> losses(Bench bench, int size) {
        List<FactoryLoss> all = new ArrayList<>();
        String token = "";
        do {
            var page = bench.calls()
                    .inventory()
                    .listFactoryLoss(ListFactoryLossRequest.newBuilder()
                            .setDeviceId(bench.deviceId())
                            .setPageSize(size)
                            .setPageToken(token)
                            .build());
            that(page.getEntriesCount() <= size, "at most " + size + " entries on a page", page.getEntriesCount());
            that(page.getEntriesCount() > 0 || token.isEmpty(), "entries on every page", "none after " + all.size());
            all.addAll(page.getEntriesList());
            token = page.getNextPageToken();
        } while (!token.isEmpty());
        return all;
    }
}
