package dev.lightpath.driver.emulator;

import dev.lightpath.driver.adapter.CircuitPair;
import dev.lightpath.driver.adapter.DeviceDescription;
import dev.lightpath.driver.adapter.MoveAnswer;
import dev.lightpath.driver.adapter.NativeCircuit;
import dev.lightpath.proto.driver.v1alpha1.Alarm;
import dev.lightpath.proto.driver.v1alpha1.AlarmKind;
import dev.lightpath.proto.driver.v1alpha1.AlarmSeverity;
import dev.lightpath.proto.driver.v1alpha1.Attenuation;
import dev.lightpath.proto.driver.v1alpha1.BatchAtomicity;
import dev.lightpath.proto.driver.v1alpha1.BreakBehaviour;
import dev.lightpath.proto.driver.v1alpha1.Capabilities;
import dev.lightpath.proto.driver.v1alpha1.CircuitFate;
import dev.lightpath.proto.driver.v1alpha1.CircuitState;
import dev.lightpath.proto.driver.v1alpha1.Device;
import dev.lightpath.proto.driver.v1alpha1.DeviceInventory;
import dev.lightpath.proto.driver.v1alpha1.DeviceKind;
import dev.lightpath.proto.driver.v1alpha1.Duplexity;
import dev.lightpath.proto.driver.v1alpha1.FactoryLoss;
import dev.lightpath.proto.driver.v1alpha1.FailureDomains;
import dev.lightpath.proto.driver.v1alpha1.ItemReason;
import dev.lightpath.proto.driver.v1alpha1.LockState;
import dev.lightpath.proto.driver.v1alpha1.Module;
import dev.lightpath.proto.driver.v1alpha1.MoveConcurrency;
import dev.lightpath.proto.driver.v1alpha1.Port;
import dev.lightpath.proto.driver.v1alpha1.PortAdminState;
import dev.lightpath.proto.driver.v1alpha1.PortOperState;
import dev.lightpath.proto.driver.v1alpha1.PortRef;
import dev.lightpath.proto.driver.v1alpha1.PortSide;
import dev.lightpath.proto.driver.v1alpha1.PortStatus;
import dev.lightpath.proto.driver.v1alpha1.ReadBack;
import dev.lightpath.proto.driver.v1alpha1.SelectablePath;
import dev.lightpath.proto.driver.v1alpha1.Sidedness;
import dev.lightpath.proto.driver.v1alpha1.StreamKind;
import dev.lightpath.proto.emulator.v1alpha1.Abilities;
import dev.lightpath.proto.emulator.v1alpha1.Collision;
import dev.lightpath.proto.emulator.v1alpha1.Connection;
import dev.lightpath.proto.emulator.v1alpha1.ConnectionState;
import dev.lightpath.proto.emulator.v1alpha1.GetDeviceResponse;
import dev.lightpath.proto.emulator.v1alpha1.MoveError;
import dev.lightpath.proto.emulator.v1alpha1.MoveResult;
import dev.lightpath.proto.emulator.v1alpha1.PortReading;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;

/** The emulator's words in the contract's. */
final class Translation {
    private Translation() {}

    static DeviceDescription description(GetDeviceResponse native_) {
        var plate = native_.getDevice();
        DeviceInventory inventory = inventory(native_);
        FailureDomains domains = FailureDomains.newBuilder()
                .setPower(plate.getPowerDomain())
                .setControl(plate.getControlDomain())
                .setRack(plate.getRack())
                .build();
        Device device = Device.newBuilder()
                .setDeviceId(plate.getDeviceId())
                .setKind(kind(plate.getKind()))
                .setVendor(plate.getVendor())
                .setModel(plate.getModel())
                .setSerial(plate.getSerial())
                .setFirmware(plate.getFirmware())
                .setAdapter(EmulatorAdapter.KIND)
                .setDomains(domains)
                .setCapabilitiesId("%s/%s/%d/%s"
                        .formatted(
                                plate.getPreset(),
                                word(plate.getKind().name(), "DEVICE_KIND_"),
                                inventory.getPortsCount(),
                                plate.getTwoSided() ? "two" : "one"))
                .setInventoryRevision(inventory.getInventoryRevision())
                .build();
        return new DeviceDescription(device, capabilities(native_, domains), inventory);
    }

