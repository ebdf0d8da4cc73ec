package dev.lightpath.planner.engine.ring;

import dev.lightpath.planner.engine.allocation.SliceState;
import dev.lightpath.planner.engine.state.RingState;
import dev.lightpath.planner.memory.Lazy;
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
    private final RingSeats seats;
    private final Lazy<Set<ScaleOutPlacement.Attempt>> scaledOut;

    RelocatableJobs(RingSeats seats) {
        this.seats = seats;
        this.scaledOut =
                new Lazy<>(() -> ScaleOutPlacement.attempts(seats.state().world()));
    }

    /**
     * First those at rest, then all, if there are others.
     *
     * @param waits whether the slice may wait until a job has agreed to move
     */
    List<List<SliceState>> tiers(SliceState slice, boolean waits) {
        Set<SliceId> decided = seats.draft().decided();
        List<SliceState> resting = new ArrayList<>();
        List<SliceState> all = new ArrayList<>();
        for (SliceState other : seats.slices()) {
            if (other.id().equals(slice.id())
                    || decided.contains(other.id())
                    || !waits && other.intent().isAsked()
                    || !isWell(other)) {
                continue;
            }
            boolean rests = !seats.circuits().isUsed(other);
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
        for (SliceState slice : may) {
            groups += slice.groups().size();
            live |= seats.circuits().isUsed(slice);
        }
        return live
                ? Math.max(1, (int)
                        ((long) groups * seats.state().intent().policy().maxConcurrentPercent() / 100))
                : groups;
    }

    private boolean isWell(SliceState slice) {
        RingState state = seats.state();
        if (!slice.intent().wanted()
                || slice.lost()
                || slice.awaitsAnswer()
                || slice.intent().beside().isPresent()
                || scaledOut.get().contains(ScaleOutPlacement.Attempt.of(slice.intent()))
                || !slice.placed()
                || !slice.recorded().orElseThrow().releasing().stream()
                        .allMatch(seats.circuits()::isBeyondReachOrRefuses)
                || !slice.demand().fits(seats.ring())
                || slice.demand().groupsPerNode(seats.ring()) > 1) {
            return false;
        }
        return slice.placement(seats.ring()).groups().stream()
                        .allMatch(group -> state.health().supports(seats.ring(), group))
                && slice.members().stream().allMatch(state.positions()::isHome);
    }
}
