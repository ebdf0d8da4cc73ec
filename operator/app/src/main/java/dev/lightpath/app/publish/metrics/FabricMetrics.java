package dev.lightpath.app.publish.metrics;

import dev.lightpath.app.loop.PassMeter;
import dev.lightpath.crds.job.TrainingJob;
import dev.lightpath.planner.ask.TopologyAnswer;
import dev.lightpath.planner.engine.decision.Decision;
import dev.lightpath.planner.engine.decision.Deliberation;
import dev.lightpath.planner.engine.decision.FabricVerdict;
import dev.lightpath.planner.fault.Fault;
import dev.lightpath.planner.light.ChangeOutcome;
import dev.lightpath.planner.light.Stage;
import dev.lightpath.planner.world.Origin;
import dev.lightpath.planner.world.World;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;

/**
 * The operator's own series. Most tags are bounded words: fabric, reason, result, kind, state, cause. Series that name
 * jobs or devices have a most ({@link JobSeries}, {@link FabricDetail}). Thread-safe.
 */
@Singleton
public class FabricMetrics implements PassMeter {
    private static final String STATE = "state";

    private final MeterRegistry registry;
    private final FabricGauges fabrics;
    private final LedFabrics led;
    private final FabricDetail detail;
    private final JobSeries each;
    private final MultiGauge jobs;
    private final MultiGauge certificates;
    private final AtomicLong epoch = new AtomicLong();
    private final AtomicLong abandoned = new AtomicLong();
    private final AtomicLong policiesMissing = new AtomicLong();
    private final AtomicLong questions = new AtomicLong();

    private SortedMap<String, Set<Fault>> faults = new TreeMap<>();

    @Inject
    public FabricMetrics(MeterRegistry registry) {
        this.registry = registry;
        fabrics = new FabricGauges(registry);
        led = new LedFabrics(registry);
        detail = new FabricDetail(registry);
        each = new JobSeries(registry);
        jobs = gauge("lightpath.job.count", "TrainingJobs by state.");
        certificates = gauge(
                "lightpath.certificate.expires.timestamp.seconds",
                "When a certificate that the operator shows to drivers expires, in seconds since 1970.");
        Gauge.builder("lightpath.epoch", epoch, AtomicLong::get)
                .description("Fencing epoch of the last pass; 0 before the first.")
                .register(registry);
        Gauge.builder("lightpath.solver.abandoned", abandoned, AtomicLong::get)
                .description(
                        "Threads of searches for circuits that did not stop when asked to and have not ended since.")
                .register(registry);
        Gauge.builder("lightpath.policies.missing", policiesMissing, AtomicLong::get)
                .description("Admission policies of Lightpath that are not in force; the operator's log names them.")
                .register(registry);
        Gauge.builder("lightpath.solver.questions", questions, AtomicLong::get)
                .description("Choices of circuits that jobs wait for: asked and not answered yet.")
                .register(registry);
        // known before the first event, so that a rate over them is right
        for (String decision : List.of("rest", "observe", "adopt", "apply")) {
            decisions(decision);
        }
        for (Stage.Cause cause : Stage.Cause.values()) {
            moved(cause);
        }
        for (String result : List.of("applied", "rejected", "indeterminate")) {
            answers(result);
        }
        for (String result : List.of("found", "none", "failed")) {
            solves(result);
        }
        failures();
        differences();
        waits();
        faultToLight();
        applyToReady();
        normalizedTime();
        portsSaved();
        preemptions();
    }

    @Override
    public void fabrics(SortedSet<String> known, Predicate<String> leads) {
        led.show(known, leads);
    }

    @Override
    public void waited(Duration elapsed) {
        waits().record(elapsed);
    }

    private Timer waits() {
        return Timer.builder("lightpath.plan.wait")
                .description("Time that the first of some news waits until the planning loop takes it up.")
                .publishPercentileHistogram()
                .minimumExpectedValue(Duration.ofMillis(1))
                .maximumExpectedValue(Duration.ofSeconds(30))
                .register(registry);
    }

    private MultiGauge gauge(String name, String description) {
        return MultiGauge.builder(name).description(description).register(registry);
    }

    @Override
    public void failed() {
        failures().increment();
    }

    @Override
    public void differs() {
        differences().increment();
    }

