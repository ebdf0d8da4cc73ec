package dev.lightpath.driver.netconf;

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

/** What a device says it is, in the contract's words. */
record Nameplate(OpticalSwitch.Product product, PortLayout layout, boolean transactional) {
    /** Of piezo-electric switches (HUBER+SUHNER, series 6000 and 7000: 25 ms). */
    private static final int TYPICAL_MILLIS = 25;

    private static final int LONGEST_MILLIS = 1000;

    DeviceDescription description(String id) {
        Capabilities can = capabilities();
        DeviceInventory.Builder inventory = DeviceInventory.newBuilder()
                .setDeviceId(id)
                .addModules(Module.newBuilder().setModel(product.model()).setSerial(product.serial()));
        for (String name : layout.names()) {
            inventory.addPorts(Port.newBuilder()
                    .setName(name)
                    .setSide(layout.side(name))
                    .setAdminState(PortAdminState.PORT_ADMIN_STATE_IN_SERVICE));
        }
        String size = layout.ingress() + "x" + (layout.twoSided() ? layout.egress() : "CC");
        inventory.setInventoryRevision(size + "/" + product.serial());
        Device device = Device.newBuilder()
                .setDeviceId(id)
                .setKind(DeviceKind.DEVICE_KIND_SWITCH)
                .setVendor(product.vendor())
                .setModel(product.model())
                .setSerial(product.serial())
                .setFirmware(product.firmware())
                .setAdapter(AdapterConfig.NetconfPolatis.KIND)
                .setCapabilitiesId(AdapterConfig.NetconfPolatis.KIND + "/" + size + "/" + transactional)
                .setInventoryRevision(inventory.getInventoryRevision())
                .build();
        return new DeviceDescription(device, can, inventory.build());
    }

    private Capabilities capabilities() {
        int ports = layout.ingress() + layout.egress();
        return Capabilities.newBuilder()
                .setSidedness(layout.twoSided() ? Sidedness.SIDEDNESS_TWO_SIDED : Sidedness.SIDEDNESS_ONE_SIDED)
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
                // cross-connects have no state: the device repeats its configuration
                .setReadBack(ReadBack.READ_BACK_CONFIG_ECHO)
                .setShutter(true)
                .setPowerMonitoring(true)
                .addAllStreamKinds(List.of(
                        StreamKind.STREAM_KIND_CIRCUITS,
                        StreamKind.STREAM_KIND_PORTS,
                        StreamKind.STREAM_KIND_RECEIVE_POWER,
                        StreamKind.STREAM_KIND_ALARMS))
                .setTypicalSwitchTime(com.google.protobuf.Duration.newBuilder().setNanos(TYPICAL_MILLIS * 1_000_000))
                .setMaxSwitchTime(com.google.protobuf.Duration.newBuilder().setSeconds(LONGEST_MILLIS / 1000))
                .setOnControlLoss(CircuitFate.CIRCUIT_FATE_KEPT)
                .setAutonomousProtection(true)
                .build();
    }
}
