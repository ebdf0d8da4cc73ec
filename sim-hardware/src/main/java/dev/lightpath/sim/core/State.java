package dev.lightpath.sim.core;

import dev.lightpath.sim.core.fault.FaultTracker;
import dev.lightpath.sim.core.plant.Cabling;
import dev.lightpath.sim.core.plant.DeviceKind;
import dev.lightpath.sim.core.plant.DeviceSpec;
import dev.lightpath.sim.core.plant.Plant;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;

/** State that all parts of the hardware share: the static plant, the changing state, and the clock. */
final class State {
    /** Log entries kept: a day of a busy fabric. */
    private static final int LOG_CAPACITY = 1 << 21;

    final Plant plant;
    final Cabling cabling;
    final Chance chance;
    final Optics optics;
    final Timers timers = new Timers();
    final FaultTracker faults = new FaultTracker();
    final LightLog log = new LightLog(timers::nowNanos, LOG_CAPACITY);
    final Chassis[] chassis;
    final CommandedState commanded;
    /** Ports whose shutter is closed; it stays so without power. */
    final BitSet shut = new BitSet();
    /** What attenuators take away, in dB; ports that are not named have none, or theirs takes nothing. */
    private final Map<Integer, Double> attenuationDb = new HashMap<>();

    final Elements elements;

    State(Plant plant, Cabling cabling, long seed) {
        this.plant = plant;
        this.cabling = cabling;
        chance = new Chance(seed);
        optics = new Optics(chance);
        chassis = new Chassis[plant.deviceCount()];
        for (int d = 0; d < chassis.length; d++) {
            chassis[d] = new Chassis();
        }
        commanded = new CommandedState(plant.portCount());
        elements = new Elements(plant, log, this::passes);
    }

    /** Whether light passes a port: its device has power, and neither a fault nor its shutter darkens it. */
    boolean passes(int port) {
        return chassis[plant.deviceOf(port)].powered && faults.passes(port) && !shut.get(port);
    }

    /** Loss in dB that faults and its attenuator add at a port. */
    double extraLossDb(int port) {
        return faults.extraLossDb(port, now()) + attenuationDb.getOrDefault(port, 0.0);
    }

    void attenuate(int port, double lossDb) {
        attenuationDb.put(port, lossDb);
    }

    /** NaN where there is no attenuator. */
    double attenuationDb(int port) {
        DeviceSpec device = plant.device(plant.deviceOf(port));
        boolean has = device.kind() == DeviceKind.SWITCH && device.preset().attenuators();
        return has ? attenuationDb.getOrDefault(port, 0.0) : Double.NaN;
    }

    long now() {
        return timers.nowNanos();
    }
}