    private Counter differences() {
        return Counter.builder("lightpath.planning.differences")
                .description("Planning passes that concluded otherwise than from nothing, counted with"
                        + " lightpath.verify-planning=true only; it must stay 0.")
                .register(registry);
    }

    private Counter failures() {
        return Counter.builder("lightpath.plan.failed")
                .description("Planning passes that ended by an error; while they do, no fabric is cared for.")
                .register(registry);
    }

    @Override
    public synchronized void passed(Deliberation deliberation, Duration elapsed) {
        Timer.builder("lightpath.plan")
                .description("Time of one planning pass over everything, by the most laborious planner that ran; none:"
                        + " nobody had to be seated.")
                .tag("planner", deliberation.planner().map(Origin.Planner::word).orElse("none"))
                .publishPercentileHistogram()
                .minimumExpectedValue(Duration.ofMillis(1))
                .maximumExpectedValue(Duration.ofSeconds(30))
                .register(registry)
                .record(elapsed);
        count(deliberation.decision());
        if (fabrics.shows(deliberation.fabrics())) {
            countFaults(deliberation.fabrics());
            detail.shows(deliberation.fabrics());
        }
    }

    private void count(Decision decision) {
        switch (decision) {
            case Decision.Rest rest -> decisions("rest").increment();
            case Decision.Observe observe -> decisions("observe").increment();
            case Decision.Adopt adopt -> decisions("adopt").increment();
            case Decision.Apply apply -> {
                decisions("apply").increment();
                moved(apply.stage().cause())
                        .increment(apply.stage().changes().stream()
                                .mapToInt(change -> change.connects().size())
                                .sum());
            }
        }
    }

    private Counter moved(Stage.Cause cause) {
        return Counter.builder("lightpath.light.moved")
                .description("Circuits asked to be made, by why light moves.")
                .tag("cause", cause.name().toLowerCase(Locale.ROOT))
                .register(registry);
    }

    private Counter decisions(String decision) {
        return Counter.builder("lightpath.deliberation")
                .description("Planning passes by what they decided.")
                .tag("decision", decision)
                .register(registry);
    }

    /** A fault that was not there at the pass before; what a first pass finds counts too. */
    private void countFaults(SortedMap<String, FabricVerdict> fabrics) {
        SortedMap<String, Set<Fault>> now = new TreeMap<>();
        fabrics.forEach((fabric, verdict) -> {
            Set<Fault> known = faults.getOrDefault(fabric, Set.of());
            Set<String> subjects = new HashSet<>();
            FabricGauges.KINDS.forEach(kind -> begun(fabric, kind));
            known.forEach(fault -> subjects.add(fault.subject().label()));
            for (Fault fault : verdict.faults()) {
                if (!subjects.contains(fault.subject().label())) {
                    begun(fabric, fault.subject().kind()).increment();
                }
            }
            now.put(fabric, Set.copyOf(verdict.faults()));
        });
        faults = now;
    }

    private Counter begun(String fabric, String kind) {
        return Counter.builder("lightpath.fault")
                .description("Faults that began, by what is faulty: node, device or port.")
                .tag(FabricGauges.FABRIC, fabric)
                .tag("kind", kind)
                .register(registry);
    }

    /** What a pass looked at. */
    public synchronized void looked(World world) {
        epoch.set(world.nextStage().epoch());
        fabrics.looked(world);
        detail.looked(world);
    }

    /** What a pass concluded of what it looked at. */
    public synchronized void concluded(World world, Deliberation deliberation) {
        questions.set(deliberation.questions().values().stream()
                .filter(asked -> !asked.isForeseen())
                .count());
        each.passed(world, deliberation);
    }

    /** All jobs there are, as they say they stand. */
    synchronized void each(Collection<TrainingJob> all) {
        each.take(all);
    }

    /** A device answered a change, this long after it was asked. */
    @Override
    public void applied(ChangeOutcome outcome, Duration elapsed) {
        String result = switch (outcome) {
            case ChangeOutcome.Applied applied -> "applied";
            case ChangeOutcome.Rejected rejected -> "rejected";
            case ChangeOutcome.Indeterminate indeterminate -> "indeterminate";
        };
        answers(result).record(elapsed);
    }

    @Override
    public void solved(TopologyAnswer answer, Duration elapsed) {
        String result = switch (answer) {
            case TopologyAnswer.Found found -> "found";
            case TopologyAnswer.None none -> "none";
            case TopologyAnswer.Failed failed -> "failed";
        };
        solves(result).record(elapsed);
    }

