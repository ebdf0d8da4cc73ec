package dev.lightpath.planner.stripe;

import java.util.List;

/** The circuits of one switch, sorted. */
public record SwitchCircuits(int switchIndex, List<Circuit> circuits) {
    public SwitchCircuits {
        circuits = circuits.stream().sorted().toList();
    }
}
