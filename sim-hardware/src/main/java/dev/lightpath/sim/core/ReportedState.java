package dev.lightpath.sim.core;

import dev.lightpath.sim.core.Report.AlarmKey;
import dev.lightpath.sim.core.Report.AlarmView;
import dev.lightpath.sim.core.Report.ConnectionView;
import dev.lightpath.sim.core.Report.PortView;
import dev.lightpath.sim.core.fault.FaultKind;
import dev.lightpath.sim.core.move.ConnectionState;
import dev.lightpath.sim.core.plant.DeviceKind;
import dev.lightpath.sim.core.plant.Plant;
import dev.lightpath.sim.core.plant.PortSide;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/** The devices' reports about themselves. All lies about state are made here. */
final class ReportedState {
    private static final double WATTS_PER_PORT = 0.4;
    private static final double WATTS_PER_CHASSIS = 20;

    private final State state;
    private final Light light;
    private final Receivers receivers;
    private final List<HardwareListener> listeners = new ArrayList<>();

    ReportedState(State state, Light light, Receivers receivers) {
        this.state = state;
        this.light = light;
        this.receivers = receivers;
    }

    void listen(HardwareListener listener) {
        listeners.add(listener);
    }

    /** The device's report as it gives it; a stale cache is older than now. */
    Report report(int device) {
        if (!state.faults.has(device, FaultKind.LIE_STALE_CACHE)) {
            return present(device);
        }
        Chassis chassis = state.chassis[device];
        Report cached = chassis.cached;
        if (cached == null) {
            cached = present(device);
            chassis.cached = cached;
        }
        return cached;
    }

    /** Reports a connection in the given state. */
    void connection(int ingress, int egress, ConnectionState now) {
        int device = state.plant.deviceOf(ingress);
        if (mayTell(device)) {
            ConnectionState said = now == ConnectionState.TUNING && state.faults.has(device, FaultKind.LIE_CONFIG_ECHO)
                    ? ConnectionState.TUNED
                    : now;
            long seq = ++state.chassis[device].seq;
            ConnectionView view = new ConnectionView(ingress, egress, said, state.now());
            listeners.forEach(listener -> listener.connection(device, seq, view));
        }
    }

    /** Reports a port as it is now. */
    void port(int port) {
        int device = state.plant.deviceOf(port);
        if (mayTell(device)) {
            long seq = ++state.chassis[device].seq;
            PortView view = view(port);
            listeners.forEach(listener -> listener.port(device, seq, view));
        }
    }

    /** What passes a port loses more or less. */
    void loss(int device) {
        if (mayTell(device)) {
            listeners.forEach(listener -> listener.loss(device));
        }
    }

    void raise(int device, AlarmKind kind, String where, String text) {
        Chassis chassis = state.chassis[device];
        TreeMap<AlarmKey, AlarmView> alarms = chassis.alarms;
        if (alarms == null) {
            alarms = new TreeMap<>();
            chassis.alarms = alarms;
        }
        AlarmView alarm = new AlarmView(kind, where, state.now(), text);
        if (alarms.putIfAbsent(new AlarmKey(kind, where), alarm) == null && mayTell(device)) {
            long seq = ++chassis.seq;
            listeners.forEach(listener -> listener.alarm(device, seq, alarm, true));
        }
    }

    void clear(int device, AlarmKind kind, String where) {
        Chassis chassis = state.chassis[device];
        if (chassis.alarms != null) {
            AlarmView alarm = chassis.alarms.remove(new AlarmKey(kind, where));
            if (alarm != null && mayTell(device)) {
                long seq = ++chassis.seq;
                listeners.forEach(listener -> listener.alarm(device, seq, alarm, false));
            }
        }
    }

    boolean stands(int device, AlarmKind kind, String where) {
        TreeMap<AlarmKey, AlarmView> alarms = state.chassis[device].alarms;
        return alarms != null && alarms.containsKey(new AlarmKey(kind, where));
    }

    void environment(int device) {
        if (mayTell(device)) {
            Chassis chassis = state.chassis[device];
            long seq = ++chassis.seq;
            listeners.forEach(listener -> listener.environment(device, seq, chassis.temperatureCelsius, watts(device)));
        }
    }

