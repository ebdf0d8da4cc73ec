package dev.lightpath.planner.engine.decision;

import dev.lightpath.planner.ask.Asked;
import dev.lightpath.planner.fault.Fault;
import dev.lightpath.planner.fault.FaultTracker;
import dev.lightpath.planner.memory.FixedMap;
import dev.lightpath.planner.memory.PlannerCache;
import dev.lightpath.planner.world.Origin;
import dev.lightpath.planner.world.SliceId;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

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
        slices = FixedMap.copyOf(slices);
        fabrics = FixedMap.copyOf(fabrics);
        faults = FixedMap.copyOf(faults);
        ocsFabrics = FixedMap.copyOf(ocsFabrics);
        questions = FixedMap.copyOf(questions);
        remembered = FixedMap.copyOf(remembered);
    }

    /** The same, with what the next pass need not work out again. */
    public Deliberation remembering(SortedMap<String, PlannerCache> known) {
        return new Deliberation(decision, slices, fabrics, faults, agenda, planner, ocsFabrics, questions, known);
    }

    /**
     * What this one concludes otherwise than another of the same world, for people; empty if nothing. What is
     * remembered is no conclusion. Linear in slices and fabrics.
     */
    public Optional<String> differsFrom(Deliberation other) {
        if (!decision.equals(other.decision)) {
            return Optional.of("the decision: " + decision + ", not " + other.decision);
        }
        return differs("slice", slices, other.slices)
                .or(() -> differs("fabric", fabrics, other.fabrics))
                .or(() -> differs("fabric of switches", ocsFabrics, other.ocsFabrics))
                .or(() -> differs("faults of fabric", counting(faults), counting(other.faults)))
                .or(() -> differs("question", questions, other.questions))
                .or(() -> agenda.equals(other.agenda)
                        ? Optional.empty()
                        : Optional.of("the agenda: " + agenda + ", not " + other.agenda))
                .or(() -> planner.equals(other.planner)
                        ? Optional.empty()
                        : Optional.of("the planner that ran: " + planner + ", not " + other.planner));
    }

    private static SortedMap<String, List<Fault>> counting(SortedMap<String, FaultTracker> trackers) {
        SortedMap<String, List<Fault>> counting = new TreeMap<>();
        trackers.forEach((fabric, tracker) -> counting.put(fabric, tracker.faults()));
        return counting;
    }

    private static <K, V> Optional<String> differs(String what, SortedMap<K, V> some, SortedMap<K, V> others) {
        SortedSet<K> names = new TreeSet<>(some.keySet());
        names.addAll(others.keySet());
        return names.stream()
                .filter(name -> !Objects.equals(some.get(name), others.get(name)))
                .findFirst()
                .map(name -> what + " " + name + ": " + some.get(name) + ", not " + others.get(name));
    }
}
