package dev.lightpath.app.driver;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.lightpath.app.driver.state.ProtoCodec;
import dev.lightpath.fuzz.Fuzz;
import dev.lightpath.proto.driver.v1alpha1.Alarm;
import dev.lightpath.proto.driver.v1alpha1.AlarmChanged;
import dev.lightpath.proto.driver.v1alpha1.AlarmKind;
import dev.lightpath.proto.driver.v1alpha1.Availability;
import dev.lightpath.proto.driver.v1alpha1.AvailabilityChanged;
import dev.lightpath.proto.driver.v1alpha1.Circuit;
import dev.lightpath.proto.driver.v1alpha1.CircuitKey;
import dev.lightpath.proto.driver.v1alpha1.CircuitState;
import dev.lightpath.proto.driver.v1alpha1.CircuitsChanged;
import dev.lightpath.proto.driver.v1alpha1.Device;
import dev.lightpath.proto.driver.v1alpha1.DeviceInventory;
import dev.lightpath.proto.driver.v1alpha1.DeviceSnapshot;
import dev.lightpath.proto.driver.v1alpha1.Fencing;
import dev.lightpath.proto.driver.v1alpha1.ForeignChange;
import dev.lightpath.proto.driver.v1alpha1.GetDriverInfoResponse;
import dev.lightpath.proto.driver.v1alpha1.InventoryChanged;
import dev.lightpath.proto.driver.v1alpha1.LockState;
import dev.lightpath.proto.driver.v1alpha1.Operation;
import dev.lightpath.proto.driver.v1alpha1.OperationChanged;
import dev.lightpath.proto.driver.v1alpha1.Port;
import dev.lightpath.proto.driver.v1alpha1.PortRef;
import dev.lightpath.proto.driver.v1alpha1.PortSide;
import dev.lightpath.proto.driver.v1alpha1.PortStatus;
import dev.lightpath.proto.driver.v1alpha1.PortsChanged;
import dev.lightpath.proto.driver.v1alpha1.SelectablePath;
import dev.lightpath.proto.driver.v1alpha1.Synced;
import dev.lightpath.proto.driver.v1alpha1.WatchResponse;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What a driver may send: whatever it says, the operator has a state of it that can be planned with. */
class DriverMessageFuzzTest {
    private static final String ROLE = "cluster/ring-a";
    private static final CircuitKey KEY = CircuitKey.newBuilder()
            .setIngress("b0.common")
            .setEgress("b0.path1")
            .build();
    private static final WatchResponse SNAPSHOT = WatchResponse.newBuilder()
            .setBootId("boot")
            .setSeq(1)
            .setSnapshot(DeviceSnapshot.newBuilder()
                    .setDeviceId("n1")
                    .setAvailability(Availability.AVAILABILITY_PRESENT)
                    .setHoldingRole(ROLE)
                    .setHighestEpoch(4)
                    .addCircuits(Circuit.newBuilder()
                            .setKey(KEY)
                            .setState(CircuitState.CIRCUIT_STATE_CONNECTED)
                            .setRole(ROLE)
                            .setMeasuredLossDb(1.5))
                    .addPorts(PortStatus.newBuilder()
                            .setPort("b0.path1")
                            .setLockState(LockState.LOCK_STATE_LOCKED)
                            .setReceivePowerDbm(-3)
                            .setHeardNeighbour(
                                    PortRef.newBuilder().setDeviceId("n2").setPort("b1.path1")))
                    .addAlarms(Alarm.newBuilder()
                            .setKind(AlarmKind.ALARM_KIND_STUCK)
                            .setWhere("b0"))
                    .setObservedDigest(ProtoCodec.digest(List.of(KEY))))
            .build();
    private static final WatchResponse SYNCED = WatchResponse.newBuilder()
            .setSeq(2)
            .setSynced(Synced.getDefaultInstance())
            .build();
    private static final DeviceInventory INVENTORY = DeviceInventory.newBuilder()
            .setDeviceId("n1")
            .addPorts(Port.newBuilder()
                    .setName("b0.path1")
                    .setSide(PortSide.PORT_SIDE_LINE)
                    .setPeerHint(PortRef.newBuilder().setDeviceId("n2").setPort("b1.path1")))
            .addPaths(SelectablePath.newBuilder()
                    .setModule("b0")
                    .setCommonPort("b0.common")
                    .setLinePort("b0.path1"))
            .setInventoryRevision("r1")
            .build();
    private static final Device DEVICE = Device.newBuilder()
            .setDeviceId("n1")
            .setVendor("v")
            .setModel("m")
            .setInventoryRevision("r1")
            .build();

