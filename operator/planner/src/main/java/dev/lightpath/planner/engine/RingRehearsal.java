package dev.lightpath.planner.engine;

import dev.lightpath.planner.engine.allocation.InvalidAllocation;
import dev.lightpath.planner.engine.allocation.SliceState;
import dev.lightpath.planner.engine.decision.SliceVerdict;
import dev.lightpath.planner.engine.pacing.ChangeFreeze;
import dev.lightpath.planner.fault.Subject;
import dev.lightpath.planner.light.Reason;
import dev.lightpath.planner.ring.BundleDerivation;
import dev.lightpath.planner.ring.BundleState;
import dev.lightpath.planner.ring.rack.CrossTor;
import dev.lightpath.planner.ring.rack.RackOrchestration;
import dev.lightpath.planner.world.LedgerEntry;
import dev.lightpath.planner.world.RingIntent;
import dev.lightpath.planner.world.SliceId;
import dev.lightpath.planner.world.SliceIntent;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** A wish on {@link RingPaper}: what is recorded until it has a place, and what that changes. */
final class RingRehearsal {
    /** Passes before a wish that is not placed counts as unplaceable. */
    private static final int PASSES = 8;

    private final Instant now;
    private final RingIntent ring;
    private final Collection<Subject> faulty;
    private final SliceIntent wished;
    private final List<RingPreview.Step> steps = new ArrayList<>();

    RingRehearsal(Instant now, RingIntent ring, Collection<Subject> faulty, SliceIntent wished) {
        this.now = now;
        this.ring = ring;
        this.faulty = faulty;
        this.wished = wished;
    }

    RingPreview of(SortedMap<SliceId, SliceIntent> slices, SortedMap<SliceId, LedgerEntry> recorded) {
        SortedMap<SliceId, SliceIntent> wishes = new TreeMap<>(slices);
        wishes.put(wished.id(), wished);
        SortedMap<SliceId, LedgerEntry> ledger = new TreeMap<>(recorded);
        ledger.putIfAbsent(wished.id(), new LedgerEntry(Optional.empty(), ""));
        SortedMap<SliceId, LedgerEntry> before = new TreeMap<>(ledger);
        RingPaper paper = new RingPaper(now, ring, wishes, faulty, new TreeSet<>());
        for (int pass = 1; ; pass++) {
            RingPaper.Pass heard = paper.pass(ledger);
            steps.addAll(paper.record(heard, ledger));
            SliceState claim = claim(ledger);
            if (claim.placed()) {
                return placed(heard, before, ledger, claim);
            }
            if (pass == PASSES || heard.ledger().entries().isEmpty()) {
                return unplaceable(heard, claim);
            }
        }
    }

    private SliceState claim(SortedMap<SliceId, LedgerEntry> ledger) {
        return SliceState.of(wished, java.util.Objects.requireNonNull(ledger.get(wished.id())));
    }

    private RingPreview placed(
            RingPaper.Pass last,
            SortedMap<SliceId, LedgerEntry> before,
            SortedMap<SliceId, LedgerEntry> after,
            SliceState claim) {
        var groups = claim.placement(ring.ring()).groups();
        SortedSet<Integer> domains = new TreeSet<>();
        groups.forEach(group ->
                group.members().forEach(member -> domains.add(ring.ring().aggregationOf(member))));
        return new RingPreview.Placed(
                claim.recorded().orElseThrow().groups(),
                CrossTor.ratio(ring.ring(), groups),
                last.ledger().spareNodes(claim.placement(ring.ring())),
                List.copyOf(domains),
                RackOrchestration.keptConstraints(ring.ring(), groups),
                retunings(before, after),
                steps,
                ring.paused() ? Optional.of(ChangeFreeze.PAUSED.message()) : Optional.empty());
    }

    private RingPreview unplaceable(RingPaper.Pass last, SliceState claim) {
        int wanted = wished.demand().gpus();
        int usable = last.ledger().usableGpus(claim);
        SliceVerdict.Placement verdict =
                java.util.Objects.requireNonNull(last.ledger().verdicts().get(wished.id()));
        return switch (verdict) {
            case SliceVerdict.Placement.Unplaced none ->
                new RingPreview.Unplaceable(none.reason(), wanted, usable, none.message());
            case SliceVerdict.Placement.Releasing releasing ->
                new RingPreview.Unplaceable(Reason.RELEASING, wanted, usable, releasing.waitsFor());
            case SliceVerdict.Placement.Released released ->
                new RingPreview.Unplaceable(Reason.RELEASING, wanted, usable, "it is not wanted");
            case SliceVerdict.Placement.Placed placed -> throw contradiction(verdict);
            case SliceVerdict.Placement.Faulted faulted -> throw contradiction(verdict);
        };
    }

    private IllegalStateException contradiction(SliceVerdict.Placement verdict) {
        return new IllegalStateException("slice " + wished.id() + " has no record and is " + verdict);
    }

    private record Tuned(String node, SliceId slice, List<BundleState> states) {}

    private List<RingPreview.Retuning> retunings(
            SortedMap<SliceId, LedgerEntry> before, SortedMap<SliceId, LedgerEntry> after) {
        SortedMap<Integer, Tuned> was = tuned(before);
        SortedMap<Integer, Tuned> will = tuned(after);
        SortedSet<Integer> positions = new TreeSet<>(was.keySet());
        positions.addAll(will.keySet());
        List<BundleState> dark = Collections.nCopies(ring.ring().reach(), BundleState.LOOPBACK);
        List<RingPreview.Retuning> retunings = new ArrayList<>();
        for (int position : positions) {
            Tuned from = was.get(position);
            Tuned to = will.get(position);
            Tuned named = to == null ? java.util.Objects.requireNonNull(from) : to;
            for (int bundle = 0; bundle < ring.ring().reach(); bundle++) {
                BundleState old = (from == null ? dark : from.states()).get(bundle);
                BundleState next = (to == null ? dark : to.states()).get(bundle);
                if (old != next) {
                    retunings.add(new RingPreview.Retuning(named.node(), position, bundle, old, next, named.slice()));
                }
            }
        }
        return retunings;
    }

    private SortedMap<Integer, Tuned> tuned(SortedMap<SliceId, LedgerEntry> ledger) {
        SortedMap<Integer, Tuned> tuned = new TreeMap<>();
        ledger.forEach((id, entry) -> entry.allocation()
                .filter(allocation -> InvalidAllocation.derivable(allocation, ring.ring()))
                .ifPresent(allocation -> {
                    // groups that share a node need no light, so whole nodes are right for all
                    var states = BundleDerivation.derive(ring.ring(), SliceState.groupsOf(allocation))
                            .states();
                    allocation
                            .groups()
                            .forEach(group -> group.members()
                                    .forEach(member -> tuned.put(
                                            member.position(),
                                            new Tuned(member.node(), id, states.of(member.position())))));
                }));
        return tuned;
    }
}
