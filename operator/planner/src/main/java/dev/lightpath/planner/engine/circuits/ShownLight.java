package dev.lightpath.planner.engine.circuits;

import dev.lightpath.planner.engine.allocation.SliceState;
import dev.lightpath.planner.engine.probing.Probing;
import dev.lightpath.planner.engine.state.OcsState;
import dev.lightpath.planner.light.SwitchedLight;
import dev.lightpath.planner.ocs.SwitchCircuit;
import dev.lightpath.planner.world.OcsSwitch;
import java.util.List;

/**
 * The light that the switches of one fabric show, held against its records.
 *
 * @param all of it
 * @param unplanned what no record and no probe explains
 * @param foreign what the static topology does not explain either
 * @param staying circuits that no record wants and no change takes down: foreign ones, and those that are stuck
 */
record ShownLight(SwitchedLight all, SwitchedLight unplanned, SwitchedLight foreign, SwitchedLight staying) {
    /** Linear in circuits, but at first contact, when the topology is planned on what is there. */
    static ShownLight of(OcsState state, OcsRecords records, Probing probing, List<SliceState> slices) {
        SwitchedLight.Builder seen = new SwitchedLight.Builder();
        SwitchedLight.Builder stray = new SwitchedLight.Builder();
        SwitchedLight.Builder stuck = new SwitchedLight.Builder();
        for (OcsSwitch of : state.intent().switches().values()) {
            state.device(of)
                    .ifPresent(device -> device.circuits().circuits().forEach(circuit -> {
                        SwitchCircuit spot = records.spot(of.name(), circuit);
                        seen.add(of.name(), spot.circuit());
                        if (records.isOwned(spot)) {
                            return;
                        }
                        if (records.isLeft(spot)) {
                            if (device.stuck(circuit)) {
                                stuck.add(of.name(), spot.circuit());
                            }
                        } else if (!records.leftBehind(spot) && !probing.isProbe(of.name(), circuit)) {
                            stray.add(of.name(), spot.circuit());
                        }
                    }));
        }
        SwitchedLight unplanned = stray.build();
        SwitchedLight foreign = records.isEmpty() || StaticTopology.mayBeUnrecorded(slices)
                ? unplanned.minus(StaticTopology.explained(state, unplanned, slices))
                : unplanned;
        return new ShownLight(seen.build(), unplanned, foreign, foreign.and(stuck.build()));
    }

    /** Circuits without a record that the static topology wants just so. */
    SwitchedLight explained() {
        return unplanned.minus(foreign);
    }
}
