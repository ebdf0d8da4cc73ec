package dev.lightpath.driver.cmis;

import com.google.protobuf.Duration;
import dev.lightpath.driver.adapter.DeviceDescription;
import dev.lightpath.driver.config.AdapterConfig;
import dev.lightpath.driver.config.AdapterConfig.CmisModuleConfig;
import dev.lightpath.driver.config.AdapterConfig.CmisNode;
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
import dev.lightpath.proto.driver.v1alpha1.PortSide;
import dev.lightpath.proto.driver.v1alpha1.ReadBack;
import dev.lightpath.proto.driver.v1alpha1.SelectablePath;
import dev.lightpath.proto.driver.v1alpha1.Sidedness;
import dev.lightpath.proto.driver.v1alpha1.StreamKind;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The modules of a node in the contract's words. */
final class Description {
    private Description() {}

    /** @param known what was in each bay when it was told last */
    static DeviceDescription of(CmisNode node, List<Bay> bays, Map<String, Identity> known) {
        List<String> serials = bays.stream()
                .flatMap(bay -> bay.identity().or(() -> Optional.ofNullable(known.get(bay.name()))).stream())
                .map(Identity::serial)
                .toList();
        // a number with a gap would look like that of another device when the gap is filled
        String serial = serials.size() == bays.size() ? String.join(",", serials) : "";
        Identity first = bays.stream()
                .flatMap(bay -> bay.identity().stream())
                .findFirst()
                .orElseThrow();
        DeviceInventory inventory = inventory(node, bays);
        Device device = Device.newBuilder()
                .setDeviceId(node.id())
                .setKind(DeviceKind.DEVICE_KIND_TRANSCEIVERS)
                .setVendor(first.vendor())
                .setModel(first.partNumber())
                .setSerial(serial)
                .setFirmware(first.firmware())
                .setAdapter(AdapterConfig.Cmis.KIND)
                .setCapabilitiesId(AdapterConfig.Cmis.KIND + "/" + bays.size() + "/" + settleMillis(node))
                .setInventoryRevision(inventory.getInventoryRevision())
                .build();
        return new DeviceDescription(device, capabilities(node, bays.size()), inventory);
    }

    private static long settleMillis(CmisNode node) {
        return node.modules().stream()
                .map(CmisModuleConfig::type)
                .mapToLong(type -> type.settles().toMillis())
                .max()
                .orElseThrow();
    }

    private static Capabilities capabilities(CmisNode node, int bundles) {
        long longest = settleMillis(node);
        return Capabilities.newBuilder()
                .setSidedness(Sidedness.SIDEDNESS_ONE_SIDED)
                .setDuplexity(Duplexity.DUPLEXITY_DUPLEX)
                .setMaxPorts(bundles * Bay.PORTS.size())
                .setMaxBatch(bundles * Bay.PORTS.size())
                .setMoveConcurrency(MoveConcurrency.MOVE_CONCURRENCY_SERIAL)
                .setBatchAtomicity(BatchAtomicity.BATCH_ATOMICITY_NONE)
                .setBreakBehaviour(BreakBehaviour.BREAK_BEHAVIOUR_REPLACES)
                .setConfirmedCommit(true)
                .setValidateOnly(true)
                .setReadBack(ReadBack.READ_BACK_HARDWARE_STATE)
                .setPowerMonitoring(true)
                .addAllStreamKinds(List.of(
                        StreamKind.STREAM_KIND_CIRCUITS,
                        StreamKind.STREAM_KIND_PORTS,
                        StreamKind.STREAM_KIND_RECEIVE_POWER,
                        StreamKind.STREAM_KIND_ALARMS))
                .setTypicalSwitchTime(Duration.newBuilder().setNanos(1_000_000))
                .setMaxSwitchTime(
                        Duration.newBuilder().setSeconds(longest / 1000).setNanos((int) (longest % 1000) * 1_000_000))
                .setOnControlLoss(CircuitFate.CIRCUIT_FATE_KEPT)
                .setOnPowerLoss(CircuitFate.CIRCUIT_FATE_LOST)
                .build();
    }

    private static DeviceInventory inventory(CmisNode node, List<Bay> bays) {
        DeviceInventory.Builder inventory = DeviceInventory.newBuilder().setDeviceId(node.id());
        for (Bay bay : bays) {
            Module.Builder module = Module.newBuilder().setName(bay.name());
            bay.identity()
                    .ifPresent(plate -> module.setModel(plate.partNumber()).setSerial(plate.serial()));
            inventory.addModules(module);
            for (String end : Bay.PORTS) {
                inventory.addPorts(Port.newBuilder()
                        .setName(bay.port(end))
                        .setSide(
                                switch (end) {
                                    case "common" -> PortSide.PORT_SIDE_COMMON;
                                    case "loop" -> PortSide.PORT_SIDE_LOOP;
                                    default -> PortSide.PORT_SIDE_LINE;
                                })
                        .setModule(bay.name())
                        .setAdminState(PortAdminState.PORT_ADMIN_STATE_IN_SERVICE));
                if (!end.equals("common")) {
                    inventory.addPaths(SelectablePath.newBuilder()
                            .setModule(bay.name())
                            .setCommonPort(bay.port("common"))
                            .setLinePort(bay.port(end))
                            .setPowerOnPosition(end.equals("loop")));
                }
            }
        }
        // the hash of a message differs from process to process
        int revision = Arrays.hashCode(inventory.build().toByteArray());
        return inventory
                .setInventoryRevision(HexFormat.of().toHexDigits(revision))
                .build();
    }
}
