package dev.lightpath.sim.core;

import dev.lightpath.sim.core.Chance.Draw;
import dev.lightpath.sim.core.fault.FaultKind;
import dev.lightpath.sim.core.plant.DeviceKind;
import dev.lightpath.sim.core.plant.DeviceSpec;
import dev.lightpath.sim.core.plant.PortSide;
import java.util.Arrays;
import java.util.BitSet;

/**
 * Far ends: for each port whether its receiver is selected, sees light and has locked, and the port whose light it
 * receives. Locking takes a drawn time. A receiver whose light comes from another sender starts again.
 */
final class Receivers {
    private static final double LOCK_MIN_NANOS = 2e6;
    private static final double LOCK_MAX_NANOS = 10e6;
    private static final long LOSS_HOLD_OFF_NANOS = 20_000_000;
    /** Smallest change of receive power that a device tells by itself. */
    private static final double TELLING_DB = 0.2;

    private final State state;
    private final Light light;
    private final byte[] lock;
    private final int[] heard;
    private final int[] change;
    private final long[] since;
    private final BitSet monitored = new BitSet();
    /** Power at each port as last told, NaN for none. */
    private final double[] toldDbm;

    private int locked;

    Receivers(State state, Light light) {
        this.state = state;
        this.light = light;
        int ports = state.plant.portCount();
        lock = new byte[ports];
        heard = new int[ports];
        change = new int[ports];
        since = new long[ports];
        Arrays.fill(heard, -1);
        Arrays.fill(since, -1);
        toldDbm = new double[ports];
        Arrays.fill(toldDbm, Double.NaN);
        for (int port = 0; port < ports; port++) {
            if (state.plant.side(port) == PortSide.LINE || state.plant.side(port) == PortSide.LOOP) {
                lock[port] = (byte) LockState.IDLE.ordinal();
            }
        }
    }

    LockState lock(int port) {
        return LockState.values()[lock[port]];
    }

    /** Port whose light is received, -1 unless locked. */
    int heard(int port) {
        return lock(port) == LockState.LOCKED ? heard[port] : -1;
    }

    /** When lock or neighbour last changed, -1 never. */
    long sinceNanos(int port) {
        return since[port];
    }

    int lockedCount() {
        return locked;
    }

    /**
     * At the start of the emulation: what has light is seen to have it, and what listens to it is locked, since before.
     */
    void startLocked(int port) {
        if (state.plant.kindOf(port) == DeviceKind.SWITCH) {
            monitored.set(port, light.arriving(port).source() >= 0);
        }
        toldDbm[port] = light.arriving(port).powerDbm();
        if (light.listens(port)) {
            Light.Arrival arrival = light.arriving(port);
            boolean hears = hears(port, arrival);
            lock[port] = (byte) (hears ? LockState.LOCKED : LockState.LOSS_OF_SIGNAL).ordinal();
            if (hears) {
                heard[port] = arrival.source();
                locked++;
            }
        }
    }

    /** Something about a port itself changed: a fault, its fibre, the selector of its module, its power. */
    void touch(int port, ReportedState reported) {
        switch (state.plant.kindOf(port)) {
            case ENDPOINTS -> {
                judge(port, reported);
                follow(port, reported);
            }
            case SWITCH -> {
                monitor(port, reported);
                follow(port, reported);
                int ingress = state.elements.circuitAt(port);
                if (ingress >= 0) {
                    follow(ingress == port ? state.elements.egressOf(port) : ingress, reported);
                }
            }
            case TRANSCEIVERS -> {
                boolean whole = state.plant.side(port) == PortSide.COMMON;
                int last = whole ? port + DeviceSpec.PORTS_PER_MODULE - 1 : port;
                for (int p = whole ? port + 1 : port; p <= last; p++) {
                    judge(p, reported);
                    follow(p, reported);
                }
            }
        }
    }

    /** Light that leaves a port may have changed: updates every monitor and receiver along its way. */
    void follow(int leaves, ReportedState reported) {
        int at = state.cabling.to(leaves);
        for (int hop = 0; at >= 0 && hop < Light.MAX_HOPS; hop++) {
            if (state.plant.kindOf(at) != DeviceKind.SWITCH) {
                judge(at, reported);
                return;
            }
            monitor(at, reported);
            int out = state.elements.leaving(at);
            at = out < 0 ? -1 : state.cabling.to(out);
        }
    }

    private void monitor(int port, ReportedState reported) {
        Light.Arrival arrival = light.arriving(port);
        boolean now = arrival.source() >= 0;
        powerAlarms(port, arrival, reported);
        boolean moved = hasMoved(port, arrival);
        if (now != monitored.get(port)) {
            monitored.set(port, now);
            reported.port(port);
        } else if (moved) {
            reported.port(port);
        }
    }

