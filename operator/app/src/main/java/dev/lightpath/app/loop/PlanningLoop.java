package dev.lightpath.app.loop;

import dev.lightpath.planner.discovery.FabricDiscovery;
import dev.lightpath.planner.engine.FabricEngine;
import dev.lightpath.planner.engine.decision.Agenda;
import dev.lightpath.planner.engine.decision.Decision;
import dev.lightpath.planner.engine.decision.Deliberation;
import dev.lightpath.planner.fault.FaultTracker;
import dev.lightpath.planner.light.ChangeOutcome;
import dev.lightpath.planner.light.DeviceId;
import dev.lightpath.planner.light.Stage;
import dev.lightpath.planner.light.StageId;
import dev.lightpath.planner.memory.PlannerCache;
import dev.lightpath.planner.world.Allocation;
import dev.lightpath.planner.world.SliceId;
import dev.lightpath.planner.world.Unreadable;
import dev.lightpath.planner.world.World;
import dev.lightpath.tracing.TraceScope;
import dev.lightpath.tracing.Tracing;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads, deliberates, starts what was decided, publishes; again whenever something is heard. The only writer of
 * allocations and the only caller of drivers. Effects are started and never awaited: their outcomes come back through
 * {@link #answered}, {@link #observed} and {@link #recorded}, which wake the loop like everything else.
 */
public final class PlanningLoop implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(PlanningLoop.class);
    /** The loop looks again after this long even when nothing is heard. */
    private static final Duration LONGEST_REST = Duration.ofSeconds(30);
    /**
     * So soon the loop looks again where devices seem to know more than the records: the watch that shows the revision
     * of these may only lag behind, as after another process led, and no pass begins for the next revision that it
     * shows.
     */
    static final Duration LAGGING = Duration.ofSeconds(2);

    /** A pass that failed is tried again after this long. */
    private static final Duration AFTER_FAILURE = Duration.ofSeconds(1);

    /**
     * So long the loop leaves alone what it hears while records are being written: mostly it is a watch that shows the
     * record sooner than the answer to its writer comes.
     */
    static final Duration BEING_WRITTEN = Duration.ofMillis(50);

    /** So long after an answer light is expected to come up. */
    private static final Duration COMING_UP = Duration.ofSeconds(2);

    private final Cluster cluster;
    private final Ledger ledger;
    private final Fleet fleet;
    private final Publisher publisher;
    private final PassMeter meter;
    private final PlannedDarkness darkness;
    private final Solving solving;
    private final InstantSource clock;
    private final long epoch;
    private final Thread thread;

    private final LoopNews news;

    // of the loop's thread
    private final InFlightChanges inFlight = new InFlightChanges();
    private final RepairClock repairs = new RepairClock();
    private final ChangeTraces traces;
    private final WallClock wall;
    private final Pace pace = new Pace(System::nanoTime);
    private Optional<Long> answeredNanos = Optional.empty();
    private SortedMap<String, FaultTracker> faults = new TreeMap<>();
    private SortedMap<String, PlannerCache> remembered = new TreeMap<>();
    private final SortedMap<String, FabricDiscovery> discoveries = new TreeMap<>();
    private long stageCounter;
    private final DecisionLog decisions;
    private final PassCheck check;
    private final PassFailures failures = new PassFailures();
    private volatile long lookedNanos = System.nanoTime();

    /**
     * @param epoch the fencing epoch won; a new win is a new loop
     * @param verify whether each pass is decided once more from nothing, and both are compared
     */
    public PlanningLoop(
            Cluster cluster,
            Ledger ledger,
            Fleet fleet,
            Publisher publisher,
            PassMeter meter,
            PlannedDarkness darkness,
            Solving solving,
            Tracing tracing,
            InstantSource clock,
            long epoch,
            boolean verify) {
        this.cluster = cluster;
        this.ledger = ledger;
        this.fleet = fleet;
        this.publisher = publisher;
        this.meter = meter;
        this.darkness = darkness;
        this.solving = solving;
        this.traces = new ChangeTraces(tracing);
        this.decisions = new DecisionLog(traces);
        this.clock = clock;
        this.wall = new WallClock(clock, System::nanoTime);
        this.news = new LoopNews(meter, this::followClock);
        this.epoch = epoch;
        this.check = new PassCheck(verify, meter);
        this.thread = Thread.ofPlatform().name("planning-loop").unstarted(this::run);
    }

    public void start() {
        thread.start();
    }

    /** Something may have changed. From any thread; many calls before a pass are one. */
    public void wake() {
        news.tell(this::unlessRecording);
    }

    /** A job asks for something else. As {@link #wake}, but while there is much to do it waits for others. */
    public void asked() {
        news.tell(() -> longer(pace.whileBusy(), unlessRecording()));
    }

    private Duration unlessRepairing(boolean repairing) {
        return repairing ? Duration.ZERO : pace.whileBusy();
    }

    private Duration underWay() {
        return longer(unlessRepairing(repairs.underWay()), pace.underWay());
    }

    private static Duration longer(Duration one, Duration other) {
        return one.compareTo(other) > 0 ? one : other;
    }

    private Duration unlessRecording() {
        return inFlight.recording().isEmpty() ? Duration.ZERO : BEING_WRITTEN;
    }

    /**
     * Circuits or what ports receive changed: while something is under way, and for a while after, that is mostly what
     * it does.
     */
    public void progressed() {
        news.tell(() -> {
            if (!inFlight.stages().isEmpty()) {
                return underWay();
            }
            boolean comingUp = answeredNanos
                    .filter(at -> System.nanoTime() - at < COMING_UP.toNanos())
                    .isPresent();
            if (!comingUp) {
                return unlessRecording();
            }
            return longer(unlessRepairing(repairs.underWay()), pace.gathering());
        });
    }

    /** One device of a stage has its outcome. */
    public void answered(StageId stage, DeviceId device, ChangeOutcome outcome) {
        long nowNanos = System.nanoTime();
        if (!(outcome instanceof ChangeOutcome.Indeterminate)) {
            darkness.over(device);
        }
        news.tell(() -> {
            inFlight.answered(stage, device, outcome, clock.instant());
            answeredNanos = Optional.of(nowNanos);
            boolean last = !inFlight.flies(stage);
            boolean repairing = repairs.underWay();
            try (TraceScope scope = TraceScope.of(traces.answered(stage, outcome, last))) {
                repairs.answered(stage, outcome, last, nowNanos).ifPresent(meter::faultToLight);
            }
            if (!(outcome instanceof ChangeOutcome.Applied)) {
                return Duration.ZERO;
            }
            Duration patience = unlessRepairing(repairing);
            return last ? patience : longer(patience, pace.gathering());
        });
    }

    /** A reading of devices ended; {@code unread} could not be read, with the reason. */
    public void observed(Collection<DeviceId> read, Map<DeviceId, String> unread) {
        news.tell(() -> {
            inFlight.observed(read, unread, clock.instant());
            return Duration.ZERO;
        });
    }

    /** One of several: its light may begin before the others are written. */
    private void recorded(Decision.Adopt.Entry entry) {
        news.tell(() -> {
            inFlight.written(entry);
            return longer(unlessRepairing(repairs.underWay()), pace.gathering());
        });
    }

    /** What becomes of the others is told soon. */
    private void refused(Decision.Adopt.Entry entry, String why) {
        news.tell(() -> {
            inFlight.refused(entry.slice(), why, clock.instant());
            return BEING_WRITTEN;
        });
    }

    /** The last of those that were started together, or what is left of them after a failure. */
    private void recorded(Collection<Decision.Adopt.Entry> entries) {
        news.tell(() -> {
            inFlight.recorded(entries);
            return unlessRepairing(repairs.underWay());
        });
    }

    private void run() {
        Duration rest = Duration.ZERO;
        while (true) {
            try {
                if (!news.await(rest)) {
                    return;
                }
                rest = passes();
                failures.rested();
            } catch (RuntimeException | StackOverflowError | LinkageError e) {
                if (news.stopped()) {
                    return;
                }
                // whatever it is, the next pass may be of another world: a loop that ended in silence would keep the
                // Lease
                failures.failed(e);
                meter.failed();
                rest = AFTER_FAILURE;
            }
            lookedNanos = System.nanoTime();
        }
    }

    /**
     * How long ago the last pass ended, well or not: at most {@link #LONGEST_REST} and a pass while the loop lives.
     * Zero once it is stopped.
     */
    public Duration sinceLastPass() {
        return news.stopped() ? Duration.ZERO : Duration.ofNanos(System.nanoTime() - lookedNanos);
    }

    /** Why the last pass ended without a word, as long as no other has succeeded. From any thread. */
    public Optional<String> failure() {
        return failures.last();
    }

    /** Passes until there is nothing to start; every effect locks what it works on, so they are few. */
    private Duration passes() {
        while (!news.stopped()) {
            lookedNanos = System.nanoTime();
            long began = System.nanoTime();
            followClock();
            World world = look();
            Deliberation deliberation = FabricEngine.deliberate(world);
            if (news.stopped()) {
                break;
            }
            faults = new TreeMap<>(deliberation.faults());
            remembered = deliberation.remembered();
            discoveries.clear();
            deliberation.ocsFabrics().forEach((fabric, verdict) -> discoveries.put(fabric, verdict.discovery()));
            solving.ask(deliberation.questions());
            Duration took = Duration.ofNanos(System.nanoTime() - began);
            meter.passed(deliberation, took);
            traces.looked(world, deliberation);
            decisions.note(world, deliberation);
            failures.decided();
            repairs.decided(world, deliberation.decision(), news.passHeardNanos());
            pace.passed(took, repairs.underWay());
            if (deliberation.decision() instanceof Decision.Rest rest) {
                Duration untold = pace.telling(repairs.begunLately(System.nanoTime()));
                if (untold.isZero()) {
                    tell(world, deliberation);
                }
                check.check(world, deliberation);
                Duration due = rest(rest, deliberation, world.now());
                return untold.isZero() || due.compareTo(untold) < 0 ? due : untold;
            }
            start(world, deliberation.decision(), took);
            check.check(world, deliberation);
            if (startedAll(deliberation)) {
                if (deliberation.decision() instanceof Decision.Apply
                        && pace.isSilent(repairs.begunLately(System.nanoTime()))) {
                    tell(world, deliberation);
                }
                Duration due = until(deliberation.agenda().wakeAt(), world.now());
                return due.compareTo(underWay()) < 0 ? due : underWay();
            }
        }
        return Duration.ZERO;
    }

    private void tell(World world, Deliberation deliberation) {
        publisher.publish(world, deliberation);
        pace.told();
    }

    /**
     * Whether another pass of the same world could start nothing beside what was just started, or nothing that brings
     * light: until devices that do have answered, what is less urgent leaves them the processor.
     */
    private static boolean startedAll(Deliberation deliberation) {
        Agenda agenda = deliberation.agenda();
        return switch (deliberation.decision()) {
            case Decision.Rest rest -> true;
            case Decision.Observe observe -> false;
            case Decision.Adopt adopt -> agenda.devices() == 0;
            case Decision.Apply apply ->
                apply.stage().changes().size()
                        == (apply.stage().cause().bringsLight() ? agenda.urgent() : agenda.devices());
        };
    }

    /** What is remembered is as old as before, whatever the clock says now. */
    private void followClock() {
        Duration jump = wall.jumped();
        if (jump.isZero()) {
            return;
        }
        LOG.atWarn().addKeyValue("by", jump).log("the clock was set; what is remembered moves along");
        faults.replaceAll((fabric, book) -> book.moved(jump));
        discoveries.replaceAll((fabric, known) -> known.moved(jump));
        inFlight.moved(jump);
    }

    private World look() {
        // the ledger first: an entry it shows has its slice among the desired, or had it
        var entries = ledger.entries();
        DesiredState desired = cluster.read();
        inFlight.expire(clock.instant());
        traces.keep(inFlight::flies);
        repairs.keep(inFlight::flies);
        SortedMap<SliceId, String> unread = new TreeMap<>(ledger.unreadable());
        unread.putAll(desired.unreadable());
        return new World(
                clock.instant(),
                new StageId(epoch, stageCounter + 1),
                desired.rings(),
                desired.slices(),
                entries,
                fleet.states(),
                inFlight.stages(),
                inFlight.recording(),
                inFlight.refused(),
                inFlight.unsettled(),
                inFlight.observing(),
                inFlight.setbacks(),
                faults,
                new Unreadable(desired.impossible(), unread),
                desired.ocsFabrics(),
                solving.answers(),
                remembered,
                discoveries,
                desired.lineages());
    }

    private void start(World world, Decision decision, Duration took) {
        switch (decision) {
            case Decision.Rest rest -> {}
            case Decision.Observe observe -> {
                inFlight.observing(observe.devices(), clock.instant());
                orElse(() -> fleet.observe(observe.devices()), bug -> {
                    SortedMap<DeviceId, String> unread = new TreeMap<>();
                    observe.devices().forEach(device -> unread.put(device, "not read: " + bug));
                    inFlight.observed(List.of(), unread, clock.instant());
                });
            }
            case Decision.Adopt adopt -> {
                List<Decision.Adopt.Entry> entries = adopt.entries().stream()
                        .map(entry -> timed(world, entry, took))
                        .toList();
                inFlight.recording(entries);
                Consumer<Decision.Adopt.Entry> traced = traces.recording(world, entries, heardAt());
                ledger.record(entries, traced.andThen(this::recorded), this::refused, () -> recorded(entries));
                darkness.foretell(adopt.darkens());
            }
            case Decision.Apply apply -> change(world, apply);
        }
    }

    private void change(World world, Decision.Apply apply) {
        Stage stage = apply.stage();
        stageCounter = stage.id().counter();
        inFlight.started(stage, clock.instant());
        Runnable start = TraceScope.wrap(traces.starting(world, apply), () -> fleet.start(stage));
        orElse(() -> darkness.announce(apply, start), bug -> {
            Instant now = clock.instant();
            var unclear = new ChangeOutcome.Indeterminate("the change may not have been started: " + bug);
            stage.changes().forEach(change -> inFlight.answered(stage.id(), change.device(), unclear, now));
        });
    }

    /** When the first news of this pass came in. */
    private Instant heardAt() {
        return clock.instant().minusNanos(System.nanoTime() - news.passHeardNanos());
    }

    /** What could not be started must not lock its devices until the term ends. */
    private static void orElse(Runnable start, Consumer<RuntimeException> undo) {
        try {
            start.run();
        } catch (RuntimeException bug) {
            undo.accept(bug);
            throw bug;
        }
    }

    /** A new revision tells how long the pass thought that decided it. */
    private static Decision.Adopt.Entry timed(World world, Decision.Adopt.Entry entry, Duration took) {
        long before = world.allocation(entry.slice()).map(Allocation::revision).orElse(0L);
        Allocation next = entry.allocation();
        return next.revision() == before
                ? entry
                : new Decision.Adopt.Entry(entry.slice(), entry.version(), next.tookIn(took));
    }

    /** How long to do nothing unless something is heard. */
    static Duration rest(Decision.Rest decision, Deliberation deliberation, Instant now) {
        Duration due = until(decision.until(), now);
        boolean lags = deliberation.fabrics().values().stream()
                .flatMap(fabric -> fabric.newerDevices().stream())
                .anyMatch(newer -> newer.stops() && newer.revision() > 0);
        return lags && due.compareTo(LAGGING) > 0 ? LAGGING : due;
    }

    private static Duration until(Optional<Instant> time, Instant now) {
        return time.map(instant -> Duration.between(now, instant))
                .filter(rest -> rest.compareTo(LONGEST_REST) < 0)
                .map(rest -> rest.isNegative() ? Duration.ofMillis(1) : rest.plusMillis(1))
                .orElse(LONGEST_REST);
    }

    /** Decides and starts nothing more. From any thread, and waits for nothing. */
    public void stop() {
        news.stop();
    }

    /**
     * Stops before the next pass, and takes one that waits for somebody from its wait. What is in inFlight ends on the
     * devices; light stays as it is.
     */
    @Override
    public void close() {
        stop();
        thread.interrupt();
        try {
            thread.join(TimeUnit.SECONDS.toMillis(2));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