    private static DeviceKind kind(dev.lightpath.proto.emulator.v1alpha1.DeviceKind kind) {
        return switch (kind) {
            case DEVICE_KIND_SWITCH -> DeviceKind.DEVICE_KIND_SWITCH;
            case DEVICE_KIND_TRANSCEIVERS, DEVICE_KIND_ENDPOINTS -> DeviceKind.DEVICE_KIND_TRANSCEIVERS;
            case DEVICE_KIND_UNSPECIFIED, UNRECOGNIZED -> DeviceKind.DEVICE_KIND_UNSPECIFIED;
        };
    }

    private static Capabilities capabilities(GetDeviceResponse native_, FailureDomains domains) {
        Abilities abilities = native_.getAbilities();
        Capabilities.Builder out = Capabilities.newBuilder()
                .setSidedness(
                        native_.getDevice().getTwoSided()
                                ? Sidedness.SIDEDNESS_TWO_SIDED
                                : Sidedness.SIDEDNESS_ONE_SIDED)
                .setDuplexity(abilities.getDuplex() ? Duplexity.DUPLEXITY_DUPLEX : Duplexity.DUPLEXITY_SIMPLEX)
                .setMaxPorts(native_.getPortsCount())
                .setMaxBatch(abilities.getMaxBatch())
                .setMoveConcurrency(
                        abilities.getParallelMoves()
                                ? MoveConcurrency.MOVE_CONCURRENCY_PARALLEL
                                : MoveConcurrency.MOVE_CONCURRENCY_SERIAL)
                .setBatchAtomicity(BatchAtomicity.BATCH_ATOMICITY_NONE)
                .setBreakBehaviour(
                        abilities.getCollision() == Collision.COLLISION_REPLACES
                                ? BreakBehaviour.BREAK_BEHAVIOUR_REPLACES
                                : BreakBehaviour.BREAK_BEHAVIOUR_REFUSES)
                .setConfirmedCommit(true)
                .setValidateOnly(true)
                .setReadBack(ReadBack.READ_BACK_HARDWARE_STATE)
                .setPowerMonitoring(abilities.getPowerMonitoring())
                .setInsertionLossData(true)
                .addStreamKinds(StreamKind.STREAM_KIND_CIRCUITS)
                .addStreamKinds(StreamKind.STREAM_KIND_PORTS)
                .addStreamKinds(StreamKind.STREAM_KIND_ALARMS)
                .addStreamKinds(StreamKind.STREAM_KIND_ENVIRONMENT)
                .setOnControlLoss(CircuitFate.CIRCUIT_FATE_KEPT)
                .setOnManagementRestart(fate(abilities.getKeptOnManagementRestart()))
                .setOnPowerLoss(fate(abilities.getKeptOnPowerLoss()))
                .setDomains(domains);
        if (abilities.getPowerMonitoring()) {
            out.addStreamKinds(StreamKind.STREAM_KIND_RECEIVE_POWER);
        }
        if (abilities.hasTypicalSwitchTime()) {
            out.setTypicalSwitchTime(abilities.getTypicalSwitchTime());
        }
        if (abilities.hasMaxSwitchTime()) {
            out.setMaxSwitchTime(abilities.getMaxSwitchTime());
        }
        return out.build();
    }

    private static CircuitFate fate(boolean kept) {
        return kept ? CircuitFate.CIRCUIT_FATE_KEPT : CircuitFate.CIRCUIT_FATE_LOST;
    }

    private static DeviceInventory inventory(GetDeviceResponse native_) {
        DeviceInventory.Builder out =
                DeviceInventory.newBuilder().setDeviceId(native_.getDevice().getDeviceId());
        native_.getModulesList()
                .forEach(m -> out.addModules(Module.newBuilder()
                        .setName(m.getName())
                        .setModel(m.getModel())
                        .setSerial(m.getSerial())));
        if (out.getModulesCount() == 0) {
            out.addModules(Module.newBuilder()
                    .setModel(native_.getDevice().getModel())
                    .setSerial(native_.getDevice().getSerial()));
        }
        for (var port : native_.getPortsList()) {
            Port.Builder each = Port.newBuilder()
                    .setName(port.getName())
                    .setSide(PortSide.valueOf(port.getSide().name()))
                    .setConnector(port.getConnector())
                    .setModule(port.getModule())
                    .setAdminState(PortAdminState.PORT_ADMIN_STATE_IN_SERVICE);
            int slash = port.getFarEndLabel().lastIndexOf('/');
            if (slash > 0) {
                each.setPeerHint(PortRef.newBuilder()
                        .setDeviceId(port.getFarEndLabel().substring(0, slash))
                        .setPort(port.getFarEndLabel().substring(slash + 1)));
            }
            out.addPorts(each);
            if (port.getSide() == dev.lightpath.proto.emulator.v1alpha1.PortSide.PORT_SIDE_COMMON) {
                paths(port.getName(), port.getModule(), native_.getPortsList()).forEach(out::addPaths);
            }
        }
        // the hash of a message differs from process to process
        int revision = Arrays.hashCode(out.build().toByteArray());
        return out.setInventoryRevision(HexFormat.of().toHexDigits(revision)).build();
    }

