package dev.lightpath.planner.engine;

import dev.lightpath.planner.engine.allocation.FabricSlices;
import dev.lightpath.planner.engine.allocation.InvalidAllocation;
import dev.lightpath.planner.engine.allocation.OverQuota;
import dev.lightpath.planner.engine.allocation.RecordedSeats;
import dev.lightpath.planner.engine.allocation.SliceState;
import dev.lightpath.planner.engine.circuits.RingCircuits;
import dev.lightpath.planner.engine.circuits.RingPlanning;
import dev.lightpath.planner.engine.decision.SliceVerdict;
import dev.lightpath.planner.engine.pacing.ChangeFreeze;
import dev.lightpath.planner.engine.state.AllocationRecovery;
import dev.lightpath.planner.engine.state.DeviceMismatch;
import dev.lightpath.planner.engine.state.RingState;
import dev.lightpath.planner.light.Reason;
import dev.lightpath.planner.memory.Slot;
import dev.lightpath.planner.ring.RingFabric;
import dev.lightpath.planner.words.Words;
import dev.lightpath.planner.world.Allocation;
import dev.lightpath.planner.world.Demand;
import dev.lightpath.planner.world.LedgerEntry;
import dev.lightpath.planner.world.SliceId;
import dev.lightpath.planner.world.SliceIntent;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The slices of a ring and their records: which fit the ring, which were lost and are recovered, and about which slices
 * nothing is decided now.
 *
 * @param invalid records that do not fit the ring
 * @param seats the slices whose records do, and which of them each position is of
 */
record RingRecords(RingState state, List<InvalidAllocation> invalid, RecordedSeats seats, AllocationRecovery recovery) {
    private static final int MOST_NAMED = 8;

    /** Those of the pass before, from which this one goes on. */
    private static final Slot<Judged> SLOT = new Slot<>("records of a ring");

    /**
     * Records, and all that their judgement follows from.
     *
     * @param slices of the world, compared by identity of what they name
     * @param ledger the same
     */
    private record Judged(
            SortedMap<SliceId, SliceIntent> slices,
            SortedMap<SliceId, LedgerEntry> ledger,
            RingFabric ring,
            List<InvalidAllocation> invalid,
            RecordedSeats seats) {
        static Judged of(RingState state, List<InvalidAllocation> invalid, RecordedSeats seats) {
            return new Judged(
                    state.world().slices(),
                    state.world().ledger(),
                    state.intent().ring(),
                    invalid,
                    seats);
        }
    }

    static RingRecords of(RingState state) {
        Judged judged = state.memory()
                .before(SLOT)
                .flatMap(before -> goOn(before, state))
                .orElseGet(() -> judged(state));
        state.memory().keep(SLOT, judged);
        state.memory().keep(RecordedSeats.OF_RECORDS, judged.seats());
        return new RingRecords(
                state,
                judged.invalid(),
                judged.seats(),
                AllocationRecovery.of(state, judged.seats().slices(), judged.invalid()));
    }

    /** Slices whose records fit the ring, in order of precedence. */
    private List<SliceState> fitting() {
        return seats.slices();
    }

    /** All slices of the ring. */
    Stream<SliceState> all() {
        return Stream.concat(fitting().stream(), invalid.stream().map(InvalidAllocation::slice));
    }

    private static Judged judged(RingState state) {
        List<SliceState> all = SliceState.of(state.world(), state.intent());
        List<InvalidAllocation> invalid = InvalidAllocation.among(
                all, state.intent().ring(), state.world().recording().keySet());
        List<SliceState> valid = new ArrayList<>(all);
        invalid.forEach(each -> valid.remove(each.slice()));
        List<SliceState> fitting = valid.stream()
                .map(slice -> slice.deriving(state.intent().ring()))
                .toList();
        return Judged.of(state, invalid, RecordedSeats.ofRecords(state.intent().ring(), fitting, state.memory()));
    }

    /**
     * The same slices, some of which have another wish or record; empty where one came, went or changed its precedence,
     * or where any record does not fit. Linear in slices without looking at those that did not change.
     */
    private static Optional<Judged> goOn(Judged before, RingState state) {
        RecordedSeats seats = before.seats();
        if (seats.overlaps()
                || !before.invalid().isEmpty()
                || !before.ring().equals(state.intent().ring())) {
            return Optional.empty();
        }
        List<SliceState> fitting = new ArrayList<>(seats.slices());
        for (SliceId id : state.world().changedSince(before.slices(), before.ledger())) {
            Optional<SliceState> now = of(state, id);
            Integer index = seats.indices().get(id);
            if (index == null && now.isEmpty()) {
                continue;
            }
            if (index == null || now.isEmpty() || !fits(state, now.get(), fitting.get(index))) {
                return Optional.empty();
            }
            fitting.set(index, now.get().deriving(state.intent().ring()));
        }
        return seats.advanced(fitting).map(now -> Judged.of(state, List.of(), now));
    }