    @Test
    void messagesOfTheStream() throws Exception {
        List<byte[]> samples = Stream.of(
                        SNAPSHOT,
                        SYNCED,
                        message()
                                .setCircuitsChanged(CircuitsChanged.newBuilder()
                                        .setDeviceId("n1")
                                        .addRemoved(KEY)
                                        .setObservedDigest(ProtoCodec.digest(List.of())))
                                .build(),
                        message()
                                .setForeignChange(ForeignChange.newBuilder()
                                        .setDeviceId("n1")
                                        .addAppeared(KEY)
                                        .addVanished(KEY))
                                .build(),
                        message()
                                .setPortsChanged(PortsChanged.newBuilder()
                                        .setDeviceId("n1")
                                        .addPorts(PortStatus.newBuilder().setPort("b0.path2")))
                                .build(),
                        message()
                                .setAlarmChanged(AlarmChanged.newBuilder()
                                        .setDeviceId("n1")
                                        .setRaised(true)
                                        .setAlarm(Alarm.newBuilder()
                                                .setKind(AlarmKind.ALARM_KIND_PORT_FAILED)
                                                .setWhere("b0.path1")))
                                .build(),
                        message()
                                .setOperationChanged(OperationChanged.newBuilder()
                                        .setOperation(Operation.newBuilder()
                                                .setDeviceId("n1")
                                                .setOperationId("stage-1")
                                                .setFencing(Fencing.newBuilder()
                                                        .setRole(ROLE)
                                                        .setEpoch(-1))))
                                .build(),
                        message()
                                .setAvailabilityChanged(AvailabilityChanged.newBuilder()
                                        .setDeviceId("n1")
                                        .setAvailability(Availability.AVAILABILITY_SILENT))
                                .build(),
                        message()
                                .setInventoryChanged(InventoryChanged.newBuilder()
                                        .setDeviceId("n1")
                                        .setInventoryRevision("r2"))
                                .build())
                .map(WatchResponse::toByteArray)
                .toList();
        Fuzz.read("driver-stream", samples, InvalidProtocolBufferException.class, bytes -> {
            WatchResponse message;
            try {
                message = WatchResponse.parseFrom(bytes);
            } catch (InvalidProtocolBufferException noMessage) {
                return; // gRPC ends the call
            }
            DriverView view = listed();
            view.hear(message);
            view.hear(SYNCED);
            view.hear(message);
            judge(view);
        });
    }

    @Test
    void inventories() throws Exception {
        Fuzz.read("driver-inventory", List.of(INVENTORY.toByteArray()), IllegalArgumentException.class, bytes -> {
            try {
                DriverView view = listed();
                view.hear(SYNCED);
                view.list(DeviceInventory.parseFrom(bytes), DEVICE);
                judge(view);
            } catch (InvalidProtocolBufferException noMessage) {
                // gRPC ends the call
            }
        });
    }

    @Test
    void devicesAndDrivers() throws Exception {
        List<byte[]> samples = List.of(
                DEVICE.toByteArray(),
                GetDriverInfoResponse.newBuilder()
                        .setName("driver")
                        .setVersion("0.1")
                        .setInstanceId("i")
                        .setBootId("boot")
                        .build()
                        .toByteArray());
        Fuzz.read("driver-info", samples, IllegalArgumentException.class, bytes -> {
            try {
                DriverView view = listed();
                view.hear(SYNCED);
                view.list(INVENTORY, Device.parseFrom(bytes));
                view.met(GetDriverInfoResponse.parseFrom(bytes));
                judge(view);
            } catch (InvalidProtocolBufferException noMessage) {
                // gRPC ends the call
            }
        });
    }

    private static DriverView listed() {
        DriverView view = new DriverView(new TreeSet<>(List.of(ROLE)));
        view.list();
        view.hear(SNAPSHOT);
        return view;
    }

    private static void judge(DriverView view) {
        var state = view.state(3, EpochBook.NONE);
        if (state.devices().values().stream().anyMatch(device -> device.circuits() == null)) {
            throw new AssertionError("a device without circuits: " + state);
        }
    }

    private static WatchResponse.Builder message() {
        return WatchResponse.newBuilder().setBootId("boot").setSeq(3);
    }
}