    private static List<SelectablePath> paths(
            String common, String module, List<dev.lightpath.proto.emulator.v1alpha1.Port> ports) {
        List<SelectablePath> paths = new ArrayList<>();
        for (var port : ports) {
            boolean loop = port.getSide() == dev.lightpath.proto.emulator.v1alpha1.PortSide.PORT_SIDE_LOOP;
            boolean lineSide = port.getSide() == dev.lightpath.proto.emulator.v1alpha1.PortSide.PORT_SIDE_LINE;
            if (port.getModule().equals(module) && (loop || lineSide)) {
                paths.add(SelectablePath.newBuilder()
                        .setModule(module)
                        .setCommonPort(common)
                        .setLinePort(port.getName())
                        .setPowerOnPosition(loop)
                        .build());
            }
        }
        return paths;
    }

    static List<NativeCircuit> circuits(Collection<Connection> connections) {
        List<NativeCircuit> out = new ArrayList<>();
        for (Connection each : connections) {
            CircuitState state = state(each.getState());
            if (state != CircuitState.CIRCUIT_STATE_UNSPECIFIED) {
                out.add(new NativeCircuit(
                        new CircuitPair(each.getIngress(), each.getEgress()), state, OptionalDouble.empty()));
            }
        }
        return out;
    }

    private static CircuitState state(ConnectionState state) {
        return switch (state) {
            case CONNECTION_STATE_TUNING -> CircuitState.CIRCUIT_STATE_TUNING;
            case CONNECTION_STATE_TUNED -> CircuitState.CIRCUIT_STATE_CONNECTED;
            case CONNECTION_STATE_FAILED -> CircuitState.CIRCUIT_STATE_FAILED;
            case CONNECTION_STATE_BLOCKED, CONNECTION_STATE_UNSPECIFIED, UNRECOGNIZED ->
                CircuitState.CIRCUIT_STATE_UNSPECIFIED;
        };
    }

    static PortStatus port(PortReading reading) {
        PortStatus.Builder out = PortStatus.newBuilder()
                .setPort(reading.getPort())
                .setAdminState(PortAdminState.PORT_ADMIN_STATE_IN_SERVICE)
                .setOperState(
                        switch (reading.getHealth()) {
                            case PORT_HEALTH_OK -> PortOperState.PORT_OPER_STATE_OK;
                            case PORT_HEALTH_DEGRADED -> PortOperState.PORT_OPER_STATE_DEGRADED;
                            case PORT_HEALTH_FAILED -> PortOperState.PORT_OPER_STATE_FAILED;
                            case PORT_HEALTH_UNSPECIFIED, UNRECOGNIZED -> PortOperState.PORT_OPER_STATE_UNSPECIFIED;
                        })
                .setLockState(
                        switch (reading.getLockState()) {
                            case LOCK_STATE_LOSS_OF_SIGNAL -> LockState.LOCK_STATE_LOSS_OF_SIGNAL;
                            case LOCK_STATE_ACQUIRING -> LockState.LOCK_STATE_ACQUIRING;
                            case LOCK_STATE_LOCKED -> LockState.LOCK_STATE_LOCKED;
                            case LOCK_STATE_IDLE, LOCK_STATE_UNSPECIFIED, UNRECOGNIZED ->
                                LockState.LOCK_STATE_UNSPECIFIED;
                        });
        if (reading.hasReceivePowerDbm()) {
            out.setReceivePowerDbm(reading.getReceivePowerDbm());
        }
        if (reading.hasPreFecBitErrorRatio()) {
            out.setPreFecBitErrorRatio(reading.getPreFecBitErrorRatio());
        }
        if (reading.hasTemperatureCelsius()) {
            out.setTemperatureCelsius(reading.getTemperatureCelsius());
        }
        if (reading.hasAttenuationDb()) {
            out.setAttenuation(Attenuation.newBuilder().setSetDb(reading.getAttenuationDb()));
        }
        if (reading.hasHeardNeighbour()) {
            out.setHeardNeighbour(PortRef.newBuilder()
                    .setDeviceId(reading.getHeardNeighbour().getDeviceId())
                    .setPort(reading.getHeardNeighbour().getPort()));
        }
        if (reading.hasSince()) {
            out.setSince(reading.getSince());
        }
        return out.build();
    }

