package dev.lightpath.driver.server;

import dev.lightpath.driver.adapter.DeviceSilentException;
import dev.lightpath.driver.config.Access;
import dev.lightpath.driver.contract.ControlledDevice;
import dev.lightpath.driver.contract.Fleet;
import dev.lightpath.driver.contract.view.DeviceView;
import dev.lightpath.driver.contract.view.Times;
import dev.lightpath.proto.driver.v1alpha1.Device;
import dev.lightpath.proto.driver.v1alpha1.DeviceInventory;
import dev.lightpath.proto.driver.v1alpha1.FactoryLoss;
import dev.lightpath.proto.driver.v1alpha1.GetInventoryRequest;
import dev.lightpath.proto.driver.v1alpha1.GetInventoryResponse;
import dev.lightpath.proto.driver.v1alpha1.InventoryServiceGrpc;
import dev.lightpath.proto.driver.v1alpha1.ListDevicesRequest;
import dev.lightpath.proto.driver.v1alpha1.ListDevicesResponse;
import dev.lightpath.proto.driver.v1alpha1.ListFactoryLossRequest;
import dev.lightpath.proto.driver.v1alpha1.ListFactoryLossResponse;
import dev.lightpath.proto.driver.v1alpha1.PortAdminState;
import dev.lightpath.proto.driver.v1alpha1.PortStatus;
import io.grpc.stub.StreamObserver;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/** Inventory by gRPC. */
final class InventoryCalls extends InventoryServiceGrpc.InventoryServiceImplBase {
    private final Fleet fleet;
    private final Replies replies;

    InventoryCalls(Fleet fleet, Replies replies) {
        this.fleet = fleet;
        this.replies = replies;
    }

    @Override
    public void listDevices(ListDevicesRequest request, StreamObserver<ListDevicesResponse> observer) {
        replies.answer(observer, () -> {
            SortedMap<String, ControlledDevice> all = readable();
            if (request.getDeviceIdsCount() > 0) {
                all.keySet().retainAll(Set.copyOf(request.getDeviceIdsList()));
            }
            var page = Pages.page(all, request.getPageSize(), 256, 4096, request.getPageToken());
            ListDevicesResponse.Builder out = ListDevicesResponse.newBuilder().setNextPageToken(page.nextToken());
            page.items().forEach(device -> out.addDevices(device(device.view())));
            return out.build();
        });
    }

    private SortedMap<String, ControlledDevice> readable() {
        Caller caller = Caller.current();
        SortedMap<String, ControlledDevice> all = fleet.devices();
        all.keySet().removeIf(id -> !caller.may(Access.READER, id));
        return all;
    }

    private static Device device(DeviceView view) {
        return view.description().device().toBuilder()
                .setAvailability(view.availability())
                .setSince(Times.wire(view.since()))
                .setHoldingRole(view.holdingRole())
                .setHighestEpoch(view.highestEpoch())
                .setHighestEpochHolder(view.highestEpochHolder())
                .setHighestGeneration(view.highestGeneration())
                .build();
    }

    @Override
    public void getInventory(GetInventoryRequest request, StreamObserver<GetInventoryResponse> observer) {
        replies.answer(observer, () -> {
            SortedMap<String, ControlledDevice> all;
            if (request.getDeviceIdsCount() == 0) {
                all = readable();
                all.values().removeIf(device -> device.view().description().isUnreached());
            } else {
                all = new TreeMap<>();
                for (String id : request.getDeviceIdsList()) {
                    Caller.current().require(Access.READER, id);
                    all.put(id, fleet.reached(id));
                }
            }
            var page = Pages.page(all, request.getPageSize(), 64, 1024, request.getPageToken());
            List<DeviceInventory> inventories = page.items().stream()
                    .map(device -> inventory(device.view()))
                    .toList();
            int fitting = Pages.fitting(inventories);
            return GetInventoryResponse.newBuilder()
                    .addAllDevices(inventories.subList(0, fitting))
                    .setNextPageToken(
                            fitting < inventories.size()
                                    ? inventories.get(fitting - 1).getDeviceId()
                                    : page.nextToken())
                    .build();
        });
    }

    private static DeviceInventory inventory(DeviceView view) {
        DeviceInventory.Builder out = view.description().inventory().toBuilder();
        for (var port : out.getPortsBuilderList()) {
            PortStatus status = view.ports().get(port.getName());
            if (status != null) {
                port.setOperState(status.getOperState()).setOverride(status.getOverride());
                if (OutOfService.by(status.getOverride())) {
                    port.setAdminState(PortAdminState.PORT_ADMIN_STATE_OUT_OF_SERVICE);
                }
            }
        }
        return out.build();
    }

    @Override
    public void listFactoryLoss(ListFactoryLossRequest request, StreamObserver<ListFactoryLossResponse> observer) {
        replies.answer(observer, () -> {
            Caller.current().require(Access.READER, request.getDeviceId());
            List<FactoryLoss> entries;
            try {
                entries = fleet.device(request.getDeviceId()).factoryLoss();
            } catch (DeviceSilentException silent) {
                throw ControlledDevice.silent(request.getDeviceId(), silent);
            }
            SortedMap<String, FactoryLoss> numbered = new TreeMap<>();
            for (int i = 0; i < entries.size(); i++) {
                numbered.put("%09d".formatted(i), entries.get(i));
            }
            var page = Pages.page(numbered, request.getPageSize(), 1000, 10_000, request.getPageToken());
            return ListFactoryLossResponse.newBuilder()
                    .addAllEntries(page.items())
                    .setNextPageToken(page.nextToken())
                    .build();
        });
    }
}
