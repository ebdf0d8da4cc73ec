package dev.lightpath.driver.tl1;

import dev.lightpath.driver.adapter.DeviceDescription;
import dev.lightpath.driver.adapter.PortLayout;
import dev.lightpath.driver.config.AdapterConfig;
import dev.lightpath.proto.driver.v1alpha1.BatchAtomicity;
import dev.lightpath.proto.driver.v1alpha1.BreakBehaviour;
import dev.lightpath.proto.driver.v1alpha1.Capabilities;
import dev.lightpath.proto.driver.v1alpha1.CircuitFate;
import dev.lightpath.proto.driver.v1alpha1.Device;
import dev.lightpath.proto.driver.v1alpha1.DeviceInventory;
import dev.lightpath.proto.driver.v1alpha1.DeviceKind;
import dev.lightpath.proto.driver.v1alpha1.Duplexity;
import dev.lightpath.proto.driver.v1alpha1.Module;
import dev.lightpath.proto.driver.v1alpha1.MoveConcurrency;
import dev.lightpath.proto.driver.v1alpha1.Port;
import dev.lightpath.proto.driver.v1alpha1.PortAdminState;
import dev.lightpath.proto.driver.v1alpha1.ReadBack;
import dev.lightpath.proto.driver.v1alpha1.Sidedness;
import dev.lightpath.proto.driver.v1alpha1.StreamKind;
import java.util.List;

/**
 * What a device says it is, in the contract's words.
 *
 * @param type of RTRV-NETYPE: vendor, model, type and version
 * @param meters whether it measures power
 */
record Tl1Description(String type, String serial, PortLayout layout, boolean meters) {
    /** Of piezo-electric switches (HUBER+SUHNER, series 6000 and 7000: 25 ms). */
    private static final int TYPICAL_MILLIS = 25;

    private static final int LONGEST_SECONDS = 1;

    DeviceDescription of(String id) {
        String[] parts = type.split(",", -1);
        String model = part(parts, 1);
        DeviceInventory.Builder inventory = DeviceInventory.newBuilder()
                .setDeviceId(id)
                .addModules(Module.newBuilder().setModel(model).setSerial(serial));
        for (String name : layout.names()) {
            inventory.addPorts(Port.newBuilder()
                    .setName(name)
                    .setSide(layout.side(name))
                    .setAdminState(PortAdminState.PORT_ADMIN_STATE_IN_SERVICE));
        }
        String size = layout.ingress() + "x" + (layout.twoSided() ? layout.egress() : "CC");
        inventory.setInventoryRevision(size + "/" + serial);
        Device device = Device.newBuilder()
                .setDeviceId(id)
                .setKind(DeviceKind.DEVICE_KIND_SWITCH)
                .setVendor(part(parts, 0))
                .setModel(model)
                .setSerial(serial)
                .setFirmware(part(parts, 3))
                .setAdapter(AdapterConfig.Tl1.KIND)
                .setCapabilitiesId(AdapterConfig.Tl1.KIND + "/" + size + "/" + meters)
                .setInventoryRevision(inventory.getInventoryRevision())
                .build();
        return new DeviceDescription(device, capabilities(), inventory.build());
    }

    private static String part(String[] parts, int index) {
        return index < parts.length ? MessageReader.oneLine(parts[index]) : "";
    }

    private Capabilities capabilities() {
        int ports = layout.ingress() + layout.egress();
        Capabilities.Builder can = Capabilities.newBuilder()
                .setSidedness(layout.twoSided() ? Sidedness.SIDEDNESS_TWO_SIDED : Sidedness.SIDEDNESS_ONE_SIDED)
                .setDuplexity(Duplexity.DUPLEXITY_DUPLEX)
                .setMaxPorts(ports)
                .setMaxBatch(ports)
                .setMoveConcurrency(MoveConcurrency.MOVE_CONCURRENCY_SERIAL)
                .setBatchAtomicity(BatchAtomicity.BATCH_ATOMICITY_NONE)
                // the adapter sees to it where the device does not
                .setBreakBehaviour(BreakBehaviour.BREAK_BEHAVIOUR_REFUSES)
                .setConfirmedCommit(true)
                .setValidateOnly(true)
                // a patch has no state: the device repeats what it was told
                .setReadBack(ReadBack.READ_BACK_CONFIG_ECHO)
                .setPowerMonitoring(meters)
                .addAllStreamKinds(List.of(
                        StreamKind.STREAM_KIND_CIRCUITS, StreamKind.STREAM_KIND_PORTS, StreamKind.STREAM_KIND_ALARMS))
                .setTypicalSwitchTime(com.google.protobuf.Duration.newBuilder().setNanos(TYPICAL_MILLIS * 1_000_000))
                .setMaxSwitchTime(com.google.protobuf.Duration.newBuilder().setSeconds(LONGEST_SECONDS))
                .setOnControlLoss(CircuitFate.CIRCUIT_FATE_KEPT)
                .setAutonomousProtection(true);
        if (meters) {
            can.addStreamKinds(StreamKind.STREAM_KIND_RECEIVE_POWER);
        }
        return can.build();
    }
}
