package dev.lightpath.planner.engine.ring;

import dev.lightpath.planner.engine.allocation.SliceState;
import dev.lightpath.planner.engine.decision.SliceVerdict.Placement;
import dev.lightpath.planner.engine.ring.Occupancy.Once;
import dev.lightpath.planner.engine.state.RingState;
import dev.lightpath.planner.light.Reason;
import dev.lightpath.planner.ring.RingFabric;
import dev.lightpath.planner.ring.RingPlacement;
import dev.lightpath.planner.words.Counted;
import dev.lightpath.planner.words.Words;
import dev.lightpath.planner.world.JobId;
import dev.lightpath.planner.world.SliceId;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;

/**
 * Looks for a place for a slice that has none: free nodes first, then nodes that others will leave, then nodes of jobs
 * that may move or give way.
 */
final class PlaceSearch {
    private static final String ONCE_DARK =
            "; there is room once the light of nodes that others left is read back dark";

    private final RingSeats seats;
    private final RingState state;
    private final RingFabric ring;
    private final Occupancy occupancy;
    private final RelocatableJobs relocatable;
    private final Preemption preemption;

    PlaceSearch(RingSeats seats) {
        this.seats = seats;
        this.state = seats.state();
        this.ring = seats.ring();
        this.occupancy = seats.occupancy();
        this.relocatable = new RelocatableJobs(seats);
        this.preemption = new Preemption(seats);
    }

    /** Which job of higher priority is to have the place of each of these slices. */
    SortedMap<SliceId, JobId> preemptors() {
        return preemption.preemptors();
    }

    /** Keeps room for a later attempt of the job of a slice that gives up its own. */
    void holdForSuccessor(SliceState slice) {
        hold(
                slice,
                InitialPlacement.widest(ring, state.health(), slice, occupancy.closedOnceGone(slice.id(), Set.of())));
    }

    /** Keeps room for a slice that has to wait for it. */
    private void hold(SliceState slice, InitialPlacement room) {
        room.found().ifPresent(found -> occupancy.keep(slice.id(), found.positions()));
    }

    /** A place for a slice that has none, or why it gets none now. */
    Placement place(SliceState slice) {
        Optional<String> awaited = ScaleOutPlacement.awaited(state.world(), slice.intent());
        if (awaited.isPresent()) {
            return Placement.Unplaced.awaitingSlice(awaited.get());
        }
        Optional<ScaleOutPlacement> sibling = ScaleOutPlacement.of(state.world(), slice.intent());
        if (sibling.isPresent()) {
            return placeInPods(slice, sibling.get());
        }
        Optional<String> never = Shortage.forGood(ring, slice);
        if (never.isPresent()) {
            return Placement.Unplaced.noRoom(never.get());
        }
        InitialPlacement now = InitialPlacement.widest(ring, state.health(), slice, occupancy.closedToNew(slice));
        if (isWiderOnceDark(slice, now)) {
            return Placement.Unplaced.noRoom("there is room for " + now.groups() + " of "
                    + Counted.of(slice.demand().groups(), "group")
                    + " now, and for more once the light of nodes that others left is read back dark");
        }
        return switch (now) {
            case InitialPlacement.Found found -> {
                seats.give(slice, found.placement(), found.planner(), found.why());
                yield Placement.Unplaced.recording();
            }
            case InitialPlacement.None none -> {
                String shortage = Shortage.of(seats, slice, none.usableGroups());
                String outlook = outlook(slice);
                // no job is ended for one for whom others make room
                if (outlook.isEmpty() && occupancy.isAskedFor(slice)) {
                    outlook = onceAgreed(slice);
                }
                if (outlook.isEmpty() && occupancy.isChanging() && !seats.anyFreshFault()) {
                    outlook = onceOthersMove(slice);
                }
                if (outlook.isEmpty() && !seats.anyFreshFault()) {
                    outlook = preemption.makeRoom(slice);
                }
                if (outlook.isEmpty()) {
                    outlook = onceAgreed(slice);
                }
                yield Placement.Unplaced.noRoom(
                        shortage + (outlook.isEmpty() ? Shortage.underForeignLight(seats, slice) : outlook));
            }
        };
    }

    /** What is about to go dark is waited for, by who could do with less: that takes less than a restart. */
    private boolean isWiderOnceDark(SliceState slice, InitialPlacement now) {
        if (!slice.scaleUp().elastic() || now.groups() == slice.demand().groups() || !occupancy.anyDarkening()) {
            return false;
        }
        InitialPlacement later =
                InitialPlacement.widest(ring, state.health(), slice, occupancy.closedTo(slice.id(), Once.DARK));
        if (later.groups() <= now.groups()) {
            return false;
        }
        hold(slice, later);
        return true;
    }

