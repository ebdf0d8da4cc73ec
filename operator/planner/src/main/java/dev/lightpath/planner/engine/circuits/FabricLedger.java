package dev.lightpath.planner.engine.circuits;

import dev.lightpath.planner.engine.allocation.LedgerDraft;
import dev.lightpath.planner.engine.allocation.SliceState;
import dev.lightpath.planner.engine.decision.Decision;
import dev.lightpath.planner.engine.decision.SliceVerdict.Placement;
import dev.lightpath.planner.engine.decision.SliceVerdict.Siting;
import dev.lightpath.planner.engine.pacing.ChangeFreeze;
import dev.lightpath.planner.engine.pacing.RepairGate;
import dev.lightpath.planner.world.Allocation;
import dev.lightpath.planner.world.Announcement;
import dev.lightpath.planner.world.JobId;
import dev.lightpath.planner.world.Origin;
import dev.lightpath.planner.world.SliceId;
import java.time.Instant;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * What a pass decides about the records of one fabric, slice by slice: slices that are not wanted any more give
 * everything up, and what is read back dark is struck off. How a wanted slice is served depends on the kind of fabric.
 * Serves one pass.
 */
public abstract class FabricLedger {
    private static final Placement KEPT = new Placement.Placed();

    private final CircuitDiff circuits;
    private final LedgerDraft draft = new LedgerDraft();
    private final SortedMap<SliceId, Placement> verdicts = new TreeMap<>();
    /** All slices that are decided about, by name. */
    private SortedMap<SliceId, SliceState> decided = Collections.emptySortedMap();
    /** Of these, those of which more was to be said than that they keep their place. */
    private List<SliceState> concerned = List.of();

    private final AnnouncedMoves announced;
    private final RepairGate gate;

    protected FabricLedger(CircuitDiff circuits) {
        this.circuits = circuits;
        this.announced = circuits.announced();
        this.gate = new RepairGate(circuits.freeze(), circuits.state().world().now());
    }

    /** Decides about these slices in their order, and tells what becomes of each. */
    protected final void decide(List<SliceState> slices) {
        SortedMap<SliceId, SliceState> all = new TreeMap<>();
        slices.forEach(slice -> all.put(slice.id(), slice));
        decide(all, slices);
    }

    /**
     * The same where it is known that all others keep their place and nothing else.
     *
     * @param all slices by name
     * @param some of these, in their order
     */
    protected final void decide(SortedMap<SliceId, SliceState> all, List<SliceState> some) {
        decided = all;
        concerned = some;
        for (SliceState slice : some) {
            verdicts.put(slice.id(), slice.intent().wanted() ? wanted(slice) : release(slice));
        }
    }

    /** Places a wanted slice, or cares for its place. */
    protected abstract Placement serve(SliceState slice);

    /** The slice gives up its place in this pass. */
    protected void givesUp(SliceState slice) {}

    /** The slice is not wanted any more, whether it has given up its place or not. */
    protected void released(SliceState slice) {}

    protected final LedgerDraft draft() {
        return draft;
    }

    protected final RepairGate gate() {
        return gate;
    }

    protected final ChangeFreeze freeze() {
        return circuits.freeze();
    }

    /**
     * Where no other record was decided on, what is read back dark is struck off: a slice that is wanted again may wait
     * for what it gave up itself. While its job is asked, nothing else is decided about it.
     */
    private Placement wanted(SliceState slice) {
        if (slice.lost()) {
            writeAgain(slice);
            return KEPT;
        }
        Placement placement = slice.awaitsAnswer() ? asked(slice) : serve(slice);
        if (!draft.decided().contains(slice.id())) {
            tidy(slice);
        }
        return placement;
    }

    private Placement asked(SliceState slice) {
        Optional<Announcement.Kind> ending = announced.ending(slice);
        if (ending.filter(why -> !AnnouncedMoves.moves(why)).isPresent()) {
            return serve(slice);
        }
        ending.filter(why -> freeze() == ChangeFreeze.NONE)
                .ifPresent(why -> draft.lose(slice, announced.moved(slice, why)));
        return new Placement.Placed();
    }

    private void tidy(SliceState slice) {
        circuits.readBack(slice).ifPresent(next -> draft.lose(slice, next));
    }

    private Placement release(SliceState slice) {
        Placement placement = giveUp(slice);
        if (slice.lost()
                && !draft.decided().contains(slice.id())
                && slice.recorded().filter(Allocation::released).isEmpty()) {
            writeAgain(slice);
        }
        released(slice);
        return placement;
    }

    /** A record that the API server does not have any more, as it was: nothing else is decided by it. */
    private void writeAgain(SliceState slice) {
        draft.ran(Origin.Planner.INHERITANCE);
        draft.gain(slice, slice.recorded().orElseThrow());
    }

    private Placement giveUp(SliceState slice) {
        Allocation recorded = slice.recorded().orElse(null);
        if (recorded == null || recorded.released()) {
            return new Placement.Released();
        }
        if (!slice.placed()) {
            tidy(slice);
            return new Placement.Releasing(
                    circuits.left(recorded),
                    freeze().releases() ? circuits.awaits(recorded) : freeze().message(),
                    circuits.isBeyondReachOrRefuses(recorded));
        }
        if (slice.intent().workload().usesLight() && !slice.intent().forced()) {
            return new Placement.Releasing(circuits.held(recorded), "pods of the job still run");
        }
        draft.lose(slice, slice.giveUp());
        givesUp(slice);
        return new Placement.Releasing(circuits.held(recorded), "giving up");
    }

    /**
     * What to record: a record that gives up comes before the one that takes it over. Moves that a job is asked about
     * are announced in it.
     */
    public final List<Decision.Adopt.Entry> entries() {
        return announced.entries(draft.entries(), decided, draft.roomFor());
    }

    /** Whether a slice that was decided about has a place. */
    public final Placement placement(SliceId slice) {
        return verdicts.getOrDefault(slice, KEPT);
    }

    /** When the records need another look though nothing is heard; it may be now. */
    public final Optional<Instant> wakeAt() {
        return Stream.of(draft.wakeAt(), gate.opensAt(), announced.wakeAt(concerned))
                .flatMap(Optional::stream)
                .min(Comparator.naturalOrder());
    }

    /** Which job of higher priority is to have the place of each of these slices. */
    public SortedMap<SliceId, JobId> preemptors() {
        return Collections.emptySortedMap();
    }

    /** How good the place of a placed slice is. */
    public Optional<Siting> siting(SliceState placed) {
        return Optional.empty();
    }

    /** Whether a slice gave up circuits for a moment. */
    public boolean exchanging() {
        return false;
    }
}
