package dev.lightpath.planner.engine.ring;

import dev.lightpath.planner.engine.allocation.RecordedSeats;
import dev.lightpath.planner.engine.allocation.SliceState;
import dev.lightpath.planner.engine.circuits.RingCircuits;
import dev.lightpath.planner.engine.state.RingState;
import dev.lightpath.planner.ring.Positions;
import dev.lightpath.planner.ring.RingFabric;
import dev.lightpath.planner.ring.RingGroup;
import dev.lightpath.planner.ring.RingHealth;
import dev.lightpath.planner.ring.RingPlacement;
import dev.lightpath.planner.world.Allocation;
import dev.lightpath.planner.world.Announcement.Move;
import dev.lightpath.planner.world.SliceId;
import dev.lightpath.planner.world.SliceIntent;
import java.util.BitSet;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Which slice has which position of one ring while a pass decides. A position is taken, or closed to new plans
 * (cordoned, busy, under foreign circuits), or left and not read back dark yet, or left and still running pods, or kept
 * for a slice that waits for it. Otherwise it is free. Changes as the pass decides; serves one thread.
 */
final class Occupancy {
    private final RingFabric ring;
    private final BitSet faulty = new BitSet();
    /** The slice at each position; null where there is none. */
    private final @Nullable SliceId[] owners;

    /** Positions in {@link #owners}. */
    private final BitSet owned;

    private final BitSet closed = new BitSet();
    /** Those of them whose node a job holds on another fabric. */
    private final BitSet elsewhere = new BitSet();

    private final BitSet darkening = new BitSet();
    /** Positions that their slices come to once their jobs have agreed: what is broken does not wait for them. */
    private final BitSet reserved = new BitSet();

    /** Positions that their slices leave once their jobs have agreed to that: nobody knows when. */
    private final BitSet asked = new BitSet();

    /** By uid of a job that waits for the room, those of {@link #reserved} that others come to for its sake. */
    private final Map<String, BitSet> reservedFor = new HashMap<>();

    private final Map<Integer, SliceId> kept = new HashMap<>();
    private final Map<Integer, SliceId> lingering = new HashMap<>();

    private Occupancy(RingFabric ring, RingHealth health, @Nullable SliceId[] owners, BitSet owned) {
        this.ring = ring;
        this.owners = owners;
        this.owned = owned;
        health.faulty().forEach(faulty::set);
    }

    /**
     * Which slice has which position by these records, and what is closed to new plans. Linear in slices, and in
     * members where any job is asked.
     */
    static Occupancy of(RingState state, RingCircuits circuits, RecordedSeats seats) {
        boolean ordered = seats.anyAwaits();
        RingFabric ring = state.intent().ring();
        Occupancy occupancy = new Occupancy(
                ring,
                state.health(),
                ordered ? new SliceId[ring.positions()] : seats.owners(),
                ordered ? new BitSet() : copy(seats.owned()));
        if (ordered) {
            // who takes a position after whom counts
            seats.slices().forEach(slice -> occupancy.take(state, circuits, slice));
        } else {
            seats.unfinished()
                    .flatMap(slice -> slice.recorded().stream())
                    .forEach(recorded -> occupancy.leave(state, circuits, recorded));
        }
        occupancy.elsewhere(state);
        occupancy.leftWithPods(state, circuits, seats);
        occupancy.closed.or(circuits.closed());
        return occupancy;
    }

    private void take(RingState state, RingCircuits circuits, SliceState slice) {
        slice.recorded().ifPresent(recorded -> {
            recorded.forEachMember(member -> take(slice.id(), member.position()));
            leave(state, circuits, recorded);
            recorded.awaited().ifPresent(move -> await(circuits, slice, move));
        });
    }

    private void leave(RingState state, RingCircuits circuits, Allocation recorded) {
        recorded.releasing().forEach(node -> {
            Integer position = state.byName().get(node);
            if (position != null) {
                darkening.set(position);
                if (circuits.isBeyondReachOrRefuses(node)) {
                    closed.set(position);
                }
            }
        });
    }

    /** A slice has its place of now and the one that it waits for. The first is its own until its job has agreed. */
    private void await(RingCircuits circuits, SliceState slice, Move move) {
        SortedSet<Integer> now = new TreeSet<>();
        slice.recorded().orElseThrow().forEachMember(member -> now.add(member.position()));
        SortedSet<Integer> next = new TreeSet<>();
        move.groups().forEach(group -> group.members().forEach(member -> next.add(member.position())));
        if (circuits.makesWay(slice)) {
            move(slice.id(), now, next);
        } else if (circuits.waits(slice)) {
            take(slice.id(), next);
            now.stream().filter(position -> !next.contains(position)).forEach(asked::set);
            next.removeAll(now);
            next.forEach(reserved::set);
            move.roomFor()
                    .map(job -> reservedFor.computeIfAbsent(job, none -> new BitSet()))
                    .ifPresent(positions -> next.forEach(positions::set));
        }
    }

    /** Whether any position comes free once a job has agreed to leave it. */
    boolean anyAsked() {
        return !asked.isEmpty();
    }

