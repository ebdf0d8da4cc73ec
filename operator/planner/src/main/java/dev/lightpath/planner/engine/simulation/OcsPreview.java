package dev.lightpath.planner.engine.simulation;

import dev.lightpath.planner.ask.TopologyAnswer;
import dev.lightpath.planner.ask.TopologyQuestion;
import dev.lightpath.planner.engine.decision.Deliberation;
import dev.lightpath.planner.engine.decision.SliceVerdict;
import dev.lightpath.planner.light.Reason;
import dev.lightpath.planner.world.Allocation;
import dev.lightpath.planner.world.LedgerEntry;
import dev.lightpath.planner.world.RingIntent;
import dev.lightpath.planner.world.SliceId;
import dev.lightpath.planner.world.SliceIntent;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * Where a job whose traffic decides would go and what DELTA would give it, alone on switches or with groups on a ring.
 */
public sealed interface OcsPreview {

    /**
     * It has a place.
     *
     * @param allocations what would be recorded for its slices, in the order in which they were wished
     * @param others records of other jobs that would change before
     * @param ring its place on a ring, where it has a slice there
     */
    record Placed(List<Allocation> allocations, List<Simulation.Step> others, Optional<OnRing> ring)
            implements OcsPreview {
        public Placed {
            allocations = List.copyOf(allocations);
            others = List.copyOf(others);
        }
    }

    /**
     * A place on a ring.
     *
     * @param siting how good it is; empty of a record that does not fit the fabric
     * @param bundles every bundle that changes its state, in order of positions
     */
    record OnRing(String fabric, Optional<SliceVerdict.Siting> siting, List<RingPreview.Retuning> bundles) {
        public OnRing {
            bundles = List.copyOf(bundles);
        }
    }

    /** It has none; reason and words of the condition that its job would get. */
    record Unplaceable(Reason reason, String why) implements OcsPreview {}

    /**
     * Simulates until every slice has a place.
     *
     * @param wished of one job: its slice on the switches, and that on a ring where it has one
     * @param solver answers a question
     */
    static OcsPreview of(
            Snapshot snapshot, List<SliceIntent> wished, Function<TopologyQuestion, TopologyAnswer> solver) {
        Snapshot asked = snapshot.asking(wished);
        Simulation simulation = new Simulation(asked, solver, new TreeMap<>());
        SortedMap<SliceId, LedgerEntry> before = new TreeMap<>(simulation.ledger());
        List<Simulation.Step> others = new ArrayList<>();
        int passes = 8 + 2 * asked.slices().size();
        for (int pass = 0; ; pass++) {
            List<Allocation> found = wished.stream()
                    .flatMap(slice -> simulation.placed(slice.id()).stream())
                    .toList();
            if (found.size() == wished.size()) {
                return new Placed(found, others, onRing(asked, wished, before, simulation));
            }
            Simulation.Pass made = simulation.pass();
            if (made.resting() || pass >= passes) {
                return unplaceable(made.heard().deliberation(), wished);
            }
            made.steps().stream()
                    .filter(step -> wished.stream().noneMatch(wish -> wish.id().equals(step.slice())))
                    .forEach(others::add);
        }
    }

    private static Optional<OnRing> onRing(
            Snapshot snapshot,
            List<SliceIntent> wished,
            SortedMap<SliceId, LedgerEntry> before,
            Simulation simulation) {
        for (SliceIntent wish : wished) {
            RingIntent ring = snapshot.rings().get(wish.fabric());
            if (ring != null) {
                return Optional.of(new OnRing(
                        ring.name(),
                        Optional.ofNullable(simulation
                                        .look()
                                        .deliberation()
                                        .slices()
                                        .get(wish.id()))
                                .flatMap(SliceVerdict::siting),
                        BundleChanges.between(ring.ring(), before, simulation.ledger())));
            }
        }
        return Optional.empty();
    }

    private static OcsPreview unplaceable(Deliberation heard, List<SliceIntent> wished) {
        for (SliceIntent wish : wished) {
            SliceVerdict verdict = heard.slices().get(wish.id());
            if (verdict != null && verdict.placement() instanceof SliceVerdict.Placement.Unplaced none) {
                return new Unplaceable(none.reason(), none.message());
            }
        }
        return new Unplaceable(Reason.INSUFFICIENT_CAPACITY, "no place was found");
    }
}
