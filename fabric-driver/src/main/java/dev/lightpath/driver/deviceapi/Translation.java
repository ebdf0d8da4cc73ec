package dev.lightpath.driver.deviceapi;

import dev.lightpath.driver.adapter.CircuitPair;
import dev.lightpath.driver.adapter.DeviceDescription;
import dev.lightpath.driver.adapter.MoveAnswer;
import dev.lightpath.driver.adapter.NativeCircuit;
import dev.lightpath.driver.config.AdapterConfig;
import dev.lightpath.driver.session.OneLine;
import dev.lightpath.driver.tls.CallFailure;
import dev.lightpath.proto.device.v1alpha1.Circuit;
import dev.lightpath.proto.device.v1alpha1.Description;
import dev.lightpath.proto.driver.v1alpha1.BatchAtomicity;
import dev.lightpath.proto.driver.v1alpha1.BreakBehaviour;
import dev.lightpath.proto.driver.v1alpha1.Capabilities;
import dev.lightpath.proto.driver.v1alpha1.CircuitState;
import dev.lightpath.proto.driver.v1alpha1.Device;
import dev.lightpath.proto.driver.v1alpha1.DeviceInventory;
import dev.lightpath.proto.driver.v1alpha1.DeviceKind;
import dev.lightpath.proto.driver.v1alpha1.Duplexity;
import dev.lightpath.proto.driver.v1alpha1.ItemReason;
import dev.lightpath.proto.driver.v1alpha1.Module;
import dev.lightpath.proto.driver.v1alpha1.MoveConcurrency;
import dev.lightpath.proto.driver.v1alpha1.Port;
import dev.lightpath.proto.driver.v1alpha1.PortAdminState;
import dev.lightpath.proto.driver.v1alpha1.PortSide;
import dev.lightpath.proto.driver.v1alpha1.ReadBack;
import dev.lightpath.proto.driver.v1alpha1.SelectablePath;
import dev.lightpath.proto.driver.v1alpha1.Sidedness;
import dev.lightpath.proto.driver.v1alpha1.StreamKind;
import io.grpc.Status;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/** A program's words in the adapter's. */
final class Translation {
    /** As in requests: what is longer could never be asked for. */
    private static final int LONGEST_NAME = 128;

    private Translation() {}

    static DeviceDescription description(String id, Description said) throws UnusableException {
        require(!id.isBlank(), "device_id is empty");
        requireName("device_id", id);
        require(
                said.getKind() == DeviceKind.DEVICE_KIND_SWITCH
                        || said.getKind() == DeviceKind.DEVICE_KIND_TRANSCEIVERS,
                "kind is " + said.getKind() + "; allowed are DEVICE_KIND_SWITCH and DEVICE_KIND_TRANSCEIVERS");
        Set<String> ports = ports(said);
        Capabilities can = capabilities(said);
        DeviceInventory.Builder inventory = DeviceInventory.newBuilder()
                .setDeviceId(id)
                .addAllModules(said.getModulesList())
                .addAllPaths(said.getPathsList());
        if (said.getModulesCount() == 0) {
            inventory.addModules(Module.newBuilder().setModel(said.getModel()).setSerial(said.getSerial()));
        }
        for (SelectablePath path : said.getPathsList()) {
            require(
                    ports.contains(path.getCommonPort()) && ports.contains(path.getLinePort()),
                    "paths: " + path.getCommonPort() + "->" + path.getLinePort() + " names a port that ports lacks");
        }
        for (Port port : said.getPortsList()) {
            inventory.addPorts(port.toBuilder()
                    .setAdminState(
                            port.getAdminState() == PortAdminState.PORT_ADMIN_STATE_UNSPECIFIED
                                    ? PortAdminState.PORT_ADMIN_STATE_IN_SERVICE
                                    : port.getAdminState())
                    .clearOverride());
        }
        inventory.setInventoryRevision(name(inventory.build()));
        Device device = Device.newBuilder()
                .setDeviceId(id)
                .setKind(said.getKind())
                .setVendor(said.getVendor())
                .setModel(said.getModel())
                .setSerial(said.getSerial())
                .setFirmware(said.getFirmware())
                .setAdapter(AdapterConfig.DeviceApi.KIND)
                .setDomains(can.getDomains())
                .setCapabilitiesId(name(can.toBuilder().clearDomains().build()))
                .setInventoryRevision(inventory.getInventoryRevision())
                .build();
        return new DeviceDescription(device, can, inventory.build());
    }

