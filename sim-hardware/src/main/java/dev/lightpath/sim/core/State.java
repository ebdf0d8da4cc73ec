package dev.lightpath.sim.core;

import dev.lightpath.sim.core.fault.FaultTracker;
import dev.lightpath.sim.core.plant.Cabling;
import dev.lightpath.sim.core.plant.Plant;
import java.util.BitSet;

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

    /** Ports whose shutter is closed. */
    final BitSet shut = new BitSet();

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

    /** Whether light passes a port: its device has power, its shutter is open and no fault darkens it. */
    boolean passes(int port) {
        return chassis[plant.deviceOf(port)].powered && !shut.get(port) && faults.passes(port);
    }

    long now() {
        return timers.nowNanos();
    }
}
