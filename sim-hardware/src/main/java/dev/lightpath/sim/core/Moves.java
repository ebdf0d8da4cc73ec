package dev.lightpath.sim.core;

import dev.lightpath.sim.core.Chance.Draw;
import dev.lightpath.sim.core.fault.Fault;
import dev.lightpath.sim.core.fault.FaultKind;
import dev.lightpath.sim.core.move.Batch;
import dev.lightpath.sim.core.move.BatchOutcome;
import dev.lightpath.sim.core.move.ConnectionState;
import dev.lightpath.sim.core.move.Move;
import dev.lightpath.sim.core.move.MoveError;
import dev.lightpath.sim.core.plant.DeviceKind;
import dev.lightpath.sim.core.plant.DeviceSpec;
import dev.lightpath.sim.core.plant.Preset;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Makes and breaks connections: what the elements do, how long it takes, and what the device answers. */
final class Moves {
    private static final long NANOS_PER_MICRO = 1_000;

    private final State state;
    private final Receivers receivers;
    private final ReportedState reported;
    private final Map<Integer, Moving> moving = new HashMap<>();
    private final Map<Integer, Long> busyUntilNanos = new HashMap<>();
    private long count;

    private record Moving(Batch batch, int slot, int egress, long number) {}

    Moves(State state, Receivers receivers, ReportedState reported) {
        this.state = state;
        this.receivers = receivers;
        this.reported = reported;
    }

    /** Moves under way. */
    int underWay() {
        return moving.size();
    }

    /** Moves begun since the start. */
    long begun() {
        return count;
    }

    /**
     * Carries out a batch, disconnects first.
     *
     * @param settled whether to answer only when every move is done
     * @param reply called exactly once, perhaps before this method returns
     */
    void carryOut(
            int device, List<Move> disconnects, List<Move> connects, boolean settled, Consumer<BatchOutcome> reply) {
        Batch batch = new Batch(disconnects, connects, state.timers::nowNanos, reply);
        int largest = state.plant.device(device).preset().maxBatch();
        if (batch.size() > largest) {
            for (int slot = 0; slot < batch.size(); slot++) {
                batch.fail(slot, MoveError.BATCH_TOO_LARGE, batch.size() + " moves, at most " + largest);
            }
        } else {
            for (int slot = 0; slot < disconnects.size(); slot++) {
                disconnect(device, batch, slot);
            }
            for (int slot = disconnects.size(); slot < batch.size(); slot++) {
                connect(device, batch, slot);
            }
        }
        if (settled) {
            batch.answerWhenSettled();
        } else {
            batch.answer();
        }
    }

    /** The device lost power: nothing under way is ever done, every circuit is gone. */
    void losePower(int device) {
        for (int port = state.plant.firstPort(device); port < state.plant.endPort(device); port++) {
            Moving lost = moving.remove(port);
            if (lost != null) {
                lost.batch.fail(lost.slot, MoveError.POWER_LOST, "power lost");
            }
            state.commanded.clear(port);
            release(port);
        }
        busyUntilNanos.remove(device);
    }

    /** Power came on: transceivers loop back. */
    void loopBack(int device) {
        if (state.plant.device(device).kind() == DeviceKind.TRANSCEIVERS) {
            for (int common = state.plant.firstPort(device);
                    common < state.plant.endPort(device);
                    common += DeviceSpec.PORTS_PER_MODULE) {
                state.commanded.set(common, common + 1, ConnectionState.TUNED, state.now());
                state.elements.point(common, common + 1);
            }
        }
    }

    /** The device reads its elements again and believes them. */
    void believeElements(int device) {
        for (int port = state.plant.firstPort(device); port < state.plant.endPort(device); port++) {
            if (!moving.containsKey(port)) {
                state.commanded.clear(port);
            }
        }
        for (int port = state.plant.firstPort(device); port < state.plant.endPort(device); port++) {
            int egress = state.elements.egressOf(port);
            if (egress >= 0 && state.commanded.connectionAt(port) < 0 && state.commanded.connectionAt(egress) < 0) {
                state.commanded.set(port, egress, ConnectionState.TUNED, state.now());
            }
        }
    }

