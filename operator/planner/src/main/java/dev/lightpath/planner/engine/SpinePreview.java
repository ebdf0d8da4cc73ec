package dev.lightpath.planner.engine;

import dev.lightpath.planner.ask.TopologyAnswer;
import dev.lightpath.planner.ask.TopologyQuestion;
import dev.lightpath.planner.engine.allocation.SliceState;
import dev.lightpath.planner.engine.decision.Deliberation;
import dev.lightpath.planner.engine.decision.SliceVerdict;
import dev.lightpath.planner.fault.Subject;
import dev.lightpath.planner.light.Reason;
import dev.lightpath.planner.world.Allocation;
import dev.lightpath.planner.world.LedgerEntry;
import dev.lightpath.planner.world.OcsIntent;
import dev.lightpath.planner.world.RingIntent;
import dev.lightpath.planner.world.SliceId;
import dev.lightpath.planner.world.SliceIntent;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;

/** Where a job whose traffic decides would go and what DELTA would give it, alone on switches or with groups on a ring. */
public sealed interface SpinePreview {

    /**
     * It has a place.
     *
     * @param allocations what would be recorded for its slices, in the order in which they were wished
     * @param others records of other jobs that would change before
     */
    record Placed(List<Allocation> allocations, List<RingPreview.Step> others) implements SpinePreview {
        public Placed {
            allocations = List.copyOf(allocations);
            others = List.copyOf(others);
        }
    }

    /** It has none; reason and words of the condition that its job would get. */
    record Unplaceable(Reason reason, String why) implements SpinePreview {}

    /**
     * Passes on paper: every record is taken as written, every release as read back, every question as answered.
     *
     * @param rings those that the wishes ask for
     * @param slices wishes on these fabrics that are there already
     * @param ledger what is recorded for them
     * @param faulty what counts as faulty besides what the signals of nodes say
     * @param wished of one job: its slice on the switches, and that on a ring where it has one
     * @param solver answers a question
     */
    static SpinePreview of(
            Instant now,
            SortedMap<String, RingIntent> rings,
            OcsIntent spine,
            SortedMap<SliceId, SliceIntent> slices,
            SortedMap<SliceId, LedgerEntry> ledger,
            Collection<Subject> faulty,
            List<SliceIntent> wished,
            Function<TopologyQuestion, TopologyAnswer> solver) {
        SortedMap<SliceId, SliceIntent> wishes = new TreeMap<>(slices);
        wished.forEach(wish -> wishes.put(wish.id(), wish));
        PaperWorld paper = new PaperWorld(
                now,
                rings,
                new TreeMap<>(Map.of(spine.name(), spine)),
                wishes,
                ledger,
                faulty,
                solver,
                new TreeMap<>());
        List<RingPreview.Step> others = new ArrayList<>();
        int passes = 8 + 2 * wishes.size();
        for (int pass = 0; ; pass++) {
            List<Allocation> found = wished.stream()
                    .map(paper::claim)
                    .filter(SliceState::placed)
                    .map(claim -> claim.recorded().orElseThrow())
                    .toList();
            if (found.size() == wished.size()) {
                return new Placed(found, others);
            }
            PaperWorld.Pass made = paper.pass();
            if (made.resting() || pass >= passes) {
                return unplaceable(made.heard(), wished);
            }
            made.steps().stream()
                    .filter(step -> wished.stream().noneMatch(wish -> wish.id().equals(step.slice())))
                    .forEach(others::add);
        }
    }

    private static SpinePreview unplaceable(Deliberation heard, List<SliceIntent> wished) {
        for (SliceIntent wish : wished) {
            SliceVerdict verdict = heard.slices().get(wish.id());
            if (verdict != null && verdict.placement() instanceof SliceVerdict.Placement.Unplaced none) {
                return new Unplaceable(none.reason(), none.message());
            }
        }
        return new Unplaceable(Reason.INSUFFICIENT_CAPACITY, "no place was found");
    }
}
