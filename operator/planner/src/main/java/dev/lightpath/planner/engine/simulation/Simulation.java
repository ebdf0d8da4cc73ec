package dev.lightpath.planner.engine.simulation;

import dev.lightpath.planner.ask.Asked;
import dev.lightpath.planner.ask.TopologyAnswer;
import dev.lightpath.planner.ask.TopologyQuestion;
import dev.lightpath.planner.engine.FabricEngine;
import dev.lightpath.planner.engine.allocation.TransceiverPorts;
import dev.lightpath.planner.engine.decision.Decision;
import dev.lightpath.planner.engine.decision.SliceVerdict;
import dev.lightpath.planner.engine.state.RingState;
import dev.lightpath.planner.fault.FaultTracker;
import dev.lightpath.planner.fault.Signal;
import dev.lightpath.planner.fault.SignalSources;
import dev.lightpath.planner.light.DeviceState;
import dev.lightpath.planner.light.DriverState;
import dev.lightpath.planner.light.StageId;
import dev.lightpath.planner.memory.PlannerCache;
import dev.lightpath.planner.world.Allocation;
import dev.lightpath.planner.world.FabricPolicy;
import dev.lightpath.planner.world.JobId;
import dev.lightpath.planner.world.LedgerEntry;
import dev.lightpath.planner.world.OcsIntent;
import dev.lightpath.planner.world.Origin;
import dev.lightpath.planner.world.RingIntent;
import dev.lightpath.planner.world.SliceId;
import dev.lightpath.planner.world.SliceIntent;
import dev.lightpath.planner.world.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Passes of {@link FabricEngine} over a {@link Snapshot}. A simulation takes for given that every driver is in contact
 * with all transceivers that can be read, no circuit is foreign, no fabric is paused, every fault is long known, every
 * record is written at once, every released circuit is read back dark at once, and every question is answered as soon
 * as it is asked.
 */
public final class Simulation {
    private static final Duration A_WHILE = Duration.ofSeconds(1);

    private final Snapshot snapshot;
    private final SortedMap<String, RingIntent> rings;
    private final SortedMap<String, OcsIntent> ocsFabrics;
    private final SortedMap<SliceId, SliceIntent> slices;
    private final SortedMap<SliceId, LedgerEntry> ledger = new TreeMap<>();
    private final Function<TopologyQuestion, TopologyAnswer> solver;
    private final SortedMap<String, DriverState> drivers = new TreeMap<>();
    private final SortedMap<String, FaultTracker> trackers = new TreeMap<>();
    private final SortedMap<String, TopologyAnswer> answers;
    private final List<Step> steps = new ArrayList<>();
    private SortedMap<String, PlannerCache> remembered = new TreeMap<>();
    /** What the last pass asked. */
    private SortedMap<String, Asked> questions = new TreeMap<>();

    /**
     * @param solver answers a question
     * @param answers to questions that were asked before, by their digest; those to new ones are added
     */
    Simulation(
            Snapshot snapshot,
            Function<TopologyQuestion, TopologyAnswer> solver,
            SortedMap<String, TopologyAnswer> answers) {
        this.snapshot = snapshot;
        this.rings = new TreeMap<>(snapshot.rings());
        this.rings.replaceAll((name, ring) -> ring.goingOn(unhurried(ring.policy())));
        this.ocsFabrics = new TreeMap<>(snapshot.ocsFabrics());
        this.ocsFabrics.replaceAll((name, fabric) -> fabric.goingOn(unhurried(fabric.policy())));
        this.slices = new TreeMap<>(snapshot.slices());
        this.solver = solver;
        this.answers = answers;
        snapshot.ledger()
                .forEach((slice, entry) ->
                        ledger.put(slice, new LedgerEntry(entry.allocation().map(this::readBack), entry.version())));
        slices.keySet().forEach(slice -> ledger.putIfAbsent(slice, new LedgerEntry(Optional.empty(), "")));
        SortedMap<String, SortedMap<String, DeviceState>> devices = new TreeMap<>();
        this.ocsFabrics.values().forEach(fabric -> {
            fabric.drivers().forEach(driver -> devices.putIfAbsent(driver, new TreeMap<>()));
            trackers.put(
                    fabric.name(),
                    tracker(
                            fabric.pods().stream()
                                    .flatMap(
                                            pod -> pod.nodes().values().stream().flatMap(List::stream)),
                            fabric.policy()));
        });
        this.rings.values().forEach(ring -> {
            SortedMap<String, DeviceState> transceivers =
                    devices.computeIfAbsent(ring.driver(), driver -> new TreeMap<>());
            DeviceState dark = dark(ring.ring().reach());
            ring.nodes().values().stream()
                    .filter(node -> !snapshot.unreadable().contains(node.name()))
                    .forEach(node -> transceivers.put(node.name(), dark));
            trackers.put(
                    ring.name(),
                    tracker(ring.nodes().values().stream().flatMap(node -> node.signals().stream()), ring.policy()));
        });
        devices.forEach((endpoint, known) -> drivers.put(
                endpoint, new DriverState(DriverState.Contact.SYNCED, Optional.empty(), "simulated", "", 0, known)));
    }

    /** The transceivers of a node that answers, in loopback: light of theirs can be taken down. */
    private static DeviceState dark(int reach) {
        return new DeviceState(
                DeviceState.Presence.PRESENT,
                TransceiverPorts.loopbacks(reach),
                new TreeSet<>(),
                "simulated",
                new TreeMap<>(),
                new TreeMap<>(),
                Optional.empty(),
                Optional.empty());
    }

