package dev.lightpath.conformance.requirement.device;

import static dev.lightpath.conformance.bench.Expect.equal;
import static dev.lightpath.conformance.bench.Expect.that;

import dev.lightpath.conformance.bench.Bench;
import dev.lightpath.conformance.bench.Circuits;
import dev.lightpath.conformance.bench.Inapplicable;
import dev.lightpath.conformance.requirement.NoSuchDevice;
import dev.lightpath.conformance.requirement.Pages;
import dev.lightpath.conformance.requirement.Requirement;
import dev.lightpath.proto.driver.v1alpha1.Availability;
import dev.lightpath.proto.driver.v1alpha1.Device;
import dev.lightpath.proto.driver.v1alpha1.DeviceCircuits;
import dev.lightpath.proto.driver.v1alpha1.DeviceInventory;
import dev.lightpath.proto.driver.v1alpha1.DeviceKind;
import dev.lightpath.proto.driver.v1alpha1.DeviceScope;
import dev.lightpath.proto.driver.v1alpha1.FactoryLoss;
import dev.lightpath.proto.driver.v1alpha1.GetCircuitsRequest;
import dev.lightpath.proto.driver.v1alpha1.GetInventoryRequest;
import dev.lightpath.proto.driver.v1alpha1.ListDevicesRequest;
import dev.lightpath.proto.driver.v1alpha1.ListFactoryLossRequest;
import dev.lightpath.proto.driver.v1alpha1.Port;
import dev.lightpath.proto.driver.v1alpha1.PortAdminState;
import dev.lightpath.proto.driver.v1alpha1.PortOverride;
import dev.lightpath.proto.driver.v1alpha1.PortSide;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What there is. */
public final class Inventory {
    private static final int MOST_OF_A_PAGE = 200;
    private static final int MOST_LOSSES = 10_000;

    private Inventory() {}

