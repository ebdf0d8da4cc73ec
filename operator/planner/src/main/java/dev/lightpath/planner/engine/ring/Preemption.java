package dev.lightpath.planner.engine.ring;

import dev.lightpath.planner.engine.allocation.SliceState;
import dev.lightpath.planner.engine.state.RingState;
import dev.lightpath.planner.ring.RingPlacement;
import dev.lightpath.planner.words.Counted;
import dev.lightpath.planner.words.Words;
import dev.lightpath.planner.world.FabricPolicy;
import dev.lightpath.planner.world.JobId;
import dev.lightpath.planner.world.SliceId;
import dev.lightpath.planner.world.SliceIntent;
import dev.lightpath.planner.world.Workload;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Which placed jobs of lower priority make room for a job that waits. Nothing is taken unless the job fits once they
 * are gone. If one job is enough, one is taken: the one of lowest priority, of equals the youngest. Otherwise several
 * are taken, none needlessly. Those of higher priority and the older ones stay as far as possible.
 *
 * <p>While some of them already leave, the next pass chooses the rest again: it counts what is being released as free.
 */
final class Preemption {
    /** The job to take last comes first. */
    private static final Comparator<SliceState> LAST_TAKEN_FIRST =
            Comparator.comparing(SliceState::intent, SliceIntent.PRECEDENCE);

    private final RingSeats seats;
    private final RingState state;
    private final List<SliceState> slices;
    private final Occupancy occupancy;
    private final SortedMap<SliceId, JobId> preemptors = new TreeMap<>();

    Preemption(RingSeats seats) {
        this.seats = seats;
        this.state = seats.state();
        this.slices = seats.slices();
        this.occupancy = seats.occupancy();
    }

    /** Which job is to have the place of each of these slices. */
    SortedMap<SliceId, JobId> preemptors() {
        return Collections.unmodifiableSortedMap(preemptors);
    }

    /**
     * Takes places for a slice that has none, and keeps the room for it. For n jobs of lower priority of which k are
     * taken O((1 + k log n) * placement), and O(n * placement) where one is enough.
     *
     * @return what the waiting job is told; empty where nothing is taken or awaited
     */
    String makeRoom(SliceState slice) {
        if (!may(slice) || anyFaultBefore(slice)) {
            return "";
        }
        Set<SliceId> leaving = leaving();
        Optional<RingPlacement> soon = fit(slice, leaving, List.of());
        if (soon.isPresent()) {
            occupancy.keep(slice.id(), soon.get().positions());
            return "; there is room once jobs that are being released are gone: "
                    + named(awaited(leaving, soon.get()), slice.id().namespace());
        }
        List<SliceState> taken = choose(slice, leaving);
        if (taken.isEmpty()) {
            return "";
        }
        RingPlacement room = fit(slice, leaving, taken).orElseThrow();
        occupancy.keep(slice.id(), room.positions());
        taken.forEach(victim -> preemptors.put(victim.id(), slice.intent().job()));
        return "; " + Counted.of(taken.size(), "job") + " of lower priority "
                + (taken.size() == 1 ? "makes" : "make") + " room for it (policy.preemption): "
                + named(taken, slice.id().namespace());
    }

    /** Whether a slice may take the place of others at all. */
    boolean may(SliceState slice) {
        return state.intent().policy().preemption() != FabricPolicy.Preemption.NEVER
                && slice.intent().preempts()
                && slice.intent().beside().isEmpty();
    }

    /** Who may read the message may know the jobs of its namespace; others are counted. */
    private static String named(List<SliceState> taken, String namespace) {
        List<JobId> jobs =
                taken.stream().map(victim -> victim.intent().job()).distinct().toList();
        List<String> own = jobs.stream()
                .filter(job -> job.namespace().equals(namespace))
                .map(JobId::toString)
                .toList();
        int others = jobs.size() - own.size();
        List<String> parts = new ArrayList<>();
        if (!own.isEmpty()) {
            parts.add(Words.first(RingSeats.MOST_NAMED, own));
        }
        if (others > 0) {
            parts.add(others + " of other namespaces");
        }
        return String.join(", ", parts);
    }

