package dev.lightpath.sim.core;

import dev.lightpath.sim.core.fault.FaultKind;
import dev.lightpath.sim.core.fault.FaultTracker;
import dev.lightpath.sim.core.plant.DeviceKind;
import dev.lightpath.sim.core.plant.Plant;
import dev.lightpath.sim.core.plant.PortSide;

/** Follows light along fibres and through lit circuits. Pure questions about the present state. */
final class Light {
    /** More switches in a row than any plant has; a loop of circuits without a source ends here. */
    static final int MAX_HOPS = 32;

    private final State state;

    Light(State state) {
        this.state = state;
    }

    /**
     * Light that enters a port.
     *
     * @param source the port that sent it, -1 when there is none
     * @param powerDbm its power, NaN when there is none
     */
    record Arrival(int source, double powerDbm) {
        static final Arrival NONE = new Arrival(-1, Double.NaN);
    }

    /** Whether a transceiver's or endpoint's port sends light now. */
    boolean emits(int port) {
        FaultTracker faults = state.faults;
        return switch (state.plant.kindOf(port)) {
            case SWITCH -> false;
            case ENDPOINTS -> state.passes(port) && !faults.at(port, FaultKind.TRANSMITTER_FAILED);
            case TRANSCEIVERS -> selected(port) && !faults.at(port, FaultKind.TRANSMITTER_FAILED);
        };
    }

    /** Whether a receiver listens at a port now. */
    boolean listens(int port) {
        return switch (state.plant.kindOf(port)) {
            case SWITCH -> false;
            case ENDPOINTS -> state.chassis[state.plant.deviceOf(port)].powered;
            case TRANSCEIVERS -> selected(port);
        };
    }

    /** Light that enters a port, with the insertion loss of what it passed. */
    Arrival arriving(int port) {
        Plant plant = state.plant;
        double loss = 0;
        int at = port;
        if (plant.side(port) == PortSide.LOOP) {
            if (!emits(port)) {
                return Arrival.NONE;
            }
            loss = state.optics.insertionLossDb(plant.commonOf(port), port) + state.extraLossDb(port);
            return new Arrival(port, state.optics.launchPowerDbm(port) - loss);
        }
        for (int hop = 0; hop < MAX_HOPS; hop++) {
            int sender = state.cabling.from(at);
            if (sender < 0
                    || !state.faults.fibreCarries(sender)
                    || !state.faults.fibreCarries(at)
                    || !state.faults.passes(at)) {
                return Arrival.NONE;
            }
            loss += state.optics.fibreLossDb(sender, at) + state.extraLossDb(sender) + state.extraLossDb(at);
            if (plant.kindOf(sender) != DeviceKind.SWITCH) {
                if (!emits(sender)) {
                    return Arrival.NONE;
                }
                if (plant.side(sender) == PortSide.LINE && plant.kindOf(sender) == DeviceKind.TRANSCEIVERS) {
                    loss += state.optics.insertionLossDb(plant.commonOf(sender), sender);
                }
                return new Arrival(sender, state.optics.launchPowerDbm(sender) - loss);
            }
            int entered = state.elements.entering(sender);
            if (entered < 0) {
                return Arrival.NONE;
            }
            loss += state.optics.insertionLossDb(entered, sender);
            at = entered;
        }
        return Arrival.NONE;
    }

    private boolean selected(int port) {
        int common = state.plant.commonOf(port);
        return state.elements.egressOf(common) == port && state.elements.isLit(common);
    }
}
