package dev.lightpath.sim.deviceapi;

import com.google.protobuf.Duration;
import com.google.protobuf.Timestamp;
import dev.lightpath.proto.device.v1alpha1.Circuit;
import dev.lightpath.proto.device.v1alpha1.Description;
import dev.lightpath.proto.device.v1alpha1.ListFactoryLossResponse;
import dev.lightpath.proto.device.v1alpha1.MoveAnswer;
import dev.lightpath.proto.device.v1alpha1.Reading;
import dev.lightpath.proto.driver.v1alpha1.Alarm;
import dev.lightpath.proto.driver.v1alpha1.AlarmKind;
import dev.lightpath.proto.driver.v1alpha1.AlarmSeverity;
import dev.lightpath.proto.driver.v1alpha1.Attenuation;
import dev.lightpath.proto.driver.v1alpha1.BatchAtomicity;
import dev.lightpath.proto.driver.v1alpha1.BreakBehaviour;
import dev.lightpath.proto.driver.v1alpha1.Capabilities;
import dev.lightpath.proto.driver.v1alpha1.CircuitFate;
import dev.lightpath.proto.driver.v1alpha1.CircuitKey;
import dev.lightpath.proto.driver.v1alpha1.CircuitState;
import dev.lightpath.proto.driver.v1alpha1.DeviceKind;
import dev.lightpath.proto.driver.v1alpha1.Duplexity;
import dev.lightpath.proto.driver.v1alpha1.Environment;
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
import dev.lightpath.sim.core.Hardware;
import dev.lightpath.sim.core.Report;
import dev.lightpath.sim.core.Report.AlarmView;
import dev.lightpath.sim.core.Report.ConnectionView;
import dev.lightpath.sim.core.Report.PortView;
import dev.lightpath.sim.core.move.ConnectionState;
import dev.lightpath.sim.core.move.MoveError;
import dev.lightpath.sim.core.move.MoveOutcome;
import dev.lightpath.sim.core.plant.DeviceSpec;
import dev.lightpath.sim.core.plant.Plant;
import dev.lightpath.sim.core.plant.Preset;
import dev.lightpath.sim.loop.HardwareLoop;
import dev.lightpath.sim.scenario.DeviceApiSpec.Quirk;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.UUID;

/** The hardware's numbers as messages of the device API. Only ever used on the loop. */
final class Translation {
    private static final long MICROS_PER_SECOND = 1_000_000;
    private static final int NANOS_PER_MICRO = 1_000;

    private final Offered offered;
    private final Hardware hardware;
    private final HardwareLoop loop;
    private final Plant plant;
    /** This run of the emulator: none of its devices had power before. */
    private final UUID run = UUID.randomUUID();

    Translation(Offered offered, Hardware hardware, HardwareLoop loop) {
        this.offered = offered;
        this.hardware = hardware;
        this.loop = loop;
        this.plant = hardware.plant();
    }

    Timestamp now() {
        return at(hardware.nowNanos());
    }

    private Timestamp at(long nanos) {
        Instant instant = loop.at(nanos);
        return Timestamp.newBuilder()
                .setSeconds(instant.getEpochSecond())
                .setNanos(instant.getNano())
                .build();
    }

    Description description(int device) {
        DeviceSpec spec = plant.device(device);
        Description.Builder all = Description.newBuilder()
                .setKind(isSwitch(spec) ? DeviceKind.DEVICE_KIND_SWITCH : DeviceKind.DEVICE_KIND_TRANSCEIVERS)
                .setVendor(spec.preset().vendor())
                .setModel(spec.preset().model())
                .setSerial(hardware.serial(device))
                .setFirmware(spec.firmware())
                .setCapabilities(capabilities(spec));
        for (int port = plant.firstPort(device); port < plant.endPort(device); port++) {
            all.addPorts(description(spec, port));
            if (plant.side(port) == dev.lightpath.sim.core.plant.PortSide.COMMON) {
                all.addModules(Module.newBuilder()
                        .setName(module(port))
                        .setModel(spec.preset().model())
                        .setSerial(hardware.serial(device) + "-" + all.getModulesCount()));
                for (int line = port + 1; line < port + DeviceSpec.PORTS_PER_MODULE; line++) {
                    all.addPaths(SelectablePath.newBuilder()
                            .setModule(module(port))
                            .setCommonPort(plant.portName(port))
                            .setLinePort(plant.portName(line))
                            .setPowerOnPosition(plant.side(line) == dev.lightpath.sim.core.plant.PortSide.LOOP));
                }
            }
        }
        return all.build();
    }

    private static boolean isSwitch(DeviceSpec spec) {
        return spec.kind() == dev.lightpath.sim.core.plant.DeviceKind.SWITCH;
    }

    private Port description(DeviceSpec spec, int port) {
        Port.Builder described = Port.newBuilder()
                .setName(plant.portName(port))
                .setSide(PortSide.valueOf("PORT_SIDE_" + plant.side(port).name()))
                .setModule(isSwitch(spec) ? "" : module(port));
        switch (plant.side(port)) {
            case COMMON, LOOP -> {}
            case BOTH, INGRESS, EGRESS, LINE -> described.setConnector("LC");
        }
        int to = hardware.cabling().labelTo(port);
        if (to >= 0) {
            described.setPeerHint(neighbour(to));
        }
        return described.build();
    }

