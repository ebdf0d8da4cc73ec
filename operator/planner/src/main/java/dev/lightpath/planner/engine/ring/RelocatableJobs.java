package dev.lightpath.planner.engine.ring;

import dev.lightpath.planner.engine.allocation.MemberLocation;
import dev.lightpath.planner.engine.allocation.SliceState;
import dev.lightpath.planner.engine.circuits.RingCircuits;
import dev.lightpath.planner.engine.state.RingState;
import dev.lightpath.planner.ring.RingFabric;
import dev.lightpath.planner.ring.RingGroup;
import dev.lightpath.planner.world.SliceId;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Which jobs may move for the good of another: those that are well, settled but for what no change makes dark, and
 * whose {@code reconfiguration} allows it. At a restart means that none of their pods runs; where the operator does not
 * start the pods, that no pod holds GPUs of their nodes.
 */
final class RelocatableJobs {
    private final RingState state;
    private final RingCircuits light;
    private final List<SliceState> claims;
    private final RingFabric ring;

    RelocatableJobs(RingState state, RingCircuits light, List<SliceState> claims) {
        this.state = state;
        this.light = light;
        this.claims = claims;
        this.ring = state.intent().ring();
    }

    /**
     * First those at rest, then all, if there are others.
     *
     * @param decided slices about which this pass has decided already
     */
    List<List<SliceState>> tiers(SliceState claim, Set<SliceId> decided) {
        List<SliceState> resting = new ArrayList<>();
        List<SliceState> all = new ArrayList<>();
        for (SliceState other : claims) {
            if (other.id().equals(claim.id()) || decided.contains(other.id()) || !isWell(other)) {
                continue;
            }
            boolean rests = !light.isUsed(other);
            switch (other.intent().reconfiguration()) {
                case NEVER -> {
                    continue;
                }
                case AT_RESTART -> {
                    if (!rests) {
                        continue;
                    }
                }
                case LIVE -> {
                    // moves under running pods as well
                }
            }
            all.add(other);
            if (rests) {
                resting.add(other);
            }
        }
        List<List<SliceState>> tiers = new ArrayList<>();
        if (!resting.isEmpty()) {
            tiers.add(resting);
        }
        if (all.size() > resting.size()) {
            tiers.add(all);
        }
        return tiers;
    }

    /**
     * Groups that may move at most: light without running pods does not count, the rest is the administrator's budget.
     */
    int budget(List<SliceState> may) {
        int groups = 0;
        boolean live = false;
        for (SliceState claim : may) {
            groups += claim.recorded().orElseThrow().groups().size();
            live |= light.isUsed(claim);
        }
        return live
                ? Math.max(1, (int) ((long) groups * state.intent().policy().maxConcurrentPercent() / 100))
                : groups;
    }

    private boolean isWell(SliceState claim) {
        if (!claim.intent().wanted()
                || claim.lost()
                || claim.intent().beside().isPresent()
                || ScaleOutPlacement.of(state.world(), claim.intent()).isPresent()
                || !claim.placed()
                || !claim.recorded().orElseThrow().releasing().stream().allMatch(light::isOutOfHand)
                || !claim.demand().fits(ring)
                || claim.demand().groupsPerNode(ring) > 1) {
            return false;
        }
        for (RingGroup group : claim.placement(ring).groups()) {
            if (!state.health().supports(ring, group)) {
                return false;
            }
        }
        return claim.recorded().orElseThrow().groups().stream()
                .flatMap(group -> group.members().stream())
                .allMatch(member -> state.sites().locate(member) instanceof MemberLocation.AtHome);
    }
}
