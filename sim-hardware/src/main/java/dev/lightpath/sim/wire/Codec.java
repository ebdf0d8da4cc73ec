package dev.lightpath.sim.wire;

import com.google.protobuf.Duration;
import com.google.protobuf.Timestamp;
import dev.lightpath.proto.emulator.v1alpha1.Abilities;
import dev.lightpath.proto.emulator.v1alpha1.Alarm;
import dev.lightpath.proto.emulator.v1alpha1.AlarmKind;
import dev.lightpath.proto.emulator.v1alpha1.BootReason;
import dev.lightpath.proto.emulator.v1alpha1.Collision;
import dev.lightpath.proto.emulator.v1alpha1.Connection;
import dev.lightpath.proto.emulator.v1alpha1.ConnectionState;
import dev.lightpath.proto.emulator.v1alpha1.Device;
import dev.lightpath.proto.emulator.v1alpha1.DeviceKind;
import dev.lightpath.proto.emulator.v1alpha1.DeviceSnapshot;
import dev.lightpath.proto.emulator.v1alpha1.LockState;
import dev.lightpath.proto.emulator.v1alpha1.Module;
import dev.lightpath.proto.emulator.v1alpha1.MoveError;
import dev.lightpath.proto.emulator.v1alpha1.MoveResult;
import dev.lightpath.proto.emulator.v1alpha1.Neighbour;
import dev.lightpath.proto.emulator.v1alpha1.Port;
import dev.lightpath.proto.emulator.v1alpha1.PortHealth;
import dev.lightpath.proto.emulator.v1alpha1.PortReading;
import dev.lightpath.proto.emulator.v1alpha1.PortSide;
import dev.lightpath.sim.core.Hardware;
import dev.lightpath.sim.core.Report;
import dev.lightpath.sim.core.Report.AlarmView;
import dev.lightpath.sim.core.Report.ConnectionView;
import dev.lightpath.sim.core.Report.PortView;
import dev.lightpath.sim.core.move.MoveOutcome;
import dev.lightpath.sim.core.plant.DeviceSpec;
import dev.lightpath.sim.core.plant.Plant;
import dev.lightpath.sim.core.plant.Preset;
import dev.lightpath.sim.loop.HardwareLoop;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Hardware's numbers as messages. Only ever used on the loop. */
final class Codec {
    private static final long MICROS_PER_SECOND = 1_000_000;
    private static final int NANOS_PER_MICRO = 1_000;

    private final Hardware hardware;
    private final HardwareLoop loop;
    private final Plant plant;

    Codec(Hardware hardware, HardwareLoop loop) {
        this.hardware = hardware;
        this.loop = loop;
        plant = hardware.plant();
    }

    Timestamp at(long nanos) {
        Instant instant = loop.at(nanos);
        return Timestamp.newBuilder()
                .setSeconds(instant.getEpochSecond())
                .setNanos(instant.getNano())
                .build();
    }

    Device device(int device) {
        DeviceSpec spec = plant.device(device);
        return Device.newBuilder()
                .setDeviceId(spec.id())
                .setKind(DeviceKind.valueOf("DEVICE_KIND_" + spec.kind().name()))
                .setVendor(spec.preset().vendor())
                .setModel(spec.preset().model())
                .setSerial(hardware.serial(device))
                .setFirmware(spec.firmware())
                .setReachable(hardware.reachable(device))
                .setPowerDomain(spec.domains().power())
                .setControlDomain(spec.domains().control())
                .setRack(spec.domains().rack())
                .setPreset(spec.preset().name())
                .setTwoSided(spec.twoSided())
                .build();
    }

    List<Module> modules(int device) {
        DeviceSpec spec = plant.device(device);
        List<Module> modules = new ArrayList<>();
        if (spec.kind() == dev.lightpath.sim.core.plant.DeviceKind.TRANSCEIVERS) {
            for (int m = 0; m < spec.size(); m++) {
                modules.add(Module.newBuilder()
                        .setName("b" + m)
                        .setModel(spec.preset().model())
                        .setSerial(hardware.serial(device) + "-" + m)
                        .build());
            }
        }
        return modules;
    }

    Port port(int port) {
        dev.lightpath.sim.core.plant.PortSide side = plant.side(port);
        String name = plant.portName(port);
        int dot = name.indexOf('.');
        boolean plug = side != dev.lightpath.sim.core.plant.PortSide.COMMON
                && side != dev.lightpath.sim.core.plant.PortSide.LOOP;
        int to = hardware.cabling().labelTo(port);
        int from = hardware.cabling().labelFrom(port);
        return Port.newBuilder()
                .setName(name)
                .setSide(PortSide.valueOf("PORT_SIDE_" + side.name()))
                .setModule(dot < 0 ? "" : name.substring(0, dot))
                .setConnector(plug ? "LC" : "")
                .setFarEndLabel(to < 0 ? "" : plant.fullName(to))
                .setNearEndLabel(from < 0 ? "" : plant.fullName(from))
                .build();
    }