    /** Whether positions come free soon, or once a job has agreed to leave them. */
    boolean isChanging() {
        return anyAsked() || anyDarkening() || anyLeftWithPods();
    }

    /** Whether another job is asked to make room for the job of this slice. */
    boolean isAskedFor(SliceState slice) {
        return reservedFor.containsKey(slice.intent().job().uid());
    }

    boolean isAsked(int position) {
        return asked.get(position);
    }

    /** Nodes of jobs that hold them on another fabric, of whatever kind: a node has its GPUs once. */
    private void elsewhere(RingState state) {
        for (SliceIntent other : state.world().slices().values()) {
            if (!other.fabric().equals(state.intent().name())) {
                state.world()
                        .allocation(other.id())
                        .map(Allocation::nodes)
                        .orElseGet(TreeSet::new)
                        .forEach(node -> {
                            Integer position = state.byName().get(node);
                            if (position != null) {
                                closed.set(position);
                                elsewhere.set(position);
                            }
                        });
            }
        }
    }

    /**
     * A node that a repair left, or that was released by force, belongs to the job whose pods run there until they are
     * gone: another job's would have to share its GPUs. Of several attempts of a job the last has it: its pods may be
     * the same.
     */
    private void leftWithPods(RingState state, RingCircuits circuits, RecordedSeats seats) {
        seats.elsewhere()
                .sorted(Comparator.comparingInt(slice -> -slice.intent().attempt()))
                .forEach(slice -> linger(
                        state,
                        circuits,
                        slice.intent(),
                        slice.recorded().map(Allocation::nodes).orElseGet(TreeSet::new)));
        for (SliceIntent other : state.world().slices().values()) {
            if (!other.fabric().equals(state.intent().name())) {
                linger(state, circuits, other, new TreeSet<>());
            }
        }
    }

    private void linger(RingState state, RingCircuits circuits, SliceIntent of, SortedSet<String> held) {
        for (String node : of.workload().holding()) {
            Integer position = state.byName().get(node);
            if (position != null && !held.contains(node) && !circuits.isHeld(node)) {
                linger(of.id(), position);
            }
        }
    }

    void take(SliceId slice, Collection<Integer> positions) {
        positions.forEach(position -> take(slice, position));
    }

    void take(SliceId slice, int position) {
        if (!isOf(slice, position)) {
            // what another job was to have is taken: no second one may count on it
            reserved.clear(position);
        }
        owners[position] = slice;
        owned.set(position);
    }

    private boolean isOf(SliceId slice, int position) {
        return slice.equals(owners[position]);
    }

    /** The slice moves: what it leaves stays lit for a while. */
    void move(SliceId slice, SortedSet<Integer> from, SortedSet<Integer> to) {
        from.forEach(position -> {
            if (isOf(slice, position)) {
                owners[position] = null;
                owned.clear(position);
                if (!to.contains(position)) {
                    darkening.set(position);
                }
            }
        });
        take(slice, to);
    }

    /** The slice has left this position, and its pods still run there. */
    void linger(SliceId slice, int position) {
        lingering.putIfAbsent(position, slice);
    }

    boolean anyLeftWithPods() {
        return !lingering.isEmpty();
    }

    boolean isLeftWithPods(int position) {
        return lingering.containsKey(position) && !owned.get(position);
    }

    /** No other slice is given these positions in this pass. */
    void keep(SliceId slice, Collection<Integer> positions) {
        positions.forEach(position -> kept.putIfAbsent(position, slice));
    }

    boolean isKept(int position) {
        return kept.containsKey(position);
    }

    /**
     * Whether any position comes free as soon as it is read back dark. A faulty one does not, and may stay unread for
     * days.
     */
    boolean anyDarkening() {
        return darkening.stream().anyMatch(this::isFreeOnceDark);
    }

    /** How many positions come free as soon as they are read back dark. */
    int countDarkening() {
        return (int) darkening.stream().filter(this::isFreeOnceDark).count();
    }

    /** How many positions no slice has here and whose node a job holds on another fabric. */
    int heldElsewhere() {
        return (int) elsewhere.stream().filter(this::isHeldElsewhere).count();
    }

    boolean isHeldElsewhere(int position) {
        return elsewhere.get(position) && !owned.get(position);
    }

    int taken() {
        return owned.cardinality();
    }

    boolean isTaken(int position) {
        return owned.get(position);
    }

    /** How many positions each slice has that has any. O(positions). */
    SortedMap<SliceId, Integer> takenBySlice() {
        SortedMap<SliceId, Integer> bySlice = new TreeMap<>();
        for (SliceId owner : owners) {
            if (owner != null) {
                bySlice.merge(owner, 1, Integer::sum);
            }
        }
        return bySlice;
    }

    /**
     * Whether the node that is now at a position of this slice could be given to it: another machine may have come for
     * the recorded one.
     *
     * @param moved whether that node is faulty only because it came from another position of the slice
     */
    boolean admits(SliceId slice, int position, boolean moved) {
        return isOf(slice, position)
                && !closed.get(position)
                && (moved || !faulty.get(position))
                && !darkening.get(position)
                && slice.equals(lingering.getOrDefault(position, slice));
    }

