package dev.lightpath.driver.openflow;

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

/** What a device is, in the contract's words: OpenFlow tells its number and its ports, and nothing of its make. */
record Description(String id, String datapath, PortLayout layout, boolean transactional) {
    private static final int TYPICAL_MILLIS = 25;

    DeviceDescription words() {
        DeviceInventory.Builder inventory = DeviceInventory.newBuilder()
                .setDeviceId(id)
                .addModules(Module.newBuilder().setSerial(datapath));
        for (String name : layout.names()) {
            inventory.addPorts(Port.newBuilder()
                    .setName(name)
                    .setSide(layout.side(name))
                    .setAdminState(PortAdminState.PORT_ADMIN_STATE_IN_SERVICE));
        }
        String size = layout.ingress() + "x" + layout.egress();
        inventory.setInventoryRevision(size + "/" + datapath);
        Device device = Device.newBuilder()
                .setDeviceId(id)
                .setKind(DeviceKind.DEVICE_KIND_SWITCH)
                .setSerial(datapath)
                .setAdapter(AdapterConfig.OpenFlow.KIND)
                .setCapabilitiesId(AdapterConfig.OpenFlow.KIND + "/" + size + "/" + transactional)
                .setInventoryRevision(inventory.getInventoryRevision())
                .build();
        return new DeviceDescription(device, capabilities(), inventory.build());
    }

    private Capabilities capabilities() {
        int ports = layout.ingress() + layout.egress();
        return Capabilities.newBuilder()
                .setSidedness(Sidedness.SIDEDNESS_TWO_SIDED)
                .setDuplexity(Duplexity.DUPLEXITY_DUPLEX)
                .setMaxPorts(ports)
                .setMaxBatch(ports)
                .setMoveConcurrency(MoveConcurrency.MOVE_CONCURRENCY_PARALLEL)
                .setBatchAtomicity(
                        transactional
                                ? BatchAtomicity.BATCH_ATOMICITY_TRANSACTIONAL
                                : BatchAtomicity.BATCH_ATOMICITY_NONE)
                .setBreakBehaviour(BreakBehaviour.BREAK_BEHAVIOUR_REFUSES)
                .setConfirmedCommit(true)
                .setValidateOnly(true)
                // a table of flows says what the device was told, and not where its elements stand
                .setReadBack(ReadBack.READ_BACK_CONFIG_ECHO)
                .addAllStreamKinds(List.of(
                        StreamKind.STREAM_KIND_CIRCUITS, StreamKind.STREAM_KIND_PORTS, StreamKind.STREAM_KIND_ALARMS))
                .setTypicalSwitchTime(com.google.protobuf.Duration.newBuilder().setNanos(TYPICAL_MILLIS * 1_000_000))
                .setMaxSwitchTime(com.google.protobuf.Duration.newBuilder().setSeconds(1))
                .setOnControlLoss(CircuitFate.CIRCUIT_FATE_KEPT)
                .build();
    }
}
