package dev.lightpath.sim.core;

import dev.lightpath.sim.core.Chance.Draw;
import dev.lightpath.sim.core.fault.Fault;
import dev.lightpath.sim.core.fault.FaultKind;
import dev.lightpath.sim.core.fault.FaultRequest;
import dev.lightpath.sim.core.move.BatchOutcome;
import dev.lightpath.sim.core.move.Move;
import dev.lightpath.sim.core.plant.Cabling;
import dev.lightpath.sim.core.plant.Plant;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The emulated hardware. One thread at a time; nothing happens but by its methods. Devices and ports are numbers of the
 * {@link Plant}, times nanoseconds since the emulation began.
 */
public final class Hardware {
    private final State state;
    private final Receivers receivers;
    private final ReportedState reported;
    private final Moves moves;
    private final FaultEffects effects;

    /**
     * Hardware after power-on has settled: switches empty, transceivers in loopback, far ends locked. It has no
     * listener yet.
     */
    public Hardware(Plant plant, Cabling cabling, long seed) {
        cabling.label();
        state = new State(plant, cabling, seed);
        Light light = new Light(state);
        receivers = new Receivers(state, light);
        reported = new ReportedState(state, light, receivers);
        moves = new Moves(state, receivers, reported);
        effects = new FaultEffects(state, receivers, reported, moves);
        for (int device = 0; device < plant.deviceCount(); device++) {
            moves.loopBack(device);
        }
        for (int port = 0; port < plant.portCount(); port++) {
            receivers.startLocked(port);
        }
    }

    /** From now on this listener gets the devices' events. */
    public void listen(HardwareListener listener) {
        reported.listen(listener);
    }

    /** Devices and ports. */
    public Plant plant() {
        return state.plant;
    }

    /** Fibres, as they are plugged in now. */
    public Cabling cabling() {
        return state.cabling;
    }

    /** The seed of all chance. */
    public long seed() {
        return state.chance.seed();
    }

    /** Nanoseconds since the emulation began. */
    public long nowNanos() {
        return state.now();
    }

    /** When the next thing happens by itself, {@link Long#MAX_VALUE} never. */
    public long nextNanos() {
        return state.timers.nextNanos();
    }

    /**
     * Advances time.
     *
     * @return the number of timers that fell due
     */
    public long advanceTo(long nanos) {
        return state.timers.advanceTo(nanos);
    }

    /** Does something later, in order with everything else that happens. */
    public void after(long nanos, Runnable task) {
        state.timers.after(nanos, task);
    }

    /**
     * Breaks and makes connections, disconnects first; each move is judged by itself.
     *
     * @param settled whether the reply waits until every move is done
     * @param reply called exactly once, perhaps before this method returns
     */
    public void move(
            int device, List<Move> disconnects, List<Move> connects, boolean settled, Consumer<BatchOutcome> reply) {
        moves.carryOut(device, disconnects, connects, settled, reply);
    }

    /**
     * Closes or opens the shutter of a port: no light passes a closed one, whatever is connected. Light that enters
     * there is still measured.
     */
    public void shutter(int port, boolean closed) {
        effects.shutter(port, closed);
    }

    /**
     * Sets the attenuator of a port.
     *
     * @throws IllegalArgumentException when the port has none, or it cannot take away so much
     */
    public void attenuate(int port, double lossDb) {
        effects.attenuate(port, lossDb);
    }

    /** What a device says of itself, lies included. */
    public Report report(int device) {
        return reported.report(device);
    }

    /** Whether the management of a device answers. */
    public boolean reachable(int device) {
        return state.chassis[device].reachable;
    }

    /** Number of the last event of a device within this run of its management. */
    public long seq(int device) {
        return state.chassis[device].seq;
    }

    /** Name of this run of a device's management. */
    public String bootId(int device) {
        return HexFormat.of().toHexDigits(state.chance.name(Draw.BOOT, device, state.chassis[device].boots));
    }