    private void disconnect(int device, Batch batch, int slot) {
        Move move = batch.move(slot);
        int ingress = state.plant.findPort(device, move.ingress());
        int egress = move.egress().isEmpty() ? -1 : state.plant.findPort(device, move.egress());
        if (ingress < 0 || (egress < 0 && !move.egress().isEmpty())) {
            unknownPort(device, batch, slot, ingress < 0 ? move.ingress() : move.egress());
            return;
        }
        int connected = state.commanded.egressOf(ingress);
        if (connected < 0 || (egress >= 0 && egress != connected)) {
            batch.fail(
                    slot,
                    MoveError.NOT_CONNECTED,
                    connected < 0
                            ? move.ingress() + " is not connected"
                            : move.ingress() + " is connected to " + state.plant.portName(connected));
            return;
        }
        if (!lies(device, FaultKind.LIE_FALSE_OK)) {
            if (stuck(ingress, connected)) {
                fail(batch, slot, ingress, connected, MoveError.ELEMENT_STUCK);
                return;
            }
            if (!state.faults.at(ingress, FaultKind.DISCONNECT_IGNORED)
                    && !state.faults.at(connected, FaultKind.DISCONNECT_IGNORED)) {
                release(ingress);
            }
        }
        forget(ingress);
        batch.done(slot, ConnectionState.BLOCKED);
    }

    private void connect(int device, Batch batch, int slot) {
        Move move = batch.move(slot);
        int ingress = state.plant.findPort(device, move.ingress());
        int egress = state.plant.findPort(device, move.egress());
        if (ingress < 0 || egress < 0) {
            unknownPort(device, batch, slot, ingress < 0 ? move.ingress() : move.egress());
            return;
        }
        if (!state.plant.canMeet(ingress, egress)) {
            batch.fail(slot, MoveError.WRONG_SIDE, move.ingress() + " cannot meet " + move.egress());
            return;
        }
        boolean same = state.commanded.egressOf(ingress) == egress;
        if (same && state.commanded.stateOf(ingress) == ConnectionState.TUNED) {
            batch.done(slot, ConnectionState.TUNED);
            return;
        }
        DeviceSpec spec = state.plant.device(device);
        boolean replaces =
                same || spec.kind() == DeviceKind.TRANSCEIVERS || spec.preset().replaces();
        int used = state.commanded.connectionAt(ingress) >= 0 ? ingress : egress;
        if (!replaces && state.commanded.connectionAt(used) >= 0) {
            int other = state.commanded.connectionAt(used);
            batch.fail(
                    slot,
                    MoveError.PORT_IN_USE,
                    state.plant.portName(used) + " is part of " + state.plant.portName(other) + "->"
                            + state.plant.portName(state.commanded.egressOf(other)));
            return;
        }
        if (lies(device, FaultKind.LIE_FALSE_OK)) {
            forgetAt(ingress, egress, false);
            state.commanded.set(ingress, egress, ConnectionState.TUNED, state.now());
            reported.connection(ingress, egress, ConnectionState.TUNED);
            batch.done(slot, ConnectionState.TUNED);
            return;
        }
        MoveError broken = broken(ingress, egress);
        boolean echoes = lies(device, FaultKind.LIE_CONFIG_ECHO);
        if (broken != MoveError.NONE && !echoes) {
            fail(batch, slot, ingress, egress, broken);
            return;
        }
        forgetAt(ingress, egress, broken == MoveError.NONE);
        if (broken == MoveError.NONE) {
            release(ingress);
            release(egress);
        }
        state.commanded.set(ingress, egress, ConnectionState.TUNING, state.now());
        long number = ++count;
        moving.put(ingress, new Moving(batch, slot, egress, number));
        reported.connection(ingress, egress, ConnectionState.TUNING);
        if (lies(device, FaultKind.LIE_OK_BEFORE_TUNED)) {
            batch.done(slot, ConnectionState.TUNED);
        }
        state.timers.after(delayNanos(device, ingress, number), () -> arrive(device, ingress, number));
    }

    private void arrive(int device, int ingress, long number) {
        Moving move = moving.get(ingress);
        if (move == null || move.number != number) {
            return;
        }
        moving.remove(ingress);
        int egress = move.egress;
        MoveError broken = broken(ingress, egress);
        if (broken == MoveError.NONE) {
            int target = landing(ingress, egress);
            release(target);
            // light of another ingress may have landed here meanwhile
            release(ingress);
            state.elements.point(ingress, target);
            followFrom(ingress, target);
        } else if (!lies(device, FaultKind.LIE_CONFIG_ECHO)) {
            state.commanded.clear(ingress);
            reported.connection(ingress, egress, ConnectionState.FAILED);
            fail(move.batch, move.slot, ingress, egress, broken);
            return;
        }
        state.commanded.set(ingress, egress, ConnectionState.TUNED, state.now());
        reported.connection(ingress, egress, ConnectionState.TUNED);
        move.batch.done(move.slot, ConnectionState.TUNED);
    }