    private static Set<String> ports(Description said) throws UnusableException {
        require(said.getPortsCount() > 0, "ports is empty");
        Set<String> names = new HashSet<>();
        for (Port port : said.getPortsList()) {
            require(!port.getName().isBlank(), "ports: a name is empty");
            requireName("ports: name", port.getName());
            require(names.add(port.getName()), "ports: '" + OneLine.of(port.getName()) + "' is there twice");
            require(
                    port.getSide() != PortSide.PORT_SIDE_UNSPECIFIED && port.getSide() != PortSide.UNRECOGNIZED,
                    "ports: '" + OneLine.of(port.getName()) + "' has no side");
        }
        return names;
    }

    private static Capabilities capabilities(Description said) throws UnusableException {
        Capabilities can = said.getCapabilities();
        requireTold("sidedness", can.getSidednessValue(), Sidedness.forNumber(can.getSidednessValue()));
        requireTold("duplexity", can.getDuplexityValue(), Duplexity.forNumber(can.getDuplexityValue()));
        require(can.getMaxBatch() >= 1, "capabilities.max_batch is " + can.getMaxBatch() + "; it is at least 1");
        requireTold(
                "move_concurrency",
                can.getMoveConcurrencyValue(),
                MoveConcurrency.forNumber(can.getMoveConcurrencyValue()));
        requireTold(
                "batch_atomicity",
                can.getBatchAtomicityValue(),
                BatchAtomicity.forNumber(can.getBatchAtomicityValue()));
        requireTold(
                "break_behaviour",
                can.getBreakBehaviourValue(),
                BreakBehaviour.forNumber(can.getBreakBehaviourValue()));
        requireTold("read_back", can.getReadBackValue(), ReadBack.forNumber(can.getReadBackValue()));
        return can.toBuilder()
                .clearStreamKinds()
                .addAllStreamKinds(streamKinds(can))
                .setConfirmedCommit(true)
                .setValidateOnly(true)
                .setMaxPorts(Math.max(can.getMaxPorts(), said.getPortsCount()))
                .build();
    }

    /** The driver reports circuits, overrides of ports and alarms of its own, whatever the program reports. */
    private static SortedSet<StreamKind> streamKinds(Capabilities can) {
        SortedSet<StreamKind> kinds = new TreeSet<>(can.getStreamKindsList());
        kinds.addAll(
                List.of(StreamKind.STREAM_KIND_CIRCUITS, StreamKind.STREAM_KIND_PORTS, StreamKind.STREAM_KIND_ALARMS));
        kinds.removeAll(List.of(StreamKind.STREAM_KIND_UNSPECIFIED, StreamKind.UNRECOGNIZED));
        return kinds;
    }

    private static void requireName(String field, String name) throws UnusableException {
        require(
                name.length() <= LONGEST_NAME && name.chars().noneMatch(Character::isISOControl),
                field + " '" + OneLine.of(name) + "' has " + name.length() + " characters; allowed are 1 to "
                        + LONGEST_NAME + " that are no control characters");
    }

    /** @param known the value of this number; null: there is none */
    private static void requireTold(String field, int number, @Nullable Object known) throws UnusableException {
        require(number != 0, "capabilities." + field + " is missing");
        require(known != null, "capabilities." + field + " is " + number + ", which this driver does not know");
    }

    private static void require(boolean holds, String otherwise) throws UnusableException {
        if (!holds) {
            throw new UnusableException("the description cannot be used: " + otherwise);
        }
    }

    /** The same for equal messages, in every run. */
    private static String name(com.google.protobuf.Message message) {
        CRC32C sum = new CRC32C();
        sum.update(message.toByteArray());
        return HexFormat.of().toHexDigits((int) sum.getValue());
    }

    static List<NativeCircuit> circuits(List<Circuit> circuits) {
        return circuits.stream()
                .map(each -> new NativeCircuit(
                        CircuitPair.of(each.getKey()),
                        switch (each.getState()) {
                            case CIRCUIT_STATE_TUNING, CIRCUIT_STATE_FAILED -> each.getState();
                            case CIRCUIT_STATE_CONNECTED, CIRCUIT_STATE_UNSPECIFIED, UNRECOGNIZED ->
                                CircuitState.CIRCUIT_STATE_CONNECTED;
                        },
                        each.hasMeasuredLossDb()
                                ? OptionalDouble.of(each.getMeasuredLossDb())
                                : OptionalDouble.empty()))
                .toList();
    }

    static MoveAnswer answer(dev.lightpath.proto.device.v1alpha1.MoveAnswer said) {
        return switch (said.getRefused()) {
            case ITEM_REASON_UNSPECIFIED -> new MoveAnswer.Accepted();
            case UNRECOGNIZED ->
                new MoveAnswer.Refused(ItemReason.ITEM_REASON_DEVICE_REFUSED, OneLine.of(said.getNativeText()));
            default -> new MoveAnswer.Refused(said.getRefused(), OneLine.of(said.getNativeText()));
        };
    }

    static String line(Status status) {
        return OneLine.of(CallFailure.line(status));
    }
}