    private static Optional<SliceState> of(RingState state, SliceId id) {
        return Optional.ofNullable(state.world().slices().get(id))
                .filter(slice ->
                        slice.fabric().equals(state.intent().name()) && slice.demand() instanceof Demand.ScaleUp)
                .flatMap(slice -> SliceState.recorded(state.world(), slice));
    }

    /** Whether a slice fits the ring in the place of what it was. */
    private static boolean fits(RingState state, SliceState slice, SliceState before) {
        return SliceIntent.PRECEDENCE.compare(slice.intent(), before.intent()) == 0
                && InvalidAllocation.among(
                                List.of(slice),
                                state.intent().ring(),
                                state.world().recording().keySet())
                        .isEmpty();
    }

    RingCircuits circuits() {
        return RingPlanning.of(
                state,
                restored(),
                invalid,
                recovery.records().keySet(),
                recovery.doubts().keySet());
    }

    private List<SliceState> restored() {
        return recovery.records().isEmpty()
                ? fitting()
                : fitting().stream().map(recovery::restored).toList();
    }

    /** What of description, records and devices does not fit together, for people. */
    Optional<String> invalidWiring() {
        List<String> flaws = new ArrayList<>();
        flaws.addAll(first(state.intent().claims().values(), "positions"));
        flaws.addAll(first(state.intent().astray().values(), "nodes"));
        state.intent().torMismatch().ifPresent(flaws::add);
        invalid.forEach(each -> flaws.add(each.why()));
        flaws.addAll(DeviceMismatch.named(List.copyOf(state.lacking().values())));
        return flaws.isEmpty() ? Optional.empty() : Optional.of(String.join("; ", flaws));
    }

    private static List<String> first(Collection<String> alike, String ofWhat) {
        return alike.size() <= MOST_NAMED
                ? List.copyOf(alike)
                : Stream.concat(
                                alike.stream().limit(MOST_NAMED),
                                Stream.of("and " + (alike.size() - MOST_NAMED) + " more " + ofWhat + " like these"))
                        .toList();
    }

    /** Slices about which a pass decides, and what the others are told. */
    FabricSlices slices(RingCircuits circuits) {
        return FabricSlices.without(circuits.freeze().recognises() ? restored() : fitting(), undecided(circuits));
    }

    /** What the others are told. */
    private SortedMap<SliceId, SliceVerdict> undecided(RingCircuits circuits) {
        SortedMap<SliceId, SliceVerdict> undecided = new TreeMap<>();
        invalid.forEach(each -> undecided.put(each.slice().id(), verdict(each)));
        if (state.intent().policy().adopt().isEmpty()) {
            recovery.doubts().forEach((slice, doubt) -> undecided.put(slice, verdict(doubt)));
        }
        SortedSet<String> resetting = circuits.resetting();
        if (!resetting.isEmpty()) {
            fitting().stream()
                    .filter(slice -> slice.intent().wanted() && slice.recorded().isEmpty())
                    .forEach(slice -> undecided.put(slice.id(), awaits(resets(resetting))));
        }
        // a slice whose circuits were found is not judged anew
        OverQuota.on(state.world(), state.intent().name()).forEach((slice, verdict) -> {
            if (!recovery.records().containsKey(slice)) {
                undecided.putIfAbsent(slice, verdict);
            }
        });
        return undecided;
    }

    private static SliceVerdict verdict(String doubt) {
        return awaits(
                doubt + "; write its status.allocation back as the operator's service account (kubectl lightpath export"
                        + " has it), or set spec.adopt of the fabric to Keep: then that light is nobody's and the slice is placed"
                        + " elsewhere");
    }

    private static String resets(SortedSet<String> nodes) {
        return "light that was there before goes first (spec.adopt: Reset), on " + Words.first(MOST_NAMED, nodes);
    }

    private static SliceVerdict awaits(String why) {
        return new SliceVerdict(
                new SliceVerdict.Placement.Unplaced(ChangeFreeze.AWAITING_ADOPTION.reason(), why),
                Optional.empty(),
                SliceVerdict.Light.none());
    }

    private static SliceVerdict verdict(InvalidAllocation record) {
        String why =
                record.why() + "; its light is left alone: describe the fabric as it was when the record was written,"
                        + " or annotate the slice lightpath.dev/force-release and place the job anew";
        Optional<Allocation> recorded = record.slice().recorded();
        return new SliceVerdict(
                record.slice().intent().wanted()
                        ? new SliceVerdict.Placement.Unplaced(Reason.INVALID_WIRING, why)
                        : new SliceVerdict.Placement.Releasing(
                                recorded.map(allocation -> allocation.nodes().size())
                                        .orElse(0),
                                why),
                recorded,
                SliceVerdict.Light.none());
    }
}