    /** When this run of a device's management began. */
    public long bootedAtNanos(int device) {
        return state.chassis[device].bootedAtNanos;
    }

    /** Why this run of a device's management began. */
    public BootReason bootReason(int device) {
        return state.chassis[device].bootReason;
    }

    /** Times a device has lost its power and got it back. */
    public int powerCycles(int device) {
        return state.chassis[device].powerCycles;
    }

    /** Serial number on the nameplate. */
    public String serial(int device) {
        long name = state.chance.name(Draw.SERIAL, device, state.chassis[device].replacements);
        return "LP" + HexFormat.of().withUpperCase().toHexDigits(name, 10);
    }

    /** Insertion loss the factory measured, in dB. */
    public double factoryLossDb(int ingress, int egress) {
        return state.optics.insertionLossDb(ingress, egress);
    }

    /** Insertion loss of a circuit as it is now, dirt included, in dB; NaN when no light can pass it. */
    public double lossDb(int ingress, int egress) {
        if (state.elements.egressOf(ingress) != egress || !state.elements.isLit(ingress)) {
            return Double.NaN;
        }
        return factoryLossDb(ingress, egress) + state.extraLossDb(ingress) + state.extraLossDb(egress);
    }

    /** Circuits of a device that really pass light, ordered by ingress. */
    public void forEachLit(int device, CircuitConsumer consumer) {
        int end = state.plant.endPort(device);
        int ingress = state.elements.lit().nextSetBit(state.plant.firstPort(device));
        while (ingress >= 0 && ingress < end) {
            consumer.accept(ingress, state.elements.egressOf(ingress));
            ingress = state.elements.lit().nextSetBit(ingress + 1);
        }
    }

    /** Every change of real light. */
    public LightLog log() {
        return state.log;
    }

    /**
     * Breaks something.
     *
     * @throws IllegalArgumentException when the request names nothing that can break that way
     */
    public Fault inject(FaultRequest request) {
        return effects.inject(request);
    }

    /** Whether a fault of that name is active. */
    public boolean stands(String faultId) {
        return state.faults.stands(faultId);
    }

    /** Active faults, in order of injection. */
    public Collection<Fault> faults() {
        return List.copyOf(state.faults.all());
    }

    /**
     * Ends all faults that a condition picks.
     *
     * @return how many
     */
    public int clearFaults(Predicate<Fault> condition) {
        List<String> ids = effects.idsWhere(condition);
        for (String id : ids) {
            effects.clear(id);
        }
        return ids.size();
    }

    /** The fault of that kind that hits calls of a device, or of all devices; null when there is none. */
    public @Nullable Fault callFault(int device, FaultKind kind) {
        Fault own = state.faults.ofDevice(device, kind);
        return own != null ? own : state.faults.ofDevice(-1, kind);
    }

    /** Counts at this instant. */
    public Counts counts() {
        int unpowered = 0;
        int silent = 0;
        for (Chassis chassis : state.chassis) {
            unpowered += chassis.powered ? 0 : 1;
            silent += chassis.reachable ? 0 : 1;
        }
        return new Counts(
                state.chassis.length,
                unpowered,
                silent,
                state.elements.lit().cardinality(),
                moves.underWay(),
                moves.begun(),
                receivers.lockedCount(),
                state.faults.all().size());
    }

    /**
     * Counts at one instant.
     *
     * @param devices devices
     * @param unpowered devices without power
     * @param silent devices whose management does not answer
     * @param litCircuits circuits that pass light
     * @param moving moves under way
     * @param movesBegun moves begun since the start
     * @param lockedReceivers receivers that are locked
     * @param faults active faults
     */
    public record Counts(
            int devices,
            int unpowered,
            int silent,
            int litCircuits,
            int moving,
            long movesBegun,
            int lockedReceivers,
            int faults) {}

    /** Takes circuits. */
    @FunctionalInterface
    public interface CircuitConsumer {
        /** One circuit. */
        void accept(int ingress, int egress);
    }
}