    private Timer solves(String result) {
        return Timer.builder("lightpath.solver.answer")
                .description("Time of a choice of circuits; failed: the search crashed or did not stop.")
                .tag("result", result)
                .publishPercentileHistogram()
                .minimumExpectedValue(Duration.ofMillis(1))
                .maximumExpectedValue(Duration.ofMinutes(10))
                .register(registry);
    }

    /** How many admission policies are not in force. */
    void policiesMissing(int policies) {
        policiesMissing.set(policies);
    }

    @Override
    public void abandoned(int threads) {
        abandoned.set(threads);
    }

    private Timer answers(String result) {
        return Timer.builder("lightpath.driver.apply")
                .description("Time from asking a driver for a change on one device to its answer.")
                .tag("result", result)
                .publishPercentileHistogram()
                .minimumExpectedValue(Duration.ofMillis(1))
                .maximumExpectedValue(Duration.ofMinutes(1))
                .register(registry);
    }

    /**
     * Light moved because of a fault: from the receipt of the event that shows the fault to the last acknowledgement,
     * hold time and the hardware's own switching time taken out.
     */
    @Override
    public void faultToLight(Duration elapsed) {
        faultToLight().record(elapsed);
    }

    private Timer faultToLight() {
        return Timer.builder("lightpath.fault.to.light")
                .description("Time from seeing a fault to the last acknowledgement of its repair, without hold time and"
                        + " switching time.")
                .publishPercentileHistogram()
                .serviceLevelObjectives(Duration.ofSeconds(1))
                .minimumExpectedValue(Duration.ofMillis(1))
                .maximumExpectedValue(Duration.ofMinutes(1))
                .register(registry);
    }

    /** A TrainingJob became Ready for the first time, this long after it was created. */
    public void applyToReady(Duration elapsed) {
        applyToReady().record(elapsed);
    }

    private Timer applyToReady() {
        return Timer.builder("lightpath.job.apply.to.ready")
                .description("Time from the creation of a TrainingJob to its first Ready.")
                .publishPercentileHistogram()
                .minimumExpectedValue(Duration.ofMillis(100))
                .maximumExpectedValue(Duration.ofHours(1))
                .register(registry);
    }

    /** TrainingJobs by state, a bounded set of words. */
    public synchronized void jobs(SortedMap<String, Integer> byState) {
        List<MultiGauge.Row<?>> rows = new ArrayList<>();
        byState.forEach((state, count) -> rows.add(MultiGauge.Row.of(Tags.of(STATE, state), count)));
        jobs.register(rows, true);
    }

    @Override
    public void certificates(SortedMap<String, Instant> expire) {
        List<MultiGauge.Row<?>> rows = new ArrayList<>();
        expire.forEach((source, end) -> rows.add(MultiGauge.Row.of(Tags.of("source", source), end.getEpochSecond())));
        certificates.register(rows, true);
    }

    @Override
    public synchronized void ended() {
        epoch.set(0);
        faults = new TreeMap<>();
        questions.set(0);
        fabrics.ended();
        detail.ended();
        jobsEnded();
        certificates.register(List.of(), true);
    }

    /** Another process may count them now. */
    public synchronized void jobsEnded() {
        each.ended();
        jobs.register(List.of(), true);
    }

    /** A job gave up its place for one of higher priority. */
    public void preempted() {
        preemptions().increment();
    }

    private Counter preemptions() {
        return Counter.builder("lightpath.job.preemptions")
                .description("TrainingJobs that gave up their place for a job of higher priority (policy.preemption).")
                .register(registry);
    }

    /** A topology was planned for a job. */
    public void planned(double normalizedCommunicationTime, int portsSaved) {
        normalizedTime().record(normalizedCommunicationTime);
        portsSaved().record(portsSaved);
    }

    private DistributionSummary normalizedTime() {
        return DistributionSummary.builder("lightpath.job.normalized.communication.time")
                .description("Predicted communication time of planned jobs over that on an ideal network.")
                .register(registry);
    }

    private DistributionSummary portsSaved() {
        return DistributionSummary.builder("lightpath.job.ports.saved")
                .description("Ports of their budget that planned jobs leave unused.")
                .register(registry);
    }
}