    public static List<Requirement> all() {
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
                        "inventory/named-devices",
                        "GetInventoryRequest.device_ids; DeviceScope",
                        "Naming devices answers these and no others, in the order of their names, each in its own scope",
                        Inventory::namedDevices),
                new Requirement(
                        "inventory/factory-loss",
                        "InventoryService.ListFactoryLoss",
                        "Where capabilities promise a loss table, its pages have no path twice, in the order of the ports",
                        Inventory::factoryLoss));
    }

    private static void device(Bench bench) {
        Device device = bench.listed();
        that(device.getKind() != DeviceKind.DEVICE_KIND_UNSPECIFIED, "a kind", device);
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
        List<Device> whole = devices(bench, 0);
        List<String> names = names(whole);
        equal("devices in order", names.stream().sorted().toList(), names);
        equal("number of different devices", names.size(), Set.copyOf(names).size());
        int size = Math.max(1, Math.min(MOST_OF_A_PAGE, names.size() / 3));
        equal("devices of pages of " + size, names, names(devices(bench, size)));
        List<String> inventories = Pages.all("inventories", size, token -> {
            var page = bench.calls()
                    .inventory()
                    .getInventory(GetInventoryRequest.newBuilder()
                            .setPageSize(size)
                            .setPageToken(token)
                            .build());
            return new Pages.Page<>(
                    page.getDevicesList().stream()
                            .map(DeviceInventory::getDeviceId)
                            .toList(),
                    page.getNextPageToken());
        });
        equal("inventories of pages of " + size, served(whole), withoutRemoved(whole, inventories));
    }

    private static List<String> names(List<Device> devices) {
        return devices.stream().map(Device::getDeviceId).toList();
    }

    /** All devices, by ListDevices. */
    public static List<Device> devices(Bench bench) {
        return devices(bench, 0);
    }

    private static List<Device> devices(Bench bench, int size) {
        return Pages.all("devices", size, token -> {
            var page = bench.calls()
                    .inventory()
                    .listDevices(ListDevicesRequest.newBuilder()
                            .setPageSize(size)
                            .setPageToken(token)
                            .build());
            return new Pages.Page<>(page.getDevicesList(), page.getNextPageToken());
        });
    }

    /** Names of the devices that are there, whether they answer or not. */
    static List<String> served(List<Device> devices) {
        return withoutRemoved(devices, names(devices));
    }

    /** These names but for those of devices that were removed: they may be served and need not. */
    static List<String> withoutRemoved(List<Device> devices, List<String> names) {
        Set<String> removed = devices.stream()
                .filter(d -> d.getAvailability() == Availability.AVAILABILITY_REMOVED)
                .map(Device::getDeviceId)
                .collect(Collectors.toSet());
        return names.stream().filter(n -> !removed.contains(n)).toList();
    }

    private static void ports(Bench bench) {
        var inventory = bench.device().inventory();
        Set<String> names = inventory.getPortsList().stream().map(Port::getName).collect(Collectors.toSet());
        equal("number of different port names", inventory.getPortsCount(), names.size());
        for (Port port : inventory.getPortsList()) {
            that(port.getSide() != PortSide.PORT_SIDE_UNSPECIFIED, "a side of port " + port.getName(), port);
            that(
                    port.getAdminState() != PortAdminState.PORT_ADMIN_STATE_UNSPECIFIED
                            && port.getOverride() != PortOverride.PORT_OVERRIDE_UNSPECIFIED,
                    "an admin_state and an override of port " + port.getName() + ", for UNSPECIFIED is never sent",
                    port);
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
                                .addDeviceIds(NoSuchDevice.NAME)
                                .build())
                        .getDevicesCount());
        NoSuchDevice.refuses(bench, "GetInventory", () -> {
            var unused = bench.calls()
                    .inventory()
                    .getInventory(GetInventoryRequest.newBuilder()
                            .addDeviceIds(NoSuchDevice.NAME)
                            .build());
        });
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
        return Pages.all("entries", size, token -> {
            var page = bench.calls()
                    .inventory()
                    .listFactoryLoss(ListFactoryLossRequest.newBuilder()
                            .setDeviceId(bench.deviceId())
                            .setPageSize(size)
                            .setPageToken(token)
                            .build());
            return new Pages.Page<>(page.getEntriesList(), page.getNextPageToken());
        });
    }

    private static void namedDevices(Bench bench) {
        String other = Neighbours.of(bench).getFirst();
        List<String> named = Stream.of(other, bench.deviceId())
                .sorted(Comparator.reverseOrder())
                .toList();
        List<String> ordered = named.reversed();
        Neighbours.allowed(bench, () -> {
            equal(
                    "inventories of " + named + ", in the order of their names,",
                    ordered,
                    bench
                            .calls()
                            .inventory()
                            .getInventory(GetInventoryRequest.newBuilder()
                                    .addAllDeviceIds(named)
                                    .build())
                            .getDevicesList()
                            .stream()
                            .map(DeviceInventory::getDeviceId)
                            .toList());
            bench.change().make(0).make(1).apply();
            List<DeviceScope> scopes = new ArrayList<>();
            named.forEach(
                    id -> scopes.add(DeviceScope.newBuilder().setDeviceId(id).build()));
            int mine = named.indexOf(bench.deviceId());
            scopes.set(
                    mine,
                    scopes.get(mine).toBuilder()
                            .setScope(bench.layout().scope(1))
                            .build());
            read(bench, scopes, ordered);
            read(bench, scopes.reversed(), ordered);
        });
    }

    private static void read(Bench bench, List<DeviceScope> scopes, List<String> ordered) {
        List<DeviceCircuits> read = bench.calls()
                .circuits()
                .getCircuits(
                        GetCircuitsRequest.newBuilder().addAllDevices(scopes).build())
                .getDevicesList();
        equal(
                "devices read, in the order of their names,",
                ordered,
                read.stream().map(DeviceCircuits::getDeviceId).toList());
        equal(
                "circuits of the scope of " + bench.deviceId(),
                List.of(Circuits.text(bench.layout().circuit(1))),
                Circuits.texts(Circuits.keys(
                        read.get(ordered.indexOf(bench.deviceId())).getCircuitsList())));
    }
}