    Abilities abilities(int device) {
        DeviceSpec spec = plant.device(device);
        Preset preset = spec.preset();
        boolean moves = spec.kind() != dev.lightpath.sim.core.plant.DeviceKind.ENDPOINTS;
        boolean replaces = preset.replaces() || spec.kind() == dev.lightpath.sim.core.plant.DeviceKind.TRANSCEIVERS;
        return Abilities.newBuilder()
                .setMaxBatch(moves ? preset.maxBatch() : 0)
                .setParallelMoves(preset.parallel())
                .setCollision(replaces ? Collision.COLLISION_REPLACES : Collision.COLLISION_REFUSES)
                .setDuplex(!spec.twoSided())
                .setTypicalSwitchTime(micros(preset.typicalMicros()))
                .setMaxSwitchTime(micros(preset.maxMicros()))
                .setPowerMonitoring(true)
                .setReceivers(spec.kind() != dev.lightpath.sim.core.plant.DeviceKind.SWITCH)
                .setKeptOnManagementRestart(true)
                .setKeptOnPowerLoss(false)
                .build();
    }

    Connection connection(ConnectionView view) {
        return Connection.newBuilder()
                .setIngress(plant.portName(view.ingress()))
                .setEgress(plant.portName(view.egress()))
                .setState(ConnectionState.valueOf(
                        "CONNECTION_STATE_" + view.state().name()))
                .setSince(at(view.sinceNanos()))
                .build();
    }

    PortReading reading(PortView view) {
        PortReading.Builder reading = PortReading.newBuilder()
                .setPort(plant.portName(view.port()))
                .setHealth(PortHealth.valueOf("PORT_HEALTH_" + view.health().name()))
                .setLockState(
                        view.lock() == dev.lightpath.sim.core.LockState.NONE
                                ? LockState.LOCK_STATE_UNSPECIFIED
                                : LockState.valueOf("LOCK_STATE_" + view.lock().name()));
        if (!Double.isNaN(view.receivePowerDbm())) {
            reading.setReceivePowerDbm(view.receivePowerDbm());
        }
        if (view.heard() >= 0) {
            reading.setHeardNeighbour(Neighbour.newBuilder()
                    .setDeviceId(plant.device(plant.deviceOf(view.heard())).id())
                    .setPort(plant.portName(view.heard())));
        }
        if (!Double.isNaN(view.bitErrorRatio())) {
            reading.setPreFecBitErrorRatio(view.bitErrorRatio());
        }
        if (!Double.isNaN(view.temperatureCelsius())) {
            reading.setTemperatureCelsius(view.temperatureCelsius());
        }
        if (!Double.isNaN(view.attenuationDb())) {
            reading.setAttenuationDb(view.attenuationDb());
        }
        if (!Double.isNaN(view.returnLossDb())) {
            reading.setReturnLossDb(view.returnLossDb());
        }
        if (view.sinceNanos() >= 0) {
            reading.setSince(at(view.sinceNanos()));
        }
        return reading.build();
    }

    Alarm alarm(AlarmView view) {
        return Alarm.newBuilder()
                .setKind(AlarmKind.valueOf("ALARM_KIND_" + view.kind().name()))
                .setWhere(view.where())
                .setSince(at(view.sinceNanos()))
                .setText(view.text())
                .build();
    }

    MoveResult result(MoveOutcome outcome) {
        MoveResult.Builder result = MoveResult.newBuilder()
                .setIngress(outcome.move().ingress())
                .setEgress(outcome.move().egress())
                .setState(ConnectionState.valueOf(
                        "CONNECTION_STATE_" + outcome.state().name()))
                .setError(
                        outcome.error() == dev.lightpath.sim.core.move.MoveError.NONE
                                ? MoveError.MOVE_ERROR_UNSPECIFIED
                                : MoveError.valueOf(
                                        "MOVE_ERROR_" + outcome.error().name()))
                .setText(outcome.text());
        if (outcome.endedNanos() >= 0) {
            result.setEndedAt(at(outcome.endedNanos()));
        }
        return result.build();
    }

    BootReason bootReason(int device) {
        return BootReason.valueOf("BOOT_REASON_" + hardware.bootReason(device).name());
    }

    DeviceSnapshot snapshot(int device) {
        DeviceSnapshot.Builder snapshot =
                DeviceSnapshot.newBuilder().setDevice(device(device)).setAt(at(hardware.nowNanos()));
        if (!hardware.reachable(device)) {
            return snapshot.build();
        }
        Report report = hardware.report(device);
        snapshot.setBootId(hardware.bootId(device))
                .setSeq(hardware.seq(device))
                .setBootReason(bootReason(device))
                .setPowerCycles(hardware.powerCycles(device))
                .setTemperatureCelsius(report.temperatureCelsius())
                .setPowerWatts(report.powerWatts());
        report.connections().forEach(view -> snapshot.addConnections(connection(view)));
        report.ports().forEach(view -> snapshot.addPorts(reading(view)));
        report.alarms().forEach(view -> snapshot.addAlarms(alarm(view)));
        return snapshot.build();
    }

    private static Duration micros(long micros) {
        return Duration.newBuilder()
                .setSeconds(micros / MICROS_PER_SECOND)
                .setNanos((int) (micros % MICROS_PER_SECOND) * NANOS_PER_MICRO)
                .build();
    }
}
