package dev.lightpath.planner.engine;

import dev.lightpath.planner.engine.allocation.RecordedSeats;
import dev.lightpath.planner.engine.allocation.SliceState;
import dev.lightpath.planner.engine.decision.SliceVerdict;
import dev.lightpath.planner.engine.decision.SliceVerdict.Light;
import dev.lightpath.planner.engine.pacing.ChangeFreeze;
import dev.lightpath.planner.engine.ring.RingLedger;
import dev.lightpath.planner.engine.state.RingState;
import dev.lightpath.planner.memory.FixedMap;
import dev.lightpath.planner.memory.Slot;
import dev.lightpath.planner.ring.RingFabric;
import dev.lightpath.planner.world.SliceId;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The verdicts of the slices of a ring. One is that of the pass before if its slice just keeps its place, as it did
 * then, its light has come as far, and the same positions around its members are free.
 */
final class RingVerdicts {
    private static final Slot<Known> SLOT = new Slot<>("verdicts of a ring");

    /**
     * What verdicts of a pass followed from, by index of the slice in order of precedence.
     *
     * @param concerned slices of which more was said than that they keep their place
     * @param free positions that were left
     * @param grounds of all light, compared by identity
     */
    private record Known(
            RingFabric ring,
            ChangeFreeze freeze,
            boolean awaitsRoutes,
            List<SliceState> slices,
            BitSet concerned,
            BitSet free,
            Object grounds,
            @Nullable Light[] lights,
            @Nullable SliceVerdict[] verdicts) {
        boolean isFor(Known now) {
            return freeze == now.freeze
                    && awaitsRoutes == now.awaitsRoutes
                    && slices.size() == now.slices.size()
                    && ring.equals(now.ring);
        }

        /** Whether a slice was the same, and just kept its place. */
        boolean kept(int index, SliceState slice) {
            SliceVerdict known = verdicts[index];
            return known != null
                    && !concerned.get(index)
                    && known.preemptor().isEmpty()
                    && (slices.get(index) == slice || slices.get(index).isAs(slice));
        }
    }

    private final RingLedger ledger;
    private final RingLights lights;
    private final @Nullable Known before;
    private final Known now;

    private RingVerdicts(RingLedger ledger, ChangeFreeze freeze, RingLights lights) {
        this.ledger = ledger;
        this.lights = lights;
        RingState state = lights.state();
        List<SliceState> slices = ledger.seats().slices();
        this.now = new Known(
                state.intent().ring(),
                freeze,
                state.intent().policy().awaitsRoutes(),
                slices,
                ledger.concerned(),
                ledger.free(),
                lights.grounds(),
                new Light[slices.size()],
                new SliceVerdict[slices.size()]);
        this.before =
                state.memory().before(SLOT).filter(known -> known.isFor(now)).orElse(null);
        state.memory().keep(SLOT, now);
    }

    /**
     * Linear in slices, and in members of those of which something changed.
     *
     * @param verdict of a slice, if it is to be judged anew
     */
    static SortedMap<SliceId, SliceVerdict> of(
            RingLedger ledger, ChangeFreeze freeze, RingLights lights, Function<SliceState, SliceVerdict> verdict) {
        RingVerdicts verdicts = new RingVerdicts(ledger, freeze, lights);
        verdicts.fill(verdict);
        return FixedMap.derived(
                ledger.seats().indices(), index -> Objects.requireNonNull(verdicts.now.verdicts[index]));
    }

    private void fill(Function<SliceState, SliceVerdict> verdict) {
        RecordedSeats seats = ledger.seats();
        BitSet anew = (BitSet) ledger.concerned().clone();
        if (before != null) {
            BitSet freed = (BitSet) now.free.clone();
            freed.xor(before.free);
            anew.or(seats.near(freed));
        }
        for (int index = 0; index < now.slices.size(); index++) {
            SliceState slice = now.slices.get(index);
            boolean kept = before != null && !anew.get(index) && before.kept(index, slice) && !isPreempted(slice);
            Light light = kept && before != null && before.grounds == now.grounds ? before.lights[index] : light(slice);
            now.lights[index] = light;
            now.verdicts[index] = kept && before != null && before.lights[index] == light
                    ? before.verdicts[index]
                    : verdict.apply(slice);
        }
    }

    private boolean isPreempted(SliceState slice) {
        return !ledger.preemptors().isEmpty() && ledger.preemptors().containsKey(slice.id());
    }

    private @Nullable Light light(SliceState slice) {
        return slice.placed() ? lights.of(slice.recorded().orElseThrow()) : null;
    }
}
