package dev.lightpath.planner.engine;

import dev.lightpath.planner.engine.allocation.InvalidAllocation;
import dev.lightpath.planner.engine.allocation.SliceState;
import dev.lightpath.planner.engine.circuits.RingCircuits;
import dev.lightpath.planner.engine.decision.SliceVerdict;
import dev.lightpath.planner.engine.pacing.ChangeFreeze;
import dev.lightpath.planner.engine.ring.RingLedger;
import dev.lightpath.planner.engine.state.RingState;
import dev.lightpath.planner.fault.FaultBook;
import dev.lightpath.planner.fault.Subject;
import dev.lightpath.planner.light.StageId;
import dev.lightpath.planner.world.LedgerEntry;
import dev.lightpath.planner.world.RingIntent;
import dev.lightpath.planner.world.SliceId;
import dev.lightpath.planner.world.SliceIntent;
import dev.lightpath.planner.world.World;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;

/**
 * A ring on paper: the decisions of {@link FabricEngine#deliberate}, taken by the same code, as though the driver were in contact, no
 * light foreign, every record written at once, and what is released dark at once.
 */
public final class RingPaper {
    /** Passes that may record something; an operator that decides to and fro would never come to rest. */
    private static final int MOST_PASSES = 1000;

    private final Instant now;
    private final RingIntent ring;
    private final SortedMap<SliceId, SliceIntent> slices;
    private final Paper paper;
    private final FaultBook book;

    /**
     * @param faulty what counts as faulty besides what the signals of the ring's nodes say
     * @param silent nodes whose transceivers cannot be read: what is released there is not read back
     */
    RingPaper(
            Instant now,
            RingIntent ring,
            SortedMap<SliceId, SliceIntent> slices,
            Collection<Subject> faulty,
            SortedSet<String> silent) {
        this.now = now;
        this.ring = ring;
        this.slices = slices;
        this.paper = new Paper(silent);
        this.book = Paper.book(
                now, ring.nodes().values().stream().flatMap(node -> node.signals().stream()), faulty, ring.policy());
    }

    /**
     * How a ring comes to rest.
     *
     * @param ledger what is recorded then
     * @param steps what was recorded on the way
     * @param verdicts of the last pass
     */
    public record Rest(
            SortedMap<SliceId, LedgerEntry> ledger,
            List<RingPreview.Step> steps,
            SortedMap<SliceId, SliceVerdict.Placement> verdicts) {
        public Rest {
            ledger = Collections.unmodifiableSortedMap(ledger);
            steps = List.copyOf(steps);
            verdicts = Collections.unmodifiableSortedMap(verdicts);
        }
    }

    /**
     * Decides until nothing is left to be recorded.
     *
     * @param now the moment of all passes
     * @param ring the fabric
     * @param slices wishes for it
     * @param ledger what is recorded for them
     * @param faulty what counts as faulty besides what the signals of the ring's nodes say
     * @param silent nodes whose transceivers cannot be read: what is released there is not read back
     * @throws IllegalStateException if the decisions go to and fro
     */
    public static Rest rest(
            Instant now,
            RingIntent ring,
            SortedMap<SliceId, SliceIntent> slices,
            SortedMap<SliceId, LedgerEntry> ledger,
            Collection<Subject> faulty,
            SortedSet<String> silent) {
        RingPaper paper = new RingPaper(now, ring, slices, faulty, silent);
        SortedMap<SliceId, LedgerEntry> recorded = paper.paper.ledger(slices, ledger);
        List<RingPreview.Step> steps = new ArrayList<>();
        for (int pass = 0; pass < MOST_PASSES; pass++) {
            Pass heard = paper.pass(recorded);
            if (heard.ledger().entries().isEmpty()) {
                return new Rest(recorded, steps, heard.ledger().verdicts());
            }
            steps.addAll(paper.record(heard, recorded));
        }
        throw new IllegalStateException("ring " + ring.name() + ": something is still recorded after " + MOST_PASSES
                + " passes, last " + steps.getLast());
    }

    /** One pass, with the scene it saw. */
    record Pass(RingState scene, RingLedger ledger) {}

    Pass pass(SortedMap<SliceId, LedgerEntry> ledger) {
        World world = World.atRest(
                now,
                new StageId(1, 1),
                new TreeMap<>(Map.of(ring.name(), ring)),
                new TreeMap<>(),
                slices,
                ledger,
                new TreeMap<>(Map.of(ring.driver(), Paper.driver())));
        RingState scene = RingState.of(world, ring, book);
        List<SliceState> claims = new ArrayList<>(SliceState.of(world, ring));
        List<InvalidAllocation> misfits = InvalidAllocation.among(claims, ring.ring(), world.recording());
        misfits.forEach(misfit -> claims.remove(misfit.claim()));
        RingCircuits light = RingCircuits.of(scene, claims, misfits);
        return new Pass(
                scene,
                RingLedger.of(scene, light, ring.retiring() ? ChangeFreeze.RETIRING : ChangeFreeze.NONE, claims));
    }

    /** Writes what a pass decided. */
    List<RingPreview.Step> record(Pass pass, SortedMap<SliceId, LedgerEntry> ledger) {
        return paper.record(pass.ledger().entries(), ledger);
    }
}
