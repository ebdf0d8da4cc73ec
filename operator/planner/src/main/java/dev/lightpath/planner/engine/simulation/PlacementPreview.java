package dev.lightpath.planner.engine.simulation;

import dev.lightpath.planner.ask.TopologyAnswer;
import dev.lightpath.planner.ask.TopologyQuestion;
import dev.lightpath.planner.engine.FabricEngine;
import dev.lightpath.planner.engine.decision.SliceVerdict;
import dev.lightpath.planner.engine.ring.RingCapacity;
import dev.lightpath.planner.light.Reason;
import dev.lightpath.planner.world.Allocation;
import dev.lightpath.planner.world.JobId;
import dev.lightpath.planner.world.LedgerEntry;
import dev.lightpath.planner.world.RingIntent;
import dev.lightpath.planner.world.SliceId;
import dev.lightpath.planner.world.SliceIntent;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * Where a job would go and what would move for it, before anything is recorded: on a ring, on switches, or on both.
 */
public sealed interface PlacementPreview {
    /**
     * There is a place.
     *
     * @param allocations what would be recorded for its slices, in the order in which they were wished
     * @param steps what is recorded on the way, for others too: for whom, by which planner, why
     * @param ring its place on a ring, where it has a slice there
     * @param preempted jobs of lower priority that give their places up (policy.preemption)
     */
    record Placed(
            SequencedMap<SliceId, Allocation> allocations,
            List<Simulation.Step> steps,
            Optional<OnRing> ring,
            List<JobId> preempted)
            implements PlacementPreview {
        public Placed {
            allocations = Collections.unmodifiableSequencedMap(new LinkedHashMap<>(allocations));
            steps = List.copyOf(steps);
            preempted = List.copyOf(preempted);
        }

        /** What is recorded for slices of other jobs. */
        public List<Simulation.Step> others() {
            return steps.stream()
                    .filter(step -> !allocations.containsKey(step.slice()))
                    .toList();
        }
    }

    /**
     * A place on a ring.
     *
     * @param siting how good it is; empty of a record that does not fit the fabric
     * @param domains aggregation domains that it touches, in order
     * @param bundles every bundle that changes its state, in order of positions
     */
    record OnRing(
            String fabric, Optional<SliceVerdict.Siting> siting, List<Integer> domains, List<BundleChange> bundles) {
        public OnRing {
            domains = List.copyOf(domains);
            bundles = List.copyOf(bundles);
        }
    }

    /**
     * There is none.
     *
     * @param reason of the condition that the job would get
     * @param usableGpus GPUs in groups of the wished size that its ring has room for; 0 where it asks for no ring
     * @param why for people
     */
    record Unplaceable(Reason reason, int usableGpus, String why) implements PlacementPreview {}

    /** Of a slice on a ring. */
    static PlacementPreview of(Snapshot rings, SliceIntent wished) {
        return of(rings, List.of(wished), Simulation::noQuestions);
    }

    /**
     * Simulates until every slice has a place, at least one pass: what has a record may change, too.
     *
     * @param wished of one job: its slice on each of its fabrics
     * @param solver answers a question
     */
    static PlacementPreview of(
            Snapshot snapshot, List<SliceIntent> wished, Function<TopologyQuestion, TopologyAnswer> solver) {
        Snapshot asked = snapshot.asking(wished);
        Simulation simulation = new Simulation(asked, solver, new TreeMap<>());
        SortedMap<SliceId, LedgerEntry> before = new TreeMap<>(simulation.ledger());
        List<JobId> preempted = new ArrayList<>();
        for (int left = 8 + 2 * asked.slices().size(); ; left--) {
            Simulation.Pass made = simulation.pass();
            SequencedMap<SliceId, Allocation> found = new LinkedHashMap<>();
            wished.forEach(wish -> simulation.placed(wish.id()).ifPresent(record -> found.put(wish.id(), record)));
            if (found.size() == wished.size()) {
                return new Placed(found, simulation.steps(), onRing(asked, wished, before, simulation), preempted);
            }
            List<JobId> gaveWay = simulation.giveWay(made);
            if (left == 0 || made.resting() && gaveWay.isEmpty()) {
                return unplaceable(made.heard(), wished);
            }
            preempted.addAll(gaveWay);
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
                        simulation.placed(wish.id()).stream()
                                .flatMap(record -> record.members().stream())
                                .map(member -> ring.ring().aggregationOf(member.position()))
                                .distinct()
                                .sorted()
                                .toList(),
                        BundleChange.between(ring.ring(), before, simulation.ledger())));
            }
        }
        return Optional.empty();
    }

    private static Unplaceable unplaceable(FabricEngine.Result last, List<SliceIntent> wished) {
        int usable = wished.stream()
                .mapToInt(wish -> Optional.ofNullable(last.left().get(wish.fabric()))
                        .map((RingCapacity.Left ring) -> ring.usableGpus(wish))
                        .orElse(0))
                .sum();
        for (SliceIntent wish : wished) {
            SliceVerdict verdict = last.deliberation().slices().get(wish.id());
            if (verdict == null) {
                continue;
            }
            switch (verdict.placement()) {
                case SliceVerdict.Placement.Unplaced none -> {
                    return new Unplaceable(none.reason(), usable, none.message());
                }
                case SliceVerdict.Placement.Releasing releasing -> {
                    return new Unplaceable(Reason.RELEASING, usable, releasing.waitsFor());
                }
                case SliceVerdict.Placement.Released released -> {
                    return new Unplaceable(Reason.RELEASING, usable, "it is not wanted");
                }
                case SliceVerdict.Placement.Placed placed -> {}
                case SliceVerdict.Placement.Faulted faulted -> {}
            }
        }
        return new Unplaceable(Reason.INSUFFICIENT_CAPACITY, usable, "no place was found");
    }
}