    /** Of a transceiver's port. */
    private String module(int port) {
        String name = plant.portName(port);
        return name.substring(0, name.indexOf('.'));
    }

    private PortRef neighbour(int port) {
        return PortRef.newBuilder()
                .setDeviceId(plant.device(plant.deviceOf(port)).id())
                .setPort(plant.portName(port))
                .build();
    }

    private Capabilities capabilities(DeviceSpec spec) {
        Preset preset = spec.preset();
        boolean meters = !offered.has(Quirk.NO_METERS);
        Capabilities.Builder can = Capabilities.newBuilder()
                .setSidedness(spec.twoSided() ? Sidedness.SIDEDNESS_TWO_SIDED : Sidedness.SIDEDNESS_ONE_SIDED)
                .setDuplexity(spec.twoSided() ? Duplexity.DUPLEXITY_SIMPLEX : Duplexity.DUPLEXITY_DUPLEX)
                .setMaxPorts(spec.ports())
                .setMaxBatch(preset.maxBatch())
                .setMoveConcurrency(
                        preset.parallel()
                                ? MoveConcurrency.MOVE_CONCURRENCY_PARALLEL
                                : MoveConcurrency.MOVE_CONCURRENCY_SERIAL)
                .setBatchAtomicity(BatchAtomicity.BATCH_ATOMICITY_NONE)
                .setBreakBehaviour(
                        preset.replaces() || !isSwitch(spec)
                                ? BreakBehaviour.BREAK_BEHAVIOUR_REPLACES
                                : BreakBehaviour.BREAK_BEHAVIOUR_REFUSES)
                .setReadBack(ReadBack.READ_BACK_HARDWARE_STATE)
                .setShutter(isSwitch(spec))
                .setPowerMonitoring(meters)
                .setInsertionLossData(true)
                .addStreamKinds(StreamKind.STREAM_KIND_ENVIRONMENT)
                .setTypicalSwitchTime(micros(preset.typicalMicros()))
                .setMaxSwitchTime(micros(preset.maxMicros()))
                .setOnControlLoss(CircuitFate.CIRCUIT_FATE_KEPT)
                .setOnManagementRestart(CircuitFate.CIRCUIT_FATE_KEPT)
                .setOnPowerLoss(CircuitFate.CIRCUIT_FATE_LOST)
                .setDomains(FailureDomains.newBuilder()
                        .setPower(spec.domains().power())
                        .setControl(spec.domains().control())
                        .setRack(spec.domains().rack()));
        if (meters) {
            can.addStreamKinds(StreamKind.STREAM_KIND_RECEIVE_POWER);
        }
        return can.build();
    }

    private static Duration micros(long micros) {
        return Duration.newBuilder()
                .setSeconds(micros / MICROS_PER_SECOND)
                .setNanos((int) (micros % MICROS_PER_SECOND) * NANOS_PER_MICRO)
                .build();
    }

    Reading reading(int device) {
        Report report = hardware.report(device);
        Reading.Builder reading = Reading.newBuilder()
                .setPowerOnId(run + "/" + hardware.serial(device) + "/" + hardware.powerCycles(device))
                .addAllCircuits(circuits(report))
                .addAllAlarms(alarms(report))
                .setEnvironment(environment(report));
        report.ports().forEach(view -> reading.addPorts(port(view)));
        return reading.build();
    }

    List<Circuit> circuits(Report report) {
        return report.connections().stream()
                .filter(each -> each.state() != ConnectionState.BLOCKED)
                .map(this::circuit)
                .toList();
    }

    private Circuit circuit(ConnectionView view) {
        Circuit.Builder circuit = Circuit.newBuilder()
                .setKey(CircuitKey.newBuilder()
                        .setIngress(plant.portName(view.ingress()))
                        .setEgress(plant.portName(view.egress())))
                .setState(
                        switch (view.state()) {
                            case TUNING -> CircuitState.CIRCUIT_STATE_TUNING;
                            case TUNED -> CircuitState.CIRCUIT_STATE_CONNECTED;
                            case FAILED, BLOCKED -> CircuitState.CIRCUIT_STATE_FAILED;
                        });
        double loss = hardware.lossDb(view.ingress(), view.egress());
        boolean measured = plant.kindOf(view.ingress()) == dev.lightpath.sim.core.plant.DeviceKind.SWITCH
                && view.state() == ConnectionState.TUNED
                && !offered.has(Quirk.NO_METERS)
                && !Double.isNaN(loss);
        return (measured ? circuit.setMeasuredLossDb(loss) : circuit).build();
    }

