package dev.lightpath.planner.engine;

import dev.lightpath.planner.ask.TopologyAnswer;
import dev.lightpath.planner.delta.SearchLimits;
import dev.lightpath.planner.delta.TopologyPlanner;
import dev.lightpath.planner.fault.FaultBook;
import dev.lightpath.planner.fault.Signal;
import dev.lightpath.planner.fault.Subject;
import dev.lightpath.planner.light.DriverState;
import dev.lightpath.planner.light.StageId;
import dev.lightpath.planner.light.SwitchedLight;
import dev.lightpath.planner.world.Allocation;
import dev.lightpath.planner.world.FabricPolicy;
import dev.lightpath.planner.world.Illegible;
import dev.lightpath.planner.world.LedgerEntry;
import dev.lightpath.planner.world.OcsIntent;
import dev.lightpath.planner.world.Remembered;
import dev.lightpath.planner.world.RingIntent;
import dev.lightpath.planner.world.SliceId;
import dev.lightpath.planner.world.SliceIntent;
import dev.lightpath.planner.world.World;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Rings and switches together on paper: every driver in contact, no light foreign, no fabric paused, every record taken as written, every
 * release as read back, every question answered as soon as it is asked.
 */
final class PaperWorld {
    private static final Duration A_WHILE = Duration.ofSeconds(1);

    private final Instant now;
    private final SortedMap<String, RingIntent> rings;
    private final SortedMap<String, OcsIntent> spines;
    private final SortedMap<SliceId, SliceIntent> slices;
    private final SortedMap<SliceId, LedgerEntry> ledger = new TreeMap<>();
    private final TopologyPlanner planner;
    private final SortedMap<String, DriverState> drivers = new TreeMap<>();
    private final SortedMap<String, FaultBook> books = new TreeMap<>();
    private final SortedMap<String, TopologyAnswer> answers;
    private SortedMap<String, Remembered> remembered = new TreeMap<>();

    /**
     * @param slices wishes on these fabrics
     * @param recorded what is recorded for them
     * @param faulty what counts as faulty, and has for a while, besides what the signals of nodes say
     * @param answers to questions that were asked before, which are named by their content; those to new ones are added
     */
    PaperWorld(
            Instant now,
            SortedMap<String, RingIntent> rings,
            SortedMap<String, OcsIntent> spines,
            SortedMap<SliceId, SliceIntent> slices,
            SortedMap<SliceId, LedgerEntry> recorded,
            Collection<Subject> faulty,
            TopologyPlanner planner,
            SortedMap<String, TopologyAnswer> answers) {
        this.now = now;
        this.rings = new TreeMap<>(rings);
        this.rings.replaceAll((name, ring) -> goingOn(ring));
        this.spines = new TreeMap<>(spines);
        this.spines.replaceAll((name, spine) -> goingOn(spine));
        this.slices = slices;
        this.planner = planner;
        this.answers = answers;
        recorded.forEach((slice, entry) ->
                ledger.put(slice, new LedgerEntry(entry.allocation().map(PaperWorld::dark), entry.version())));
        slices.keySet().forEach(slice -> ledger.putIfAbsent(slice, new LedgerEntry(Optional.empty(), "")));
        SortedSet<String> endpoints = new TreeSet<>();
        spines.values().forEach(spine -> {
            endpoints.addAll(spine.drivers());
            List<Signal> nodes = new ArrayList<>();
            spine.pods().forEach(pod -> pod.nodes().values().forEach(nodes::addAll));
            books.put(spine.name(), book(faulty, nodes, spine.policy()));
        });
        rings.values().forEach(ring -> {
            endpoints.add(ring.driver());
            List<Signal> nodes = new ArrayList<>();
            ring.nodes().values().forEach(node -> nodes.addAll(node.signals()));
            books.put(ring.name(), book(faulty, nodes, ring.policy()));
        });
        endpoints.forEach(endpoint -> drivers.put(
                endpoint,
                new DriverState(DriverState.Contact.SYNCED, Optional.empty(), "paper", "", 0, new TreeMap<>())));
    }

    private static RingIntent goingOn(RingIntent ring) {
        return new RingIntent(
                ring.name(),
                ring.ring(),
                ring.driver(),
                ring.role(),
                ring.nodes(),
                ring.miswired(),
                unhurried(ring.policy()),
                false,
                ring.resumedAt(),
                ring.retiring(),
                ring.torMismatch(),
                ring.quarantinedPorts(),
                ring.latched());
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
                spine.latched(),
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
                policy.adopted());
    }

    private static Duration longer(Duration given) {
        return given.compareTo(A_WHILE) < 0 ? A_WHILE : given;
    }

    private FaultBook book(Collection<Subject> faulty, List<Signal> nodes, FabricPolicy policy) {
        Instant known = now.minus(RingLedger.REPAIRS_FIRST);
        List<Signal> signals = new ArrayList<>();
        nodes.forEach(signal -> signals.add(new Signal(signal.subject(), signal.reason(), Duration.ZERO)));
        faulty.forEach(subject -> signals.add(new Signal(subject, "Known", Duration.ZERO)));
        return FaultBook.opened(known)
                .advance(signals, subject -> false, known, FaultBook.Policy.standard(policy.clear()));
    }

    /** What is recorded now. */
    SortedMap<SliceId, LedgerEntry> ledger() {
        return ledger;
    }

    /** What a slice would be asked about. */
    Claim claim(SliceIntent slice) {
        return Claim.of(slice, Objects.requireNonNull(ledger.get(slice.id())));
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
        Deliberation heard = FabricEngine.deliberate(new World(
                now,
                new StageId(1, 1),
                rings,
                slices,
                ledger,
                drivers,
                List.of(),
                new TreeSet<>(),
                new TreeSet<>(),
                new TreeSet<>(),
                new TreeMap<>(),
                books,
                Illegible.none(),
                spines,
                answers,
                remembered));
        remembered = heard.remembered();
        boolean asked = false;
        for (var question : heard.questions().entrySet()) {
            TopologyAnswer answer = question.getValue().answer(planner, SearchLimits.standard());
            asked |= answers.put(question.getKey(), answer) == null;
        }
        List<RingPreview.Step> steps = new ArrayList<>();
        if (heard.decision() instanceof Decision.Adopt adopt) {
            for (Decision.Adopt.Entry entry : adopt.entries()) {
                ledger.put(entry.slice(), new LedgerEntry(Optional.of(dark(entry.allocation())), entry.version()));
                steps.add(new RingPreview.Step(entry.slice(), entry.allocation().origin(), entry.allocation()));
            }
        }
        return new Pass(heard, steps, steps.isEmpty() && !asked);
    }

    /** The same with what it gave up read back dark. */
    private static Allocation dark(Allocation allocation) {
        return new Allocation(
                allocation.revision(),
                allocation.groups(),
                new TreeSet<>(),
                allocation.origin(),
                allocation.circuits(),
                SwitchedLight.none(),
                allocation.prediction());
    }
}
