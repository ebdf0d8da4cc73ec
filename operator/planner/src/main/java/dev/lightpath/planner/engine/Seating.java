package dev.lightpath.planner.engine;

import dev.lightpath.planner.ring.RingFabric;
import dev.lightpath.planner.ring.RingGroup;
import dev.lightpath.planner.ring.RingHealth;
import dev.lightpath.planner.ring.RingPlacement;
import dev.lightpath.planner.ring.RingRepair;
import dev.lightpath.planner.world.Allocation;
import dev.lightpath.planner.world.Origin;
import dev.lightpath.planner.world.Origin.Planner;
import dev.lightpath.planner.world.RingNode;
import dev.lightpath.planner.world.SliceId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;

/** Gives seats to slices: in the picture of the seats, and in the draft of what is recorded. */
final class Seating {
    private final RingScene scene;
    private final RingFabric ring;
    private final List<Claim> claims;
    private final Seats seats;
    private final LedgerDraft draft;

    /** Why one slice of several moves. */
    @FunctionalInterface
    interface Reason {
        String of(SliceId slice, RingPlacement before, RingPlacement after);
    }

    Seating(RingScene scene, List<Claim> claims, Seats seats, LedgerDraft draft) {
        this.scene = scene;
        this.ring = scene.intent().ring();
        this.claims = claims;
        this.seats = seats;
        this.draft = draft;
    }

    void give(Claim claim, RingPlacement placement, Planner which, String why) {
        draft.ran(which);
        RingPlacement before = claim.placement(ring);
        seats.move(claim.id(), before.positions(), placement.positions());
        int bundles = RingRepair.changedBundles(ring, before.groups(), placement.groups());
        draft.gain(claim, claim.give(scene.intent(), placement, new Origin(which, bundles, why)));
    }

    /** Several slices, in the order of the map. */
    void give(Map<SliceId, RingPlacement> records, Planner which, Reason why) {
        records.forEach((slice, after) -> {
            Claim claim = claim(slice);
            give(claim, after, which, why.of(slice, claim.placement(ring), after));
        });
    }

    private Claim claim(SliceId slice) {
        return claims.stream()
                .filter(claim -> claim.id().equals(slice))
                .findFirst()
                .orElseThrow();
    }

    /** Changes to these slices at once. */
    Mending mending(List<Claim> may, RingHealth health, Map<SliceId, RingPlacement> besides) {
        Map<SliceId, RingPlacement> moved = new HashMap<>(besides);
        may.forEach(claim -> moved.put(claim.id(), claim.placement(ring)));
        return new Mending(ring, health, seats, moved);
    }

    /** Strikes nodes off the record that are read back released. */
    void tidy(Claim claim, Allocation recorded, RingLight light) {
        if (!scene.driver().synced() || recorded.releasing().isEmpty()) {
            return;
        }
        SortedSet<String> released = light.readBackReleased(recorded.releasing());
        if (!released.isEmpty()) {
            draft.lose(claim, claim.without(released));
        }
    }

    /** Who comes and who goes, for people. */
    String change(RingPlacement before, List<RingGroup> after) {
        SortedSet<Integer> leaving = new TreeSet<>(before.positions());
        SortedSet<Integer> joining = new TreeSet<>(new RingPlacement(after).positions());
        joining.removeAll(leaving);
        leaving.removeAll(new RingPlacement(after).positions());
        long groups = java.util.stream.IntStream.range(0, after.size())
                .filter(index -> !after.get(index).equals(before.groups().get(index)))
                .count();
        return names(joining) + " in for " + names(leaving) + ", " + groups + " of " + after.size() + " groups changed";
    }

    String names(SortedSet<Integer> positions) {
        if (positions.isEmpty()) {
            return "nobody";
        }
        List<String> names = positions.stream()
                .limit(8)
                .map(position -> scene.nodeAt(position).map(RingNode::name).orElse("position " + position))
                .toList();
        return String.join(", ", names) + (positions.size() > 8 ? " and " + (positions.size() - 8) + " more" : "");
    }
}
