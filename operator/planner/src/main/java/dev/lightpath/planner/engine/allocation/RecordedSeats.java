package dev.lightpath.planner.engine.allocation;

import dev.lightpath.planner.memory.FixedMap;
import dev.lightpath.planner.memory.PassMemory;
import dev.lightpath.planner.memory.Slot;
import dev.lightpath.planner.ring.RingFabric;
import dev.lightpath.planner.ring.RingHealth;
import dev.lightpath.planner.world.Allocation;
import dev.lightpath.planner.world.SliceId;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Which slice of a ring its record puts at each position, and which slices a pass has to look at whatever has happened.
 * It follows from the slices alone, so that of the pass before is advanced by the slices that changed. Not changed once
 * it is made.
 */
public final class RecordedSeats {
    /** Those of all slices of a ring whose records fit it. */
    public static final Slot<RecordedSeats> OF_RECORDS = new Slot<>("recorded seats");

    /** Those of the slices that are decided about, where that is not all of them. */
    public static final Slot<RecordedSeats> OF_DECIDED = new Slot<>("recorded seats of slices that are decided about");

    private static final int NOBODY = -1;

    private final RingFabric ring;
    /** In order of precedence; slices are named by their index here. */
    private final List<SliceState> slices;

    private final SortedMap<SliceId, Integer> indices;
    /** The last slice whose record names a position. */
    private final int[] at;

    private final @Nullable SliceId[] owners;
    private final BitSet owned;
    /** Slices of which more is to be said than that they have a place, though all their members are well. */
    private final BitSet restless;
    /** Slices that left nodes or wait for an answer. */
    private final BitSet unfinished;
    /** Slices whose pods hold nodes that their record does not name. */
    private final BitSet elsewhere;
    /** Whether records of several slices name the same position. */
    private boolean overlaps;

    private long gpus;

    private RecordedSeats(RingFabric ring, List<SliceState> slices) {
        this.ring = ring;
        this.slices = slices;
        this.at = new int[ring.positions()];
        Arrays.fill(at, NOBODY);
        this.owners = new SliceId[ring.positions()];
        this.owned = new BitSet();
        this.restless = new BitSet();
        this.unfinished = new BitSet();
        this.elsewhere = new BitSet();
        SortedMap<SliceId, Integer> byId = new TreeMap<>();
        for (int index = 0; index < slices.size(); index++) {
            byId.put(slices.get(index).id(), index);
        }
        this.indices = FixedMap.copyOf(byId);
        for (int index = 0; index < slices.size(); index++) {
            take(index);
        }
    }

    private RecordedSeats(RecordedSeats before, List<SliceState> slices) {
        this.ring = before.ring;
        this.slices = slices;
        this.indices = before.indices;
        this.at = before.at.clone();
        this.owners = before.owners.clone();
        this.owned = (BitSet) before.owned.clone();
        this.restless = (BitSet) before.restless.clone();
        this.unfinished = (BitSet) before.unfinished.clone();
        this.elsewhere = (BitSet) before.elsewhere.clone();
        this.gpus = before.gpus;
    }

    /**
     * Of all slices whose records fit the ring. Linear in slices and in members of those that changed, or constant;
     * linear in members where a slice came or went.
     */
    public static RecordedSeats ofRecords(RingFabric ring, List<SliceState> slices, PassMemory memory) {
        return of(ring, slices, memory, OF_RECORDS);
    }

    /** The same of those that are decided about: what goes on from all slices does not go on from a part of them. */
    public static RecordedSeats ofDecided(RingFabric ring, List<SliceState> slices, PassMemory memory) {
        return memory.latest(OF_RECORDS)
                .filter(all -> all.ring.equals(ring) && all.isOf(slices))
                .orElseGet(() -> of(ring, slices, memory, OF_DECIDED));
    }

    private static RecordedSeats of(
            RingFabric ring, List<SliceState> slices, PassMemory memory, Slot<RecordedSeats> slot) {
        RecordedSeats seats = memory.latest(slot)
                .filter(before -> before.ring.equals(ring))
                .flatMap(before -> before.advanced(slices))
                .orElseGet(() -> new RecordedSeats(ring, slices));
        memory.keep(slot, seats);
        return seats;
    }

    /** Whether these slices are the very same objects. Linear in slices, or constant. */
    private boolean isOf(List<SliceState> others) {
        return others == slices
                || others.size() == slices.size()
                        && IntStream.range(0, others.size()).allMatch(index -> others.get(index) == slices.get(index));
    }

    /**
     * Those of the same slices with other wishes and records, in the same order; empty where a slice came or went, or
     * where records of several slices name the same position.
     */
    public Optional<RecordedSeats> advanced(List<SliceState> now) {
        if (isOf(now)) {
            return Optional.of(this);
        }
        if (overlaps || now.size() != slices.size()) {
            return Optional.empty();
        }
        BitSet changed = new BitSet();
        for (int index = 0; index < now.size(); index++) {
            SliceState slice = now.get(index);
            SliceState before = slices.get(index);
            if (!slice.id().equals(before.id())) {
                return Optional.empty();
            }
            changed.set(index, !slice.isAs(before));
        }
        RecordedSeats next = new RecordedSeats(this, now);
        changed.stream().forEach(index -> next.leave(index, slices.get(index)));
        changed.stream().forEach(next::take);
        return next.overlaps ? Optional.empty() : Optional.of(next);
    }

