package dev.lightpath.planner.ocs;

import dev.lightpath.planner.light.Circuit;

/** A circuit of a switch. */
public record SwitchCircuit(String opticalSwitch, Circuit circuit) {}