    /** Of rings: their jobs ask nothing of DELTA. */
    static TopologyAnswer noQuestions(TopologyQuestion question) {
        throw new IllegalStateException("a ring asks nothing: " + question);
    }

    /**
     * Passes over rings until nothing is left to be recorded.
     *
     * @param mostPasses after which decisions that contradict each other are left as they are
     */
    public static Rest rest(Snapshot rings, int mostPasses) {
        return new Simulation(rings, Simulation::noQuestions, new TreeMap<>()).rest(mostPasses, () -> false);
    }

    /** The same of this simulation. @param late whether to end after a pass, at rest or not */
    Rest rest(int mostPasses, BooleanSupplier late) {
        for (int pass = 1; ; pass++) {
            Pass made = pass();
            if (made.resting() || pass >= mostPasses || late.getAsBoolean()) {
                return new Rest(ledger, steps, made.heard().deliberation().slices(), made.resting());
            }
        }
    }

    /**
     * How a simulation ends.
     *
     * @param ledger what is recorded then
     * @param steps what was recorded on the way
     * @param verdicts of the last pass
     * @param settled false when decisions went on after the last pass
     */
    public record Rest(
            SortedMap<SliceId, LedgerEntry> ledger,
            List<Step> steps,
            SortedMap<SliceId, SliceVerdict> verdicts,
            boolean settled) {
        public Rest {
            ledger = Collections.unmodifiableSortedMap(new TreeMap<>(ledger));
            steps = List.copyOf(steps);
            verdicts = Collections.unmodifiableSortedMap(verdicts);
        }
    }

    /** A record that would be written. */
    public record Step(SliceId slice, Optional<Origin> origin, Allocation allocation) {}

    /**
     * One pass.
     *
     * @param steps what it recorded
     * @param resting whether nothing was recorded or asked
     */
    record Pass(FabricEngine.Result heard, List<Step> steps, boolean resting) {}

    /** What a pass would decide now, without recording it. */
    FabricEngine.Result look() {
        // no pass of a simulation has to end within a time limit
        return FabricEngine.decide(
                World.atRest(snapshot.now(), new StageId(1, 1), rings, ocsFabrics, slices, ledger, drivers)
                        .with(trackers, answers, remembered),
                Integer.MAX_VALUE);
    }

    /**
     * Answers what the pass before asked, decides once and records that. The time is that of the answers, and of a pass
     * of the operator.
     */
    Pass pass() {
        questions.forEach((digest, asked) -> answers.put(digest, solver.apply(asked.question())));
        FabricEngine.Result heard = look();
        remembered = heard.deliberation().remembered();
        questions = heard.deliberation().questions();
        List<Step> recorded = heard.deliberation().decision() instanceof Decision.Adopt adopt
                ? adopt.entries().stream().map(this::record).toList()
                : List.of();
        steps.addAll(recorded);
        return new Pass(heard, recorded, recorded.isEmpty() && answers.keySet().containsAll(questions.keySet()));
    }

    private Step record(Decision.Adopt.Entry entry) {
        ledger.put(entry.slice(), new LedgerEntry(Optional.of(readBack(entry.allocation())), entry.version()));
        return new Step(entry.slice(), entry.allocation().origin(), entry.allocation());
    }

    /**
     * Jobs whose places others are to have by the last pass give them up; their pods are gone at once.
     *
     * @return these jobs
     */
    List<JobId> giveWay(Pass last) {
        List<JobId> given = new ArrayList<>();
        last.heard().deliberation().slices().forEach((slice, verdict) -> {
            if (verdict.preemptor().isPresent()) {
                SliceIntent intent = Objects.requireNonNull(slices.get(slice));
                slices.put(slice, intent.ended());
                given.add(intent.job());
            }
        });
        return given;
    }

    SortedMap<SliceId, LedgerEntry> ledger() {
        return Collections.unmodifiableSortedMap(ledger);
    }

    /** What was recorded so far. */
    List<Step> steps() {
        return Collections.unmodifiableList(steps);
    }

    /** The record of a slice that has a place now. */
    Optional<Allocation> placed(SliceId slice) {
        return Objects.requireNonNull(ledger.get(slice))
                .allocation()
                .filter(recorded ->
                        !recorded.groups().isEmpty() || !recorded.circuits().isEmpty());
    }

    private Allocation readBack(Allocation allocation) {
        SortedSet<String> readable = new TreeSet<>(allocation.releasing());
        readable.removeAll(snapshot.unreadable());
        return allocation.struck(readable, allocation.darkening());
    }

    /** Faults that were known before anything had to be repaired. */
    private FaultTracker tracker(Stream<Signal> nodes, FabricPolicy policy) {
        var known = snapshot.now().minus(RingState.REPAIRS_FIRST);
        List<Signal> signals =
                new ArrayList<>(nodes.map(signal -> new Signal(signal.subject(), signal.reason(), Duration.ZERO))
                        .toList());
        snapshot.faulty().forEach(subject -> signals.add(new Signal(subject, "Known", Duration.ZERO)));
        return FaultTracker.opened(known)
                .advance(signals, SignalSources.everything(), known, FaultTracker.Policy.standard(policy.clear()));
    }

    /**
     * The time of a simulation stands still, so what has to last for a while never counts. Without a hold-off, devices
     * that report nothing here would count as faulty at once, and known faults that nothing signals here would be over
     * at once.
     */
    private static FabricPolicy unhurried(FabricPolicy policy) {
        return policy.lasting(longer(policy.hold()), longer(policy.clear()));
    }

    private static Duration longer(Duration given) {
        return given.compareTo(A_WHILE) < 0 ? A_WHILE : given;
    }
}