    private void leave(int index, SliceState before) {
        before.recorded()
                .ifPresent(recorded -> recorded.forEachMember(member -> {
                    at[member.position()] = NOBODY;
                    owners[member.position()] = null;
                    owned.clear(member.position());
                }));
        gpus -= gpus(before);
        restless.clear(index);
        unfinished.clear(index);
        elsewhere.clear(index);
    }

    private void take(int index) {
        SliceState slice = slices.get(index);
        slice.recorded()
                .ifPresent(recorded -> recorded.forEachMember(member -> {
                    int other = at[member.position()];
                    if (other != NOBODY && other != index) {
                        overlaps = true;
                        restless.set(other);
                        restless.set(index);
                    }
                    at[member.position()] = index;
                    owners[member.position()] = slice.id();
                    owned.set(member.position());
                }));
        gpus += gpus(slice);
        if (!rests(slice)) {
            restless.set(index);
        }
        unfinished.set(
                index,
                slice.awaitsAnswer()
                        || slice.recorded()
                                .filter(recorded -> !recorded.releasing().isEmpty())
                                .isPresent());
        elsewhere.set(index, holdsMore(slice));
    }

    /** GPUs of all groups of a slice, if it has a place. */
    public static long gpus(SliceState slice) {
        return slice.placed() ? (long) slice.demand().tensor() * slice.groups().size() : 0;
    }

    /** Whether a slice keeps its place and nothing else as long as all its members are well. */
    private boolean rests(SliceState slice) {
        return slice.intent().wanted()
                && !slice.lost()
                && !slice.awaitsAnswer()
                && !slice.scaleUp().elastic()
                && slice.demand().fits(ring)
                && slice.recorded()
                        .filter(recorded -> !recorded.groups().isEmpty()
                                && recorded.releasing().isEmpty())
                        .isPresent();
    }

    private static boolean holdsMore(SliceState slice) {
        SortedSet<String> holding = slice.intent().workload().holding();
        if (holding.isEmpty()) {
            return false;
        }
        SortedSet<String> nodes = slice.recorded().map(Allocation::nodes).orElse(null);
        return nodes == null || !nodes.containsAll(holding);
    }

    /** In order of precedence. */
    public List<SliceState> slices() {
        return slices;
    }

    /** The index of each slice among them, in order of their names. */
    public SortedMap<SliceId, Integer> indices() {
        return indices;
    }

    /** What followed from the record of a slice that has a place. */
    Optional<DerivedPlacement> derived(SliceId slice) {
        return Optional.ofNullable(indices.get(slice))
                .map(slices::get)
                .filter(SliceState::placed)
                .flatMap(SliceState::known);
    }

    /** Whether records of several slices name the same position. */
    public boolean overlaps() {
        return overlaps;
    }

    /** By position, a copy. */
    public @Nullable SliceId[] owners() {
        return owners.clone();
    }

    /** Positions that a record names; not to be changed. */
    public BitSet owned() {
        return owned;
    }

    /** GPUs of all groups of slices that have a place. */
    public long gpus() {
        return gpus;
    }

    /** Whether any slice has a place and waits for the answer of its job. */
    public boolean anyAwaits() {
        return unfinished().anyMatch(SliceState::awaitsAnswer);
    }

    /** Slices that left nodes or wait for an answer, in order of precedence. */
    public Stream<SliceState> unfinished() {
        return unfinished.stream().mapToObj(slices::get);
    }

    /** Slices whose pods hold nodes that their record does not name, in order of precedence. */
    public Stream<SliceState> elsewhere() {
        return elsewhere.stream().mapToObj(slices::get);
    }

    /**
     * Indices of slices of which a pass has more to say than that they have their place: those that are not just
     * placed, and those with a member of which something is wrong. Linear in these.
     *
     * @param displaced slices with displaced members
     */
    public BitSet concerned(RingHealth health, Set<SliceId> displaced) {
        BitSet concerned = (BitSet) restless.clone();
        Stream.of(health.faulty(), health.lost().keySet())
                .flatMap(Set::stream)
                .filter(position -> at[position] != NOBODY)
                .forEach(position -> concerned.set(at[position]));
        displaced.forEach(slice -> {
            Integer index = indices.get(slice);
            if (index != null) {
                concerned.set(index);
            }
        });
        return concerned;
    }

    /** Indices of slices with a member at one of these positions, or within reach of one. */
    public BitSet near(BitSet positions) {
        BitSet near = new BitSet();
        positions.stream().forEach(position -> {
            for (int hop = -ring.reach(); hop <= ring.reach(); hop++) {
                int beside = ring.at(position, hop);
                if (beside >= 0 && at[beside] != NOBODY) {
                    near.set(at[beside]);
                }
            }
        });
        return near;
    }
}
