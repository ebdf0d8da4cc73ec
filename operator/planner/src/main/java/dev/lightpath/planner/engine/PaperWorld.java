package dev.lightpath.planner.engine;

import dev.lightpath.planner.ask.TopologyAnswer;
import dev.lightpath.planner.ask.TopologyQuestion;
import dev.lightpath.planner.engine.allocation.SliceState;
import dev.lightpath.planner.engine.decision.Decision;
import dev.lightpath.planner.engine.decision.Deliberation;
import dev.lightpath.planner.fault.FaultBook;
import dev.lightpath.planner.fault.Signal;
import dev.lightpath.planner.fault.Subject;
import dev.lightpath.planner.light.DriverState;
import dev.lightpath.planner.light.StageId;
import dev.lightpath.planner.world.FabricPolicy;
import dev.lightpath.planner.world.LedgerEntry;
import dev.lightpath.planner.world.OcsIntent;
import dev.lightpath.planner.world.Remembered;
import dev.lightpath.planner.world.RingIntent;
import dev.lightpath.planner.world.SliceId;
import dev.lightpath.planner.world.SliceIntent;
import dev.lightpath.planner.world.World;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Rings and switches together on paper: every driver in contact, no light foreign, no fabric paused, every record taken as written, every
 * release as read back, every question answered as soon as it is asked.
 */
final class PaperWorld {
    private static final Duration A_WHILE = Duration.ofSeconds(1);

    private final Paper paper = Paper.readable();
    private final Instant now;
    private final SortedMap<String, RingIntent> rings;
    private final SortedMap<String, OcsIntent> spines;
    private final SortedMap<SliceId, SliceIntent> slices;
    private final SortedMap<SliceId, LedgerEntry> ledger;
    private final Function<TopologyQuestion, TopologyAnswer> solver;
    private final SortedMap<String, DriverState> drivers = new TreeMap<>();
    private final SortedMap<String, FaultBook> books = new TreeMap<>();
    private final SortedMap<String, TopologyAnswer> answers;
    private SortedMap<String, Remembered> remembered = new TreeMap<>();

    /**
     * @param slices wishes on these fabrics
     * @param recorded what is recorded for them
     * @param faulty what counts as faulty, and has for a while, besides what the signals of nodes say
     * @param solver answers a question
     * @param answers to questions that were asked before, which are named by their content; those to new ones are added
     */
    PaperWorld(
            Instant now,
            SortedMap<String, RingIntent> rings,
            SortedMap<String, OcsIntent> spines,
            SortedMap<SliceId, SliceIntent> slices,
            SortedMap<SliceId, LedgerEntry> recorded,
            Collection<Subject> faulty,
            Function<TopologyQuestion, TopologyAnswer> solver,
            SortedMap<String, TopologyAnswer> answers) {
        this.now = now;
        this.rings = new TreeMap<>(rings);
        this.rings.replaceAll((name, ring) -> goingOn(ring));
        this.spines = new TreeMap<>(spines);
        this.spines.replaceAll((name, spine) -> goingOn(spine));
        this.slices = slices;
        this.solver = solver;
        this.answers = answers;
        this.ledger = paper.ledger(slices, recorded);
        SortedSet<String> endpoints = new TreeSet<>();
        this.spines.values().forEach(spine -> {
            endpoints.addAll(spine.drivers());
            Stream<Signal> nodes = spine.pods().stream()
                    .flatMap(pod -> pod.nodes().values().stream().flatMap(List::stream));
            books.put(spine.name(), Paper.book(now, nodes, faulty, spine.policy()));
        });
        this.rings.values().forEach(ring -> {
            endpoints.add(ring.driver());
            Stream<Signal> nodes = ring.nodes().values().stream().flatMap(node -> node.signals().stream());
            books.put(ring.name(), Paper.book(now, nodes, faulty, ring.policy()));
        });
        endpoints.forEach(endpoint -> drivers.put(endpoint, Paper.driver()));
    }

    private static RingIntent goingOn(RingIntent ring) {
        return new RingIntent(
                ring.name(),
                ring.ring(),
                ring.driver(),
                ring.role(),
                ring.nodes(),
                ring.miswired(),
                ring.astray(),
                unhurried(ring.policy()),
                false,
                ring.resumedAt(),
                ring.retiring(),
                ring.torMismatch(),
                ring.quarantinedPorts(),
                ring.toldFaults());
    }

    private static OcsIntent goingOn(OcsIntent spine) {
        return new OcsIntent(
                spine.name(),
                spine.role(),
                spine.pods(),
                spine.switches(),
                spine.topology(),
                unhurried(spine.policy()),
                false,
                spine.resumedAt(),
                spine.retiring(),
                spine.misread(),
                spine.quarantinedPorts(),
                spine.toldFaults(),
                spine.clearances(),
                spine.gpusPerNode(),
                spine.circuitGbps());
    }

    /**
     * The time of a rehearsal stands still, so whatever has to last lasts for ever. What need not last would: no device reports
     * on paper, which would count at once, and a fault that nothing signals on paper would be over at once.
     */
    private static FabricPolicy unhurried(FabricPolicy policy) {
        return new FabricPolicy(
                policy.maxConcurrentPercent(),
                policy.foreignCircuits(),
                policy.minimumPassPercent(),
                policy.maximumLossDb(),
                longer(policy.hold()),
                longer(policy.clear()),
                policy.massFailurePercent(),
                policy.massFailureWindow(),
                policy.adopt(),
                policy.adopted(),
                policy.quota(),
                policy.longestSearch(),
                policy.lineage());
    }

    private static Duration longer(Duration given) {
        return given.compareTo(A_WHILE) < 0 ? A_WHILE : given;
    }

    /** What is recorded now. */
    SortedMap<SliceId, LedgerEntry> ledger() {
        return ledger;
    }

    /** What a slice would be asked about. */
    SliceState claim(SliceIntent slice) {
        return SliceState.of(slice, Objects.requireNonNull(ledger.get(slice.id())));
    }

    /**
     * One pass.
     *
     * @param steps what it recorded
     * @param resting whether nothing was recorded or asked
     */
    record Pass(Deliberation heard, List<RingPreview.Step> steps, boolean resting) {}

    /** Decides once, records that and answers what is asked. The time is that of the answers, and of a pass of the operator. */
    Pass pass() {
        // on paper nobody waits for the end of a search
        Deliberation heard = FabricEngine.deliberate(
                World.atRest(now, new StageId(1, 1), rings, spines, slices, ledger, drivers)
                        .with(books, answers, remembered),
                Integer.MAX_VALUE);
        remembered = heard.remembered();
        boolean asked = false;
        for (var question : heard.questions().entrySet()) {
            TopologyAnswer answer = solver.apply(question.getValue().question());
            asked |= answers.put(question.getKey(), answer) == null;
        }
        List<RingPreview.Step> steps =
                heard.decision() instanceof Decision.Adopt adopt ? paper.record(adopt.entries(), ledger) : List.of();
        return new Pass(heard, steps, steps.isEmpty() && !asked);
    }
}