    private long delayNanos(int device, int ingress, long number) {
        Preset preset = state.plant.device(device).preset();
        double slew = state.chance.between(Draw.MOVE, ingress, number, preset.slewMinMicros(), preset.slewMaxMicros());
        double micros = preset.overheadMicros() + slew + preset.settleMicros();
        Fault slow = state.faults.ofDevice(device, FaultKind.SLOW_MOVES);
        long nanos = (long) (micros * NANOS_PER_MICRO * (slow == null ? 1 : slow.value()));
        if (preset.parallel()) {
            return nanos;
        }
        long end = Math.max(state.now(), busyUntilNanos.getOrDefault(device, 0L)) + nanos;
        busyUntilNanos.put(device, end);
        return end - state.now();
    }

    /** Egress the light lands on: the right one, or with a wrong element another free one that the ingress can meet. */
    private int landing(int ingress, int egress) {
        if (!state.faults.at(ingress, FaultKind.WRONG_ELEMENT)) {
            return egress;
        }
        int device = state.plant.deviceOf(ingress);
        int first = state.plant.firstPort(device);
        int ports = state.plant.endPort(device) - first;
        for (int step = 1; step < ports; step++) {
            int candidate = first + (egress - first + step) % ports;
            if (candidate != ingress
                    && candidate != egress
                    && state.plant.canMeet(ingress, candidate)
                    && state.elements.circuitAt(candidate) < 0) {
                return candidate;
            }
        }
        return egress;
    }

    private MoveError broken(int ingress, int egress) {
        for (int port : new int[] {ingress, egress}) {
            if (state.faults.at(port, FaultKind.DEAD_ELEMENT)) {
                return MoveError.ELEMENT_DEAD;
            }
            if (state.faults.at(port, FaultKind.PORT_FAILED)) {
                return MoveError.PORT_FAILED;
            }
        }
        return stuck(ingress, egress) ? MoveError.ELEMENT_STUCK : MoveError.NONE;
    }

    private boolean stuck(int ingress, int egress) {
        return state.faults.at(ingress, FaultKind.STUCK_ELEMENT) || state.faults.at(egress, FaultKind.STUCK_ELEMENT);
    }

    private void fail(Batch batch, int slot, int ingress, int egress, MoveError error) {
        String text = switch (error) {
            case ELEMENT_STUCK -> "element does not move";
            case ELEMENT_DEAD -> "element is dead";
            default -> "port has failed";
        };
        if (error == MoveError.ELEMENT_STUCK) {
            int stuck = state.faults.at(ingress, FaultKind.STUCK_ELEMENT) ? ingress : egress;
            reported.raise(state.plant.deviceOf(stuck), AlarmKind.STUCK, state.plant.portName(stuck), text);
        }
        batch.fail(slot, error, text);
    }

    /** The device forgets the connections that use either port, and says so. */
    private void forgetAt(int ingress, int egress, boolean elementsMove) {
        for (int port : new int[] {ingress, egress}) {
            int connection = state.commanded.connectionAt(port);
            if (connection >= 0) {
                if (elementsMove) {
                    release(connection);
                }
                forget(connection);
            }
        }
    }

    private void forget(int ingress) {
        int egress = state.commanded.egressOf(ingress);
        Moving superseded = moving.remove(ingress);
        state.commanded.clear(ingress);
        reported.connection(ingress, egress, ConnectionState.BLOCKED);
        if (superseded != null) {
            superseded.batch.fail(superseded.slot, MoveError.SUPERSEDED, "a later command took the port");
        }
    }

    /** Takes light away from whatever circuit a port really takes part in. */
    private void release(int port) {
        int ingress = state.elements.circuitAt(port);
        if (ingress >= 0) {
            int egress = state.elements.egressOf(ingress);
            state.elements.release(ingress);
            followFrom(ingress, egress);
        }
    }

    private void followFrom(int ingress, int egress) {
        if (state.plant.kindOf(ingress) == DeviceKind.TRANSCEIVERS) {
            receivers.touch(ingress, reported);
        } else {
            receivers.follow(egress, reported);
            receivers.follow(ingress, reported);
        }
    }

    private void unknownPort(int device, Batch batch, int slot, String port) {
        DeviceSpec spec = state.plant.device(device);
        batch.fail(
                slot,
                MoveError.UNKNOWN_PORT,
                "no port " + port + "; ports are " + spec.portName(0) + ".." + spec.portName(spec.ports() - 1));
    }

    private boolean lies(int device, FaultKind lie) {
        return state.faults.has(device, lie);
    }
}
