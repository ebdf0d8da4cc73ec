package dev.lightpath.planner.engine;

import dev.lightpath.planner.engine.allocation.RecordedSeats;
import dev.lightpath.planner.engine.allocation.SliceState;
import dev.lightpath.planner.engine.circuits.RingCircuits;
import dev.lightpath.planner.engine.decision.SliceVerdict;
import dev.lightpath.planner.engine.pacing.ChangeFreeze;
import dev.lightpath.planner.engine.ring.RingLedger;
import dev.lightpath.planner.engine.state.RingState;
import dev.lightpath.planner.light.Backoff;
import dev.lightpath.planner.light.DeviceId;
import dev.lightpath.planner.memory.FixedMap;
import dev.lightpath.planner.memory.Slot;
import dev.lightpath.planner.world.SliceId;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The verdicts of the slices of a ring. One is that of the pass before if its slice just keeps its place, as it did
 * then, the same is wanted and shown at its members, and the same positions around them are free.
 */
final class RingVerdicts {
    private static final Slot<Known> SLOT = new Slot<>("verdicts of a ring");

    /** What counts for all verdicts of a ring alike, beside what its plan follows from. */
    private record Common(
            ChangeFreeze freeze, String driver, Optional<String> problem, SortedMap<DeviceId, Backoff> setbacks) {
        static Common of(RingState state, ChangeFreeze freeze) {
            return new Common(
                    freeze,
                    state.intent().driver(),
                    state.driver().problem(),
                    state.world().setbacks());
        }
    }

    /**
     * What verdicts of a pass followed from, by index of the slice in order of precedence.
     *
     * @param plan stands for all circuits that are wanted and the devices that are to show them
     * @param concerned slices of which more was said than that they keep their place
     * @param free positions that were left
     */
    private record Known(
            Common common,
            Object plan,
            RecordedSeats seats,
            BitSet concerned,
            BitSet free,
            @Nullable SliceVerdict[] verdicts) {
        /** The verdict of a slice that was the same, and just kept its place; null if there is none. */
        @Nullable
        SliceVerdict kept(SliceState slice) {
            Integer index = seats.indices().get(slice.id());
            SliceVerdict known = index == null ? null : verdicts[index];
            return index != null
                            && known != null
                            && !concerned.get(index)
                            && known.preemptor().isEmpty()
                            && seats.slices().get(index).isAs(slice)
                    ? known
                    : null;
        }
    }

    private RingVerdicts() {}

    /**
     * Linear in slices, and in members of those of which something changed.
     *
     * @param verdict of a slice, if it is to be judged anew
     */
    static SortedMap<SliceId, SliceVerdict> of(
            RingState state, RingCircuits circuits, RingLedger ledger, Function<SliceState, SliceVerdict> verdict) {
        List<SliceState> slices = ledger.seats().slices();
        Known now = new Known(
                Common.of(state, circuits.freeze()),
                circuits.grounds(),
                ledger.seats(),
                ledger.concerned(),
                ledger.free(),
                new SliceVerdict[slices.size()]);
        Optional<Known> before =
                state.memory().before(SLOT).filter(known -> known.common().equals(now.common()));
        Optional<BitSet> anew =
                before.flatMap(known -> circuits.changedSince(known.plan()).map(changed -> anew(known, now, changed)));
        for (int index = 0; index < slices.size(); index++) {
            SliceState slice = slices.get(index);
            boolean mayStand = anew.isPresent()
                    && !anew.get().get(index)
                    && !ledger.preemptors().containsKey(slice.id());
            SliceVerdict kept = mayStand ? before.orElseThrow().kept(slice) : null;
            now.verdicts()[index] = kept == null ? verdict.apply(slice) : kept;
        }
        state.memory().keep(SLOT, now);
        return FixedMap.derived(now.seats().indices(), index -> Objects.requireNonNull(now.verdicts()[index]));
    }

    /**
     * Slices to be judged anew, by index: those that are concerned, and those near positions at which anything changed.
     */
    private static BitSet anew(Known before, Known now, BitSet changed) {
        BitSet positions = (BitSet) now.free().clone();
        positions.xor(before.free());
        positions.or(changed);
        BitSet anew = now.seats().near(positions);
        anew.or(now.concerned());
        return anew;
    }
}
