package dev.lightpath.planner.engine;

import dev.lightpath.planner.ask.TopologyAnswer;
import dev.lightpath.planner.ask.TopologyQuestion;
import dev.lightpath.planner.fault.Subject;
import dev.lightpath.planner.world.LedgerEntry;
import dev.lightpath.planner.world.OcsIntent;
import dev.lightpath.planner.world.RingIntent;
import dev.lightpath.planner.world.SliceId;
import dev.lightpath.planner.world.SliceIntent;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * Rings and switches that faults strike on paper. They come to rest without a fault once, and no question is answered twice. A paused fabric
 * goes on here.
 */
public final class FaultRehearsal {
    private final Instant now;
    private final SortedMap<String, RingIntent> rings;
    private final SortedMap<String, OcsIntent> spines;
    private final Collection<Subject> faulty;
    private final Function<TopologyQuestion, TopologyAnswer> solver;
    private final SortedMap<String, TopologyAnswer> answers = new TreeMap<>();
    private final FaultPreview.Rest calm;

    /**
     * A few passes of the operator, and the time its questions take.
     *
     * @param rings by name, all that share jobs with the others
     * @param spines by name
     * @param slices wishes on these fabrics
     * @param ledger what is recorded for them
     * @param faulty what counts as faulty already, besides what the signals of nodes say
     * @param solver answers a question
     */
    public FaultRehearsal(
            Instant now,
            SortedMap<String, RingIntent> rings,
            SortedMap<String, OcsIntent> spines,
            SortedMap<SliceId, SliceIntent> slices,
            SortedMap<SliceId, LedgerEntry> ledger,
            Collection<Subject> faulty,
            Function<TopologyQuestion, TopologyAnswer> solver) {
        this.now = now;
        this.rings = rings;
        this.spines = spines;
        this.faulty = List.copyOf(faulty);
        this.solver = solver;
        this.calm = rest(slices, ledger, this.faulty);
    }

    /**
     * Again a few passes, and the time of questions that were not asked yet.
     *
     * @param struck the wishes once the fault has struck: without the pods that it ends
     */
    public FaultPreview strike(Subject fault, SortedMap<SliceId, SliceIntent> struck) {
        List<Subject> all = new ArrayList<>(faulty);
        all.add(fault);
        return FaultPreview.between(calm, rest(struck, calm.ledger(), all));
    }

    private FaultPreview.Rest rest(
            SortedMap<SliceId, SliceIntent> slices,
            SortedMap<SliceId, LedgerEntry> ledger,
            Collection<Subject> broken) {
        PaperWorld paper = new PaperWorld(now, rings, spines, slices, ledger, broken, solver, answers);
        int passes = 8 + 4 * slices.size();
        for (int pass = 1; ; pass++) {
            PaperWorld.Pass made = paper.pass();
            if (made.resting() || pass == passes) {
                return new FaultPreview.Rest(paper.ledger(), made.heard().slices(), made.resting());
            }
        }
    }
}