    static Alarm alarm(dev.lightpath.proto.emulator.v1alpha1.Alarm native_) {
        AlarmKind kind = switch (native_.getKind()) {
            case ALARM_KIND_LOSS_OF_SIGNAL -> AlarmKind.ALARM_KIND_LOSS_OF_SIGNAL;
            case ALARM_KIND_LOW_POWER -> AlarmKind.ALARM_KIND_LOW_POWER;
            case ALARM_KIND_HIGH_POWER -> AlarmKind.ALARM_KIND_HIGH_POWER;
            case ALARM_KIND_PORT_FAILED -> AlarmKind.ALARM_KIND_PORT_FAILED;
            case ALARM_KIND_STUCK -> AlarmKind.ALARM_KIND_STUCK;
            case ALARM_KIND_POWER_SUPPLY -> AlarmKind.ALARM_KIND_POWER_SUPPLY;
            case ALARM_KIND_FAN -> AlarmKind.ALARM_KIND_FAN;
            case ALARM_KIND_TEMPERATURE -> AlarmKind.ALARM_KIND_TEMPERATURE;
            case ALARM_KIND_UNSPECIFIED, UNRECOGNIZED -> AlarmKind.ALARM_KIND_DEGRADED;
        };
        AlarmSeverity severity = switch (kind) {
            // a device that is too hot may go dark at any moment
            case ALARM_KIND_LOSS_OF_SIGNAL, ALARM_KIND_PORT_FAILED, ALARM_KIND_STUCK, ALARM_KIND_TEMPERATURE ->
                AlarmSeverity.ALARM_SEVERITY_CRITICAL;
            default -> AlarmSeverity.ALARM_SEVERITY_WARNING;
        };
        return Alarm.newBuilder()
                .setKind(kind)
                .setWhere(native_.getWhere())
                .setSeverity(severity)
                .setSince(native_.getSince())
                .setNativeText(native_.getText())
                .build();
    }

    static MoveAnswer answer(MoveResult result) {
        if (result.getState() != ConnectionState.CONNECTION_STATE_FAILED
                || result.getError() == MoveError.MOVE_ERROR_NOT_CONNECTED) {
            return new MoveAnswer.Accepted();
        }
        ItemReason reason = switch (result.getError()) {
            case MOVE_ERROR_UNKNOWN_PORT, MOVE_ERROR_WRONG_SIDE -> ItemReason.ITEM_REASON_NO_SUCH_PORT;
            case MOVE_ERROR_PORT_IN_USE -> ItemReason.ITEM_REASON_PORT_IN_USE;
            case MOVE_ERROR_PORT_FAILED, MOVE_ERROR_ELEMENT_DEAD -> ItemReason.ITEM_REASON_PORT_UNUSABLE;
            case MOVE_ERROR_ELEMENT_STUCK, MOVE_ERROR_SUPERSEDED, MOVE_ERROR_POWER_LOST ->
                ItemReason.ITEM_REASON_NOT_SETTLED;
            case MOVE_ERROR_BATCH_TOO_LARGE, MOVE_ERROR_NOT_CONNECTED, MOVE_ERROR_UNSPECIFIED, UNRECOGNIZED ->
                ItemReason.ITEM_REASON_DEVICE_REFUSED;
        };
        String text = result.getText().isEmpty()
                ? word(result.getError().name(), "MOVE_ERROR_").toLowerCase(Locale.ROOT)
                : result.getText();
        return new MoveAnswer.Refused(reason, text);
    }

    static FactoryLoss loss(dev.lightpath.proto.emulator.v1alpha1.FactoryLoss native_) {
        return FactoryLoss.newBuilder()
                .setIngress(native_.getIngress())
                .setEgress(native_.getEgress())
                .setLossDb(native_.getLossDb())
                .build();
    }

    private static String word(String name, String prefix) {
        return name.startsWith(prefix) ? name.substring(prefix.length()) : name;
    }
}