    PortStatus port(PortView view) {
        PortStatus.Builder status = PortStatus.newBuilder()
                .setPort(plant.portName(view.port()))
                .setAdminState(
                        view.shut()
                                ? PortAdminState.PORT_ADMIN_STATE_OUT_OF_SERVICE
                                : PortAdminState.PORT_ADMIN_STATE_IN_SERVICE)
                .setOperState(
                        switch (view.health()) {
                            case OK -> PortOperState.PORT_OPER_STATE_OK;
                            case DEGRADED -> PortOperState.PORT_OPER_STATE_DEGRADED;
                            case FAILED -> PortOperState.PORT_OPER_STATE_FAILED;
                        })
                .setLockState(
                        switch (view.lock()) {
                            case LOSS_OF_SIGNAL -> LockState.LOCK_STATE_LOSS_OF_SIGNAL;
                            case ACQUIRING -> LockState.LOCK_STATE_ACQUIRING;
                            case LOCKED -> LockState.LOCK_STATE_LOCKED;
                            case NONE, IDLE -> LockState.LOCK_STATE_UNSPECIFIED;
                        });
        if (!offered.has(Quirk.NO_METERS)) {
            if (!Double.isNaN(view.receivePowerDbm())) {
                status.setReceivePowerDbm(view.receivePowerDbm());
            }
            if (!Double.isNaN(view.bitErrorRatio())) {
                status.setPreFecBitErrorRatio(view.bitErrorRatio());
            }
        }
        if (!Double.isNaN(view.temperatureCelsius())) {
            status.setTemperatureCelsius(view.temperatureCelsius());
        }
        if (!Double.isNaN(view.attenuationDb())) {
            status.setAttenuation(Attenuation.newBuilder().setSetDb(view.attenuationDb()));
        }
        if (view.heard() >= 0) {
            status.setHeardNeighbour(neighbour(view.heard()));
        }
        if (view.sinceNanos() >= 0) {
            status.setSince(at(view.sinceNanos()));
        }
        return status.build();
    }

    List<Alarm> alarms(Report report) {
        return report.alarms().stream().map(this::alarm).toList();
    }

    private Alarm alarm(AlarmView view) {
        return Alarm.newBuilder()
                .setKind(AlarmKind.valueOf("ALARM_KIND_" + view.kind().name()))
                .setWhere(view.where())
                .setSeverity(
                        switch (view.kind()) {
                            // a device that is too hot may go dark at any moment
                            case LOSS_OF_SIGNAL, PORT_FAILED, STUCK, TEMPERATURE ->
                                AlarmSeverity.ALARM_SEVERITY_CRITICAL;
                            case LOW_POWER, HIGH_POWER, POWER_SUPPLY, FAN -> AlarmSeverity.ALARM_SEVERITY_WARNING;
                        })
                .setSince(at(view.sinceNanos()))
                .setNativeText(view.text())
                .build();
    }

    Environment environment(Report report) {
        return Environment.newBuilder()
                .setTemperatureCelsius(report.temperatureCelsius())
                .setPowerWatts(report.powerWatts())
                .build();
    }

    MoveAnswer answer(MoveOutcome outcome) {
        // a circuit that is not there need not be broken
        if (outcome.state() != ConnectionState.FAILED || outcome.error() == MoveError.NOT_CONNECTED) {
            return MoveAnswer.getDefaultInstance();
        }
        ItemReason reason = switch (outcome.error()) {
            case UNKNOWN_PORT, WRONG_SIDE -> ItemReason.ITEM_REASON_NO_SUCH_PORT;
            case PORT_IN_USE -> ItemReason.ITEM_REASON_PORT_IN_USE;
            case PORT_FAILED, ELEMENT_DEAD -> ItemReason.ITEM_REASON_PORT_UNUSABLE;
            case ELEMENT_STUCK, SUPERSEDED, POWER_LOST -> ItemReason.ITEM_REASON_NOT_SETTLED;
            case BATCH_TOO_LARGE, NOT_CONNECTED, NONE -> ItemReason.ITEM_REASON_DEVICE_REFUSED;
        };
        String said = outcome.text().isEmpty()
                ? outcome.error().name().toLowerCase(Locale.ROOT).replace('_', ' ')
                : outcome.text();
        return MoveAnswer.newBuilder().setRefused(reason).setNativeText(said).build();
    }

    MoveAnswer tooMany(int moves, int most) {
        return MoveAnswer.newBuilder()
                .setRefused(ItemReason.ITEM_REASON_DEVICE_REFUSED)
                .setNativeText(moves + " moves, at most " + most)
                .build();
    }

    ListFactoryLossResponse factoryLoss(int device) {
        ListFactoryLossResponse.Builder table = ListFactoryLossResponse.newBuilder();
        for (int ingress = plant.firstPort(device); ingress < plant.endPort(device); ingress++) {
            for (int egress = plant.firstPort(device); egress < plant.endPort(device); egress++) {
                if (plant.canMeet(ingress, egress)) {
                    table.addEntries(FactoryLoss.newBuilder()
                            .setIngress(plant.portName(ingress))
                            .setEgress(plant.portName(egress))
                            .setLossDb(hardware.factoryLossDb(ingress, egress)));
                }
            }
        }
        return table.build();
    }
}