    /** A job that is served earlier and has a fault would repair itself with the room. */
    private boolean anyFaultBefore(SliceState slice) {
        return slices.stream()
                .filter(other -> other.placed()
                        && other.intent().wanted()
                        && SliceIntent.PRECEDENCE.compare(other.intent(), slice.intent()) < 0)
                .flatMap(other -> other.placement(state.intent().ring()).positions().stream())
                .anyMatch(state.health()::isFaulty);
    }

    /** Slices that give their nodes up, and for no later attempt of their own job. */
    private Set<SliceId> leaving() {
        Set<SliceId> leaving = new HashSet<>(preemptors.keySet());
        slices.stream()
                .filter(slice -> slice.placed()
                        && !slice.intent().wanted()
                        && !slice.intent().renewed())
                .forEach(slice -> leaving.add(slice.id()));
        return leaving;
    }

    /** Of those that leave, the ones at the nodes of a place; all where it waits for what lies between them. */
    private List<SliceState> awaited(Set<SliceId> leaving, RingPlacement room) {
        List<SliceState> all =
                slices.stream().filter(slice -> leaving.contains(slice.id())).toList();
        List<SliceState> there = all.stream()
                .filter(slice -> !Collections.disjoint(
                        slice.placement(state.intent().ring()).positions(), room.positions()))
                .toList();
        return there.isEmpty() ? all : there;
    }

    private List<SliceState> choose(SliceState slice, Set<SliceId> leaving) {
        List<SliceState> lower = slices.stream()
                .filter(other -> isPreemptible(other)
                        && other.intent().priority() < slice.intent().priority()
                        && !leaving.contains(other.id()))
                .sorted(LAST_TAKEN_FIRST)
                .toList();
        if (lower.isEmpty() || fit(slice, leaving, lower).isEmpty()) {
            return List.of();
        }
        // once a first one leaves, one that is now enough alone is not preferred to those that were chosen with it
        if (leaving.isEmpty()) {
            for (SliceState one : lower.reversed()) {
                if (fit(slice, leaving, List.of(one)).isPresent()) {
                    return List.of(one);
                }
            }
        }
        return several(slice, leaving, lower);
    }

    /** Lets the first ones stay as long as the rest is enough, again and again. */
    private List<SliceState> several(SliceState slice, Set<SliceId> leaving, List<SliceState> lower) {
        List<SliceState> taken = new ArrayList<>();
        int from = 0;
        while (fit(slice, leaving, taken).isEmpty()) {
            int enough = from;
            int tooFew = lower.size();
            while (tooFew - enough > 1) {
                int middle = (enough + tooFew) / 2;
                if (fit(slice, leaving, with(taken, lower.subList(middle, lower.size())))
                        .isPresent()) {
                    enough = middle;
                } else {
                    tooFew = middle;
                }
            }
            if (enough == lower.size()) {
                return List.of();
            }
            taken.add(lower.get(enough));
            from = enough + 1;
        }
        return taken;
    }

    private static List<SliceState> with(List<SliceState> taken, List<SliceState> more) {
        List<SliceState> all = new ArrayList<>(taken);
        all.addAll(more);
        return all;
    }

    /** The operator can end its pods, or it has none: then its light goes for certain. */
    private static boolean isPreemptible(SliceState slice) {
        return slice.placed()
                && slice.intent().wanted()
                && slice.intent().preemptible()
                && switch (slice.intent().workload()) {
                    case Workload.LightOnly alone -> alone.holding().isEmpty();
                    case Workload.Pods pods -> true;
                };
    }

    /** Where it fits once these are gone, and what was left is dark. */
    private Optional<RingPlacement> fit(SliceState slice, Set<SliceId> leaving, Collection<SliceState> taken) {
        Set<SliceId> gone = new HashSet<>(leaving);
        taken.forEach(victim -> gone.add(victim.id()));
        Set<Integer> closed = occupancy.closedOnceGone(slice.id(), gone);
        slices.stream().filter(other -> gone.contains(other.id())).forEach(other -> closed.addAll(stuck(other)));
        return InitialPlacement.of(state.intent().ring(), state.health(), slice.least(), closed)
                .found();
    }

    /** Positions of a slice whose light cannot be taken down now. */
    private Set<Integer> stuck(SliceState slice) {
        Set<Integer> stuck = new TreeSet<>();
        slice.members().forEach(member -> {
            if (seats.circuits().isBeyondReachOrRefuses(member.node())) {
                stuck.add(member.position());
            }
        });
        return stuck;
    }
}
