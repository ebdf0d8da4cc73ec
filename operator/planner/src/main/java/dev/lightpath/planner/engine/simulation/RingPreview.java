package dev.lightpath.planner.engine.simulation;

import dev.lightpath.planner.engine.FabricEngine;
import dev.lightpath.planner.engine.decision.SliceVerdict;
import dev.lightpath.planner.engine.pacing.ChangeFreeze;
import dev.lightpath.planner.light.Reason;
import dev.lightpath.planner.ring.BundleState;
import dev.lightpath.planner.ring.RingFabric;
import dev.lightpath.planner.world.Allocation;
import dev.lightpath.planner.world.JobId;
import dev.lightpath.planner.world.LedgerEntry;
import dev.lightpath.planner.world.RingIntent;
import dev.lightpath.planner.world.SliceId;
import dev.lightpath.planner.world.SliceIntent;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** What a ring would give a slice, and what would move for it, before anything is recorded. */
public sealed interface RingPreview {
    /** Passes before a slice that is not placed counts as unplaceable. */
    int MOST_PASSES = 8;

    /**
     * Simulates until the slice has a place.
     *
     * @param snapshot of the ring of the slice alone
     * @param wished what is asked for; if the ledger has a place for it, that is shown
     */
    static RingPreview of(Snapshot snapshot, SliceIntent wished) {
        RingIntent ring = Objects.requireNonNull(snapshot.rings().get(wished.fabric()));
        Simulation simulation = Simulation.ofRings(snapshot.asking(List.of(wished)));
        SortedMap<SliceId, LedgerEntry> before = new TreeMap<>(simulation.ledger());
        List<JobId> preempted = new ArrayList<>();
        for (int pass = 1; ; pass++) {
            Simulation.Pass made = simulation.pass();
            Optional<Allocation> record = simulation.placed(wished.id());
            if (record.isPresent()) {
                return placed(ring, simulation, before, record.get(), wished, preempted);
            }
            List<JobId> gaveWay = simulation.giveWay(made);
            if (pass == MOST_PASSES || (made.steps().isEmpty() && gaveWay.isEmpty())) {
                return unplaceable(made.heard(), wished);
            }
            preempted.addAll(gaveWay);
        }
    }

    private static RingPreview placed(
            RingIntent intent,
            Simulation simulation,
            SortedMap<SliceId, LedgerEntry> before,
            Allocation record,
            SliceIntent wished,
            List<JobId> preempted) {
        RingFabric ring = intent.ring();
        // of a record that does not fit the fabric nothing is said
        Optional<SliceVerdict.Siting> siting = Optional.ofNullable(
                        simulation.look().deliberation().slices().get(wished.id()))
                .flatMap(SliceVerdict::siting);
        return new Placed(
                record.groups(),
                siting.map(SliceVerdict.Siting::crossTorRatio).orElse(0.0),
                siting.map(SliceVerdict.Siting::spareNodes).orElse(0),
                record.members().stream()
                        .map(member -> ring.aggregationOf(member.position()))
                        .distinct()
                        .sorted()
                        .toList(),
                BundleChanges.between(ring, before, simulation.ledger()),
                simulation.steps(),
                preempted,
                intent.paused() ? Optional.of(ChangeFreeze.PAUSED.message()) : Optional.empty());
    }

    private static RingPreview unplaceable(FabricEngine.Result last, SliceIntent wished) {
        int usable = Objects.requireNonNull(last.left().get(wished.fabric())).usableGpus(wished);
        SliceVerdict.Placement verdict = Objects.requireNonNull(
                        last.deliberation().slices().get(wished.id()))
                .placement();
        return switch (verdict) {
            case SliceVerdict.Placement.Unplaced none -> new Unplaceable(none.reason(), usable, none.message());
            case SliceVerdict.Placement.Releasing releasing ->
                new Unplaceable(Reason.RELEASING, usable, releasing.waitsFor());
            case SliceVerdict.Placement.Released released ->
                new Unplaceable(Reason.RELEASING, usable, "it is not wanted");
            case SliceVerdict.Placement.Placed placed -> throw contradiction(wished, verdict);
            case SliceVerdict.Placement.Faulted faulted -> throw contradiction(wished, verdict);
        };
    }

    private static IllegalStateException contradiction(SliceIntent wished, SliceVerdict.Placement verdict) {
        return new IllegalStateException("slice " + wished.id() + " has no record and is " + verdict);
    }

    /**
     * There is a place.
     *
     * @param groups in rank order
     * @param crossTorRatio the metric X, 0 to 1; 0 when a rack holds one node
     * @param spareNodes free healthy nodes within reach of a member
     * @param domains aggregation domains the job touches
     * @param bundles every bundle that changes its state, in order of positions
     * @param steps what is recorded, in order: for whom, by which planner, why
     * @param preempted jobs of lower priority that give their places up (policy.preemption)
     * @param waitsFor what keeps the operator from doing it now
     */
    record Placed(
            List<Allocation.Group> groups,
            double crossTorRatio,
            int spareNodes,
            List<Integer> domains,
            List<Retuning> bundles,
            List<Simulation.Step> steps,
            List<JobId> preempted,
            Optional<String> waitsFor)
            implements RingPreview {
        public Placed {
            groups = List.copyOf(groups);
            domains = List.copyOf(domains);
            bundles = List.copyOf(bundles);
            steps = List.copyOf(steps);
            preempted = List.copyOf(preempted);
        }
    }

    /**
     * There is none.
     *
     * @param reason a CamelCase word: InsufficientCapacity, InvalidParallelism, FabricNotFound ...
     * @param gpusUsable GPUs in groups of the wished size that there is room for
     * @param why for people
     */
    record Unplaceable(Reason reason, int gpusUsable, String why) implements RingPreview {}

    /** One bundle's change of state; {@code slice} holds the node afterwards, or held it before. */
    record Retuning(String node, int position, int bundle, BundleState from, BundleState to, SliceId slice) {}
}
