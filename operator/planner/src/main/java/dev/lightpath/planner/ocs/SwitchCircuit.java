package dev.lightpath.planner.ocs;

import dev.lightpath.planner.light.Circuit;

/** A circuit of a switch. */
public record SwitchCircuit(String opticalSwitch, Circuit circuit) {
    /** Names that differ in their last digits alone would often have the same sum. */
    @Override
    public int hashCode() {
        return opticalSwitch.hashCode() * 0x85EBCA6B + circuit.hashCode();
    }
}