    /** Checks again whether the management answers, and reports a change. */
    void reachability(int device) {
        Chassis chassis = state.chassis[device];
        boolean now = chassis.powered
                && !state.faults.has(device, FaultKind.UNREACHABLE)
                && !state.faults.has(device, FaultKind.MANAGEMENT_RESTART);
        if (now != chassis.reachable) {
            chassis.reachable = now;
            if (now) {
                listeners.forEach(listener -> listener.answering(device));
            } else {
                long seq = ++chassis.seq;
                listeners.forEach(listener -> listener.silent(device, seq));
            }
        }
    }

    /** A stale cache holds the present state. */
    void freeze(int device) {
        state.chassis[device].cached = present(device);
    }

    /** A cache is none any more. */
    void thaw(int device) {
        state.chassis[device].cached = null;
    }

    /** Listeners must read it again. */
    void answering(int device) {
        listeners.forEach(listener -> listener.answering(device));
    }

    /** @param device -1: all */
    void dropped(int device) {
        listeners.forEach(listener -> listener.dropped(device));
    }

    /** The management starts: event numbers begin again. */
    void boot(int device, BootReason reason) {
        Chassis chassis = state.chassis[device];
        chassis.boots++;
        chassis.seq = 0;
        chassis.bootedAtNanos = state.now();
        chassis.bootReason = reason;
        chassis.cached = null;
    }

    PortView view(int port) {
        Light.Arrival arrival = measures(port) ? light.arriving(port) : Light.Arrival.NONE;
        double power = arrival.source() < 0 ? Double.NaN : arrival.powerDbm() + state.optics.noiseDb(port, state.now());
        LockState lock = receivers.lock(port);
        boolean locked = lock == LockState.LOCKED && arrival.source() >= 0;
        return new PortView(
                port,
                health(port),
                power,
                lock,
                receivers.heard(port),
                receivers.sinceNanos(port),
                locked ? Optics.bitErrorRatio(arrival.powerDbm()) : Double.NaN,
                state.shut.get(port),
                state.plant.kindOf(port) == DeviceKind.TRANSCEIVERS
                        ? state.chassis[state.plant.deviceOf(port)].temperatureCelsius
                        : Double.NaN,
                state.attenuationDb(port),
                returnLossDb(port));
    }

    /** NaN where no fibre is plugged in. */
    private double returnLossDb(int port) {
        int to = state.cabling.to(port);
        int from = state.cabling.from(port);
        if (to < 0 && from < 0) {
            return Double.NaN;
        }
        boolean cut = state.faults.at(port, FaultKind.FIBRE_CUT)
                || (to >= 0 && state.faults.at(to, FaultKind.FIBRE_CUT))
                || (from >= 0 && state.faults.at(from, FaultKind.FIBRE_CUT));
        return cut ? Optics.OPEN_RETURN_LOSS_DB : state.optics.returnLossDb(port, state.faults.dirtDb(port));
    }

    private boolean mayTell(int device) {
        return state.chassis[device].reachable && !state.faults.has(device, FaultKind.LIE_STALE_CACHE);
    }

    private Report present(int device) {
        Plant plant = state.plant;
        boolean echo = state.faults.has(device, FaultKind.LIE_CONFIG_ECHO);
        List<ConnectionView> connections = new ArrayList<>();
        List<PortView> ports = new ArrayList<>(plant.endPort(device) - plant.firstPort(device));
        for (int port = plant.firstPort(device); port < plant.endPort(device); port++) {
            int egress = state.commanded.egressOf(port);
            if (egress >= 0) {
                connections.add(new ConnectionView(
                        port,
                        egress,
                        echo ? ConnectionState.TUNED : state.commanded.stateOf(port),
                        state.commanded.sinceNanos(port)));
            }
            ports.add(view(port));
        }
        Chassis chassis = state.chassis[device];
        List<AlarmView> alarms = chassis.alarms == null ? List.of() : List.copyOf(chassis.alarms.values());
        return new Report(connections, ports, alarms, chassis.temperatureCelsius, watts(device));
    }

    private PortHealth health(int port) {
        if (state.faults.knownFailed(port)) {
            return PortHealth.FAILED;
        }
        return stands(state.plant.deviceOf(port), AlarmKind.LOW_POWER, state.plant.portName(port))
                ? PortHealth.DEGRADED
                : PortHealth.OK;
    }

    private boolean measures(int port) {
        PortSide side = state.plant.side(port);
        return side != PortSide.COMMON && side != PortSide.EGRESS && !state.faults.at(port, FaultKind.RECEIVER_FAILED);
    }

    private double watts(int device) {
        return WATTS_PER_CHASSIS + WATTS_PER_PORT * state.plant.device(device).ports();
    }
}