    /** Whether the power of light that is still there has changed by what is worth telling. */
    private boolean hasMoved(int port, Light.Arrival arrival) {
        double before = toldDbm[port];
        if (arrival.source() < 0) {
            toldDbm[port] = Double.NaN;
            return false;
        }
        if (Math.abs(arrival.powerDbm() - before) < TELLING_DB) {
            return false;
        }
        toldDbm[port] = arrival.powerDbm();
        return !Double.isNaN(before);
    }

    private void judge(int port, ReportedState reported) {
        LockState before = lock(port);
        if (before == LockState.NONE) {
            return;
        }
        Light.Arrival arrival = light.arriving(port);
        powerAlarms(port, arrival, reported);
        boolean moved = hasMoved(port, arrival);
        if (!light.listens(port)) {
            become(port, LockState.IDLE, reported);
        } else if (!hears(port, arrival)) {
            become(port, LockState.LOSS_OF_SIGNAL, reported);
        } else {
            boolean same = heard[port] == arrival.source();
            if (!same || (before != LockState.LOCKED && before != LockState.ACQUIRING)) {
                heard[port] = arrival.source();
                become(port, LockState.ACQUIRING, reported);
            } else if (moved) {
                reported.port(port);
            }
        }
    }

    private boolean hears(int port, Light.Arrival arrival) {
        boolean hearing = lock(port) == LockState.LOCKED || lock(port) == LockState.ACQUIRING;
        double threshold = hearing ? Optics.LOSS_OF_SIGNAL_DBM : Optics.SIGNAL_DETECT_DBM;
        return arrival.source() >= 0
                && arrival.powerDbm() > threshold
                && !state.faults.at(port, FaultKind.RECEIVER_FAILED);
    }

    private void become(int port, LockState now, ReportedState reported) {
        LockState before = lock(port);
        if (before == now && now != LockState.ACQUIRING) {
            return;
        }
        if (before == LockState.LOCKED) {
            locked--;
            state.log.add(LightChange.LOST, port, -1);
        }
        if (now == LockState.LOCKED) {
            locked++;
            state.log.add(LightChange.LOCKED, port, -1);
        }
        lock[port] = (byte) now.ordinal();
        since[port] = state.now();
        int mine = ++change[port];
        int device = state.plant.deviceOf(port);
        reported.port(port);
        if (now == LockState.ACQUIRING) {
            double nanos = state.chance.between(Draw.LOCK, port, mine, LOCK_MIN_NANOS, LOCK_MAX_NANOS);
            state.timers.after((long) nanos, () -> {
                if (change[port] == mine) {
                    become(port, LockState.LOCKED, reported);
                }
            });
        } else if (now == LockState.LOSS_OF_SIGNAL) {
            state.timers.after(LOSS_HOLD_OFF_NANOS, () -> {
                if (change[port] == mine) {
                    reported.raise(
                            device, AlarmKind.LOSS_OF_SIGNAL, state.plant.portName(port), "no light at the receiver");
                }
            });
        }
        if (now != LockState.LOSS_OF_SIGNAL) {
            reported.clear(device, AlarmKind.LOSS_OF_SIGNAL, state.plant.portName(port));
        }
    }

    private void powerAlarms(int port, Light.Arrival arrival, ReportedState reported) {
        int device = state.plant.deviceOf(port);
        double power = arrival.powerDbm();
        boolean light = arrival.source() >= 0 && state.chassis[device].powered;
        boolean low = light && power < Optics.LOW_POWER_DBM;
        boolean high = light && power > Optics.HIGH_POWER_DBM;
        if (!low && !high && state.chassis[device].alarms == null) {
            return;
        }
        String where = state.plant.portName(port);
        if (low) {
            reported.raise(device, AlarmKind.LOW_POWER, where, "receive power below " + Optics.LOW_POWER_DBM + " dBm");
        } else if (!light || power > Optics.LOW_POWER_DBM + Optics.HYSTERESIS_DB) {
            reported.clear(device, AlarmKind.LOW_POWER, where);
        }
        if (high) {
            reported.raise(
                    device, AlarmKind.HIGH_POWER, where, "receive power above " + Optics.HIGH_POWER_DBM + " dBm");
        } else if (!light || power < Optics.HIGH_POWER_DBM - Optics.HYSTERESIS_DB) {
            reported.clear(device, AlarmKind.HIGH_POWER, where);
        }
    }
}
