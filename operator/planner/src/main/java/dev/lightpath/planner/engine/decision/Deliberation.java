package dev.lightpath.planner.engine.decision;

import dev.lightpath.planner.ask.Asked;
import dev.lightpath.planner.fault.FaultTracker;
import dev.lightpath.planner.memory.PlannerCache;
import dev.lightpath.planner.world.Origin;
import dev.lightpath.planner.world.SliceId;
import java.util.Collections;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What a pass concluded.
 *
 * @param decision the one thing to do
 * @param slices a verdict for every slice wished or recorded: one impossible wish never stops the care of the others
 * @param fabrics a verdict for every fabric
 * @param faults the fault trackers to carry into the next pass
 * @param agenda what there is to do
 * @param planner the most laborious planner that ran, empty when no slice had to be placed
 * @param ocsFabrics a verdict more for every fabric of optical switches
 * @param questions what DELTA is asked and has not answered yet, by digest; a question that is not among them is not
 *     needed any more
 * @param remembered what the next pass need not work out again, by fabric
 */
public record Deliberation(
        Decision decision,
        SortedMap<SliceId, SliceVerdict> slices,
        SortedMap<String, FabricVerdict> fabrics,
        SortedMap<String, FaultTracker> faults,
        Agenda agenda,
        Optional<Origin.Planner> planner,
        SortedMap<String, OcsVerdict> ocsFabrics,
        SortedMap<String, Asked> questions,
        SortedMap<String, PlannerCache> remembered) {
    /** Devices with changes that are due. */
    public int remaining() {
        return agenda.devices();
    }

    public Deliberation {
        slices = Collections.unmodifiableSortedMap(new TreeMap<>(slices));
        fabrics = Collections.unmodifiableSortedMap(new TreeMap<>(fabrics));
        faults = Collections.unmodifiableSortedMap(new TreeMap<>(faults));
        ocsFabrics = Collections.unmodifiableSortedMap(new TreeMap<>(ocsFabrics));
        questions = Collections.unmodifiableSortedMap(new TreeMap<>(questions));
        remembered = Collections.unmodifiableSortedMap(new TreeMap<>(remembered));
    }
}
