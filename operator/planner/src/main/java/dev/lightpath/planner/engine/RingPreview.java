package dev.lightpath.planner.engine;

import dev.lightpath.planner.fault.Subject;
import dev.lightpath.planner.light.Reason;
import dev.lightpath.planner.ring.BundleState;
import dev.lightpath.planner.world.Allocation;
import dev.lightpath.planner.world.LedgerEntry;
import dev.lightpath.planner.world.Origin;
import dev.lightpath.planner.world.RingIntent;
import dev.lightpath.planner.world.SliceId;
import dev.lightpath.planner.world.SliceIntent;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;

/** What a ring would give a slice, and what would move for it, before anything is recorded. */
public sealed interface RingPreview {
    /**
     * Rehearses the decisions that {@link FabricEngine#deliberate} would take if this wish were there, with the same code, as
     * though the driver were in contact, no light foreign and what is released dark at once.
     *
     * @param now the moment of the rehearsal
     * @param ring the fabric; a paused one is planned as though it went on
     * @param slices wishes for it that are there already
     * @param ledger what is recorded for them
     * @param faulty what counts as faulty besides what the signals of the ring's nodes say
     * @param wished by whom and for what; if the ledger has a place for it, that is shown
     */
    static RingPreview of(
            Instant now,
            RingIntent ring,
            SortedMap<SliceId, SliceIntent> slices,
            SortedMap<SliceId, LedgerEntry> ledger,
            Collection<Subject> faulty,
            SliceIntent wished) {
        return new RingRehearsal(now, ring, faulty, wished).of(slices, ledger);
    }

    /**
     * There is a place.
     *
     * @param groups in rank order
     * @param crossTorRatio the metric X, 0 to 1; 0 when a rack holds one node
     * @param spareNodes free healthy nodes within reach of a member
     * @param domains aggregation domains the job touches
     * @param keptConstraints pieces (sub-line of one domain) that no group leaves plus domains whose groups are all aligned
     * @param bundles every bundle that changes its state, in order of positions
     * @param steps what is recorded, in order: for whom, by which planner, why
     * @param waitsFor what keeps the operator from doing it now
     */
    record Placed(
            List<Allocation.Group> groups,
            double crossTorRatio,
            int spareNodes,
            List<Integer> domains,
            int keptConstraints,
            List<Retuning> bundles,
            List<Step> steps,
            Optional<String> waitsFor)
            implements RingPreview {
        public Placed {
            groups = List.copyOf(groups);
            domains = List.copyOf(domains);
            bundles = List.copyOf(bundles);
            steps = List.copyOf(steps);
        }
    }

    /**
     * There is none.
     *
     * @param reason a CamelCase word: InsufficientCapacity, InvalidParallelism, FabricNotFound ...
     * @param gpusUsable GPUs in groups of the wished size that there is room for
     * @param why for people
     */
    record Unplaceable(Reason reason, int gpusWanted, int gpusUsable, String why) implements RingPreview {}

    /** One bundle's change of state; {@code slice} holds the node afterwards, or held it before. */
    record Retuning(String node, int position, int bundle, BundleState from, BundleState to, SliceId slice) {}

    /** A record that would be written. */
    record Step(SliceId slice, Optional<Origin> origin, Allocation allocation) {}
}
