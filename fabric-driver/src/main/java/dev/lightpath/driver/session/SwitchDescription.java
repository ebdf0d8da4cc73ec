package dev.lightpath.driver.session;

import dev.lightpath.driver.adapter.DeviceDescription;
import dev.lightpath.driver.adapter.PortLayout;
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
import dev.lightpath.proto.driver.v1alpha1.PortRef;
import dev.lightpath.proto.driver.v1alpha1.ReadBack;
import dev.lightpath.proto.driver.v1alpha1.Sidedness;
import dev.lightpath.proto.driver.v1alpha1.StreamKind;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A switch in the contract's words.
 *
 * @param adapter its kind
 * @param layout of its ports
 * @param product what it says that it is
 */
public record SwitchDescription(String adapter, PortLayout layout, Product product) {
    /** Of piezo-electric switches (HUBER+SUHNER, series 6000 and 7000: 25 ms). */
    private static final int TYPICAL_MILLIS = 25;

    private static final int LONGEST_SECONDS = 1;

    /** What every such switch can. It has no state of a circuit: what is read is what it was told. */
    public Capabilities.Builder capabilities() {
        int ports = layout.ingress() + layout.egress();
        return Capabilities.newBuilder()
                .setSidedness(layout.twoSided() ? Sidedness.SIDEDNESS_TWO_SIDED : Sidedness.SIDEDNESS_ONE_SIDED)
                .setDuplexity(Duplexity.DUPLEXITY_DUPLEX)
                .setMaxPorts(ports)
                .setMaxBatch(ports)
                .setMoveConcurrency(MoveConcurrency.MOVE_CONCURRENCY_PARALLEL)
                .setBatchAtomicity(BatchAtomicity.BATCH_ATOMICITY_NONE)
                .setBreakBehaviour(BreakBehaviour.BREAK_BEHAVIOUR_REFUSES)
                .setConfirmedCommit(true)
                .setValidateOnly(true)
                .setReadBack(ReadBack.READ_BACK_CONFIG_ECHO)
                .addAllStreamKinds(List.of(
                        StreamKind.STREAM_KIND_CIRCUITS, StreamKind.STREAM_KIND_PORTS, StreamKind.STREAM_KIND_ALARMS))
                .setTypicalSwitchTime(com.google.protobuf.Duration.newBuilder().setNanos(TYPICAL_MILLIS * 1_000_000))
                .setMaxSwitchTime(com.google.protobuf.Duration.newBuilder().setSeconds(LONGEST_SECONDS))
                .setOnControlLoss(CircuitFate.CIRCUIT_FATE_KEPT);
    }

    /**
     * The whole, with the ports of its layout.
     *
     * @param variant tells capabilities of one adapter and size from one another
     */
    public DeviceDescription of(String id, boolean variant, Capabilities capabilities) {
        return of(id, Boolean.toString(variant), capabilities, numbered(layout));
    }

    /** The ports of a layout. */
    public static List<Port> numbered(PortLayout layout) {
        return numbered(layout, Map.of());
    }

    /** As above, of which some have a far end that the installation names. */
    public static List<Port> numbered(PortLayout layout, Map<String, PortRef> farEnds) {
        return layout.names().stream()
                .map(name -> {
                    Port.Builder port = Port.newBuilder()
                            .setName(name)
                            .setSide(layout.side(name))
                            .setAdminState(PortAdminState.PORT_ADMIN_STATE_IN_SERVICE);
                    Optional.ofNullable(farEnds.get(name)).ifPresent(port::setPeerHint);
                    return port.build();
                })
                .toList();
    }

    /** As above, with ports that have names of their own. */
    public DeviceDescription of(String id, String variant, Capabilities capabilities, List<Port> ports) {
        DeviceInventory.Builder inventory = DeviceInventory.newBuilder()
                .setDeviceId(id)
                .addModules(Module.newBuilder().setModel(product.model()).setSerial(product.serial()));
        inventory.addAllPorts(ports);
        List<String> hints = ports.stream()
                .filter(Port::hasPeerHint)
                .map(port -> port.getName() + " " + port.getPeerHint().getDeviceId() + "/"
                        + port.getPeerHint().getPort())
                .toList();
        inventory.setInventoryRevision(
                layout.size() + "/" + product.serial() + (hints.isEmpty() ? "" : "/" + hints.hashCode()));
        Device device = Device.newBuilder()
                .setDeviceId(id)
                .setKind(DeviceKind.DEVICE_KIND_SWITCH)
                .setVendor(product.vendor())
                .setModel(product.model())
                .setSerial(product.serial())
                .setFirmware(product.firmware())
                .setAdapter(adapter)
                .setCapabilitiesId(adapter + "/" + layout.size() + "/" + variant)
                .setInventoryRevision(inventory.getInventoryRevision())
                .build();
        return new DeviceDescription(device, capabilities, inventory.build());
    }
}