    /** Whether no slice has the position and a new plan may use it now. */
    boolean isFree(int position) {
        return isFreeOnceDark(position) && !darkening.get(position);
    }

    /** Whether a new plan may use the position as soon as what is left there is read back dark. */
    boolean isFreeOnceDark(int position) {
        return !owned.get(position)
                && !closed.get(position)
                && !faulty.get(position)
                && !lingering.containsKey(position);
    }

    boolean anyReserved() {
        return !reserved.isEmpty();
    }

    /** What a plan may count on though it is not so yet. */
    enum Once {
        /** What was left is read back dark. */
        DARK,
        /** Pods that stayed where their job left are gone. */
        LEFT,
        /** Jobs that are asked have moved. */
        AGREED
    }

    /** Positions that this slice may not use beside those it has, not even once all this is so. O(positions). */
    Set<Integer> closedTo(SliceId slice, Once... once) {
        Set<Once> then = Set.of(once);
        BitSet out = unusable(slice, then);
        BitSet left = then.contains(Once.AGREED) ? copy(asked) : new BitSet();
        left.andNot(out);
        out.or(owned);
        out.andNot(of(slice));
        out.andNot(left);
        return Positions.of(out);
    }

    /**
     * The same for a slice that lost light: what other jobs are to have once they agree is open to it. Their moves are
     * planned anew.
     */
    Set<Integer> closedToBroken(SliceId slice) {
        return opened(reserved, slice);
    }

    /**
     * The same for a slice without a place: where others come to for its sake is open to it. If it takes that, they
     * need not move.
     */
    Set<Integer> closedToNew(SliceState slice) {
        BitSet open = copy(reservedFor.getOrDefault(slice.intent().job().uid(), new BitSet()));
        open.and(reserved);
        return opened(open, slice.id());
    }

    private Set<Integer> opened(BitSet toIt, SliceId slice) {
        BitSet open = copy(toIt);
        open.andNot(unusable(slice, Set.of()));
        Set<Integer> out = closedTo(slice);
        open.stream().forEach(out::remove);
        return out;
    }

    /**
     * Positions that this slice could not use even when what was left is dark, and it and these slices are gone. Pods
     * that left their slice may stay, so their positions count as taken.
     */
    Set<Integer> closedOnceGone(SliceId slice, Set<SliceId> gone) {
        BitSet out = unusable(slice, Set.of(Once.DARK));
        owned.stream()
                .filter(position -> !isOf(slice, position) && !isOfAny(gone, position))
                .forEach(out::set);
        return Positions.of(out);
    }

    private boolean isOfAny(Set<SliceId> slices, int position) {
        SliceId owner = owners[position];
        return owner != null && slices.contains(owner);
    }

    private BitSet of(SliceId slice) {
        BitSet own = new BitSet();
        for (int position = 0; position < owners.length; position++) {
            own.set(position, isOf(slice, position));
        }
        return own;
    }

    /** Positions that are closed to a slice though no slice has them. */
    private BitSet unusable(SliceId slice, Set<Once> once) {
        BitSet out = copy(closed);
        addOthers(out, kept, slice);
        if (!once.contains(Once.LEFT)) {
            addOthers(out, lingering, slice);
        }
        if (!once.contains(Once.DARK)) {
            out.or(darkening);
        }
        return out;
    }

    private static void addOthers(BitSet out, Map<Integer, SliceId> theirs, SliceId slice) {
        theirs.forEach((position, keeper) -> {
            if (!keeper.equals(slice)) {
                out.set(position);
            }
        });
    }

    private static BitSet copy(BitSet of) {
        return (BitSet) of.clone();
    }

    /** Healthy positions that may join a group of this placement. O(positions). */
    Set<Integer> spares(RingPlacement placement, RingHealth judged, Set<Integer> occupied) {
        BitSet spares = new BitSet();
        spares.set(0, ring.positions());
        occupied.forEach(spares::clear);
        placement.groups().forEach(group -> group.members().forEach(spares::clear));
        judged.faulty().forEach(spares::clear);
        return Positions.of(spares);
    }

    /** Positions that are free ({@link #isFree}) now. */
    BitSet free() {
        BitSet free = new BitSet();
        free.set(0, ring.positions());
        free.andNot(owned);
        free.andNot(closed);
        free.andNot(faulty);
        free.andNot(darkening);
        lingering.keySet().forEach(free::clear);
        return free;
    }

    /** Those of these positions within reach of a member. O(members * reach). */
    int sparesNear(RingPlacement placement, BitSet free) {
        BitSet spares = new BitSet();
        for (RingGroup group : placement.groups()) {
            for (int member : group.members()) {
                for (int hop = -ring.reach(); hop <= ring.reach(); hop++) {
                    int near = ring.at(member, hop);
                    if (near >= 0 && free.get(near)) {
                        spares.set(near);
                    }
                }
            }
        }
        return spares.cardinality();
    }
}