    /** On two fabrics the pods come first: they decide which nodes may hold which stage. */
    private Placement placeInPods(SliceState slice, ScaleOutPlacement sibling) {
        Optional<InitialPlacement> placing =
                sibling.place(ring, state.health(), slice.demand(), occupancy.closedTo(slice.id()), state.byName());
        return switch (placing.orElse(null)) {
            case null ->
                new Placement.Unplaced(
                        Reason.AWAITING_PODS,
                        "waits for the pods of fabric " + sibling.fabric().name());
            case InitialPlacement.Found found -> {
                seats.give(slice, found.placement(), found.planner(), found.why());
                yield Placement.Unplaced.recording();
            }
            case InitialPlacement.None none ->
                Placement.Unplaced.noRoom(
                        "its pods of fabric " + sibling.fabric().name() + " have room for " + none.usableGroups()
                                + " of " + Counted.of(slice.demand().groups(), "group") + " of "
                                + slice.demand().tensor() + " GPUs");
        };
    }

    /** Which answer will make room, where one will: nobody knows when. Nothing is kept for it meanwhile. */
    private String onceAgreed(SliceState slice) {
        if (!occupancy.anyAsked()) {
            return "";
        }
        return InitialPlacement.of(
                        ring, state.health(), slice.least(), occupancy.closedTo(slice.id(), Once.DARK, Once.AGREED))
                .found()
                .map(room -> "; there is room once " + leaving(slice, room)
                        + " agrees to move, or its limit has passed (spec.agreement)")
                .orElse("");
    }

    /** Jobs that are asked to leave positions of a place, as the slice may know them. */
    private String leaving(SliceState slice, RingPlacement room) {
        return Words.first(
                RingSeats.MOST_NAMED,
                seats.slices().stream()
                        .filter(other -> other.awaitsAnswer()
                                && other.placement(ring).positions().stream()
                                        .anyMatch(position -> occupancy.isAsked(position)
                                                && room.positions().contains(position)))
                        .map(other -> other.intent().job().toldTo(slice.id().namespace()))
                        .distinct()
                        .toList());
    }

    /**
     * Which moves make room after those that are asked about or under way. Where no job of lower priority would be
     * ended that makes no difference.
     */
    private String onceOthersMove(SliceState slice) {
        if (!preemption.may(slice) || slice.least().groupsPerNode(ring) > 1) {
            return "";
        }
        Set<Integer> closed = occupancy.closedTo(slice.id(), Once.values());
        boolean enough = relocatable.tiers(slice, true).stream()
                .anyMatch(may -> MultiJobRepair.among(seats, may, closed)
                        .makeRoom(slice.least(), relocatable.budget(may))
                        .isPresent());
        if (!enough) {
            return "";
        }
        return occupancy.isAskedFor(slice)
                ? "; there is room once a job that is asked agrees to move, or its limit has passed (spec.agreement),"
                        + " and others have moved after it"
                : "; there is room once others have moved that wait for nodes which were left";
    }

    /**
     * What will make room; nothing is moved while what others left may be enough. Nobody moves for more than is enough.
     */
    private String outlook(SliceState slice) {
        if (occupancy.anyDarkening() || occupancy.anyLeftWithPods()) {
            InitialPlacement later = InitialPlacement.of(
                    ring, state.health(), slice.least(), occupancy.closedTo(slice.id(), Once.DARK, Once.LEFT));
            hold(slice, later);
            if (later instanceof InitialPlacement.Found) {
                return occupancy.anyDarkening()
                        ? ONCE_DARK
                        : "; there is room once the pods of jobs that left nodes are gone";
            }
            if (occupancy.anyDarkening()) {
                return "";
            }
        }
        if (slice.least().groupsPerNode(ring) > 1 || seats.anyFreshFault()) {
            return "";
        }
        // while one job is asked no other is: what it agrees to may be room enough
        for (List<SliceState> may : relocatable.tiers(slice, !occupancy.anyAsked())) {
            Optional<MultiJobRepair.Moves> moves =
                    MultiJobRepair.of(seats, state.health(), may).makeRoom(slice.least(), relocatable.budget(may));
            if (moves.isPresent()) {
                seats.makeRoom(slice, moves.get().records());
                hold(
                        slice,
                        InitialPlacement.of(
                                ring,
                                state.health(),
                                slice.least(),
                                occupancy.closedTo(slice.id(), Once.DARK, Once.LEFT)));
                return "; room is being made by moving jobs that allow it";
            }
        }
        return "";
    }
}
