package dev.lightpath.planner.engine.circuits;

import dev.lightpath.planner.engine.allocation.SliceState;
import dev.lightpath.planner.engine.probing.Probing;
import dev.lightpath.planner.engine.state.OcsState;
import dev.lightpath.planner.light.Circuit;
import dev.lightpath.planner.light.DeviceState;
import dev.lightpath.planner.light.SwitchedLight;
import dev.lightpath.planner.memory.FixedMap;
import dev.lightpath.planner.ocs.SwitchCircuit;
import dev.lightpath.planner.stripe.DeviceKind;
import dev.lightpath.planner.world.OcsSwitch;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

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
        SortedMap<String, SortedSet<Circuit>> seen = new TreeMap<>();
        SwitchedLight.Builder stray = new SwitchedLight.Builder();
        SwitchedLight.Builder stuck = new SwitchedLight.Builder();
        for (OcsSwitch of : state.intent().switches().values()) {
            DeviceState device = state.device(of).orElse(null);
            if (device == null) {
                continue;
            }
            SortedSet<Circuit> shown = shown(state, of, device);
            if (!shown.isEmpty()) {
                seen.put(of.name(), shown);
            }
            for (Circuit circuit : device.circuits().circuits()) {
                SwitchCircuit spot = records.spot(of.name(), circuit);
                if (records.isOwned(spot)) {
                    continue;
                }
                if (records.isLeft(spot)) {
                    if (device.stuck(circuit)) {
                        stuck.add(of.name(), spot.circuit());
                    }
                } else if (!records.leftBehind(spot) && !probing.isProbe(of.name(), circuit)) {
                    stray.add(of.name(), spot.circuit());
                }
            }
        }
        SwitchedLight unplanned = stray.build();
        SwitchedLight foreign = records.isEmpty() || StaticTopology.mayBeUnrecorded(slices)
                ? unplanned.minus(StaticTopology.explained(state, unplanned, slices))
                : unplanned;
        return new ShownLight(new SwitchedLight(FixedMap.copyOf(seen)), unplanned, foreign, foreign.and(stuck.build()));
    }

    private static SortedSet<Circuit> shown(OcsState state, OcsSwitch of, DeviceState device) {
        SortedSet<Circuit> reported = device.circuits().circuits();
        return of.kind() == DeviceKind.ANY_TO_ANY
                ? Collections.unmodifiableSortedSet(reported.stream()
                        .map(circuit -> state.wiring().canonical(of.name(), circuit))
                        .collect(Collectors.toCollection(TreeSet::new)))
                : reported;
    }

    /** Circuits without a record that the static topology wants just so. */
    SwitchedLight explained() {
        return unplanned.minus(foreign);
    }
}
