package dev.lightpath.soak;

import dev.lightpath.cli.cluster.access.Cluster;
import dev.lightpath.crds.fabric.FaultRecord;
import dev.lightpath.planner.ring.RingShape;
import dev.lightpath.soak.oracle.Beam;
import dev.lightpath.soak.oracle.LightHistory;
import dev.lightpath.soak.oracle.Records;
import dev.lightpath.soak.oracle.RingScheme;
import dev.lightpath.soak.oracle.Seats;
import dev.lightpath.soak.script.Change;
import dev.lightpath.soak.script.Moment;
import dev.lightpath.soak.script.Script;
import dev.lightpath.studies.evaluation.Architecture;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Plays a script: makes what happens, waits until the operator has settled, and checks everything before the next
 * moment.
 */
final class Replay implements AutoCloseable {
    private static final long POLL_MILLIS = 50;
    private static final long HELP_AGAIN_NANOS = TimeUnit.SECONDS.toNanos(5);
    private static final int TENSOR = 32;
    /** Moments that do not settle before the rest is given up. */
    private static final int MOST_UNSETTLED = 5;

    /**
     * How to play.
     *
     * @param speed seconds of the trace that pass in one second, at most
     * @param limit for the operator to settle after a moment
     */
    record Tempo(double speed, Duration limit) {}

    private final Cluster cluster;
    private final Watching watching;
    private final EmulatedHardware hardware;
    private final Site site;
    private final Tempo tempo;
    private final Consumer<String> progress;
    private final Scene scene;
    private final Inspection inspection;
    private final Acts acts;
    private final List<Played> played = new ArrayList<>();
    private final List<Finding> findings = new ArrayList<>();
    private final Instant beganAt = Instant.now();
    private final long began = System.nanoTime();

    private Records before;
    private SortedSet<Beam> light;
    private List<String> crowdedOut = List.of();
    private long logged;
    private int checks;
    private int massFailures;
    private int cleared;
    private int unsettled;

    Replay(Cluster cluster, EmulatedHardware hardware, Site site, Tempo tempo, Consumer<String> progress) {
        this.cluster = cluster;
        this.hardware = hardware;
        this.site = site;
        this.tempo = tempo;
        this.progress = progress;
        this.scene = new Scene(site);
        this.inspection = new Inspection(site, scene);
        this.acts = new Acts(cluster, hardware, site);
        this.watching = new Watching(cluster.client());
        this.before = watching.records();
        this.logged = hardware.lastEntry();
        this.light = hardware.truth().light();
    }

    /** Plays it all; leaves the environment as it was found. */
    Outcome play(Script script) {
        try (Pace pace = new Pace(cluster, acts, site.fabrics(), tempo.speed())) {
            try {
                moment(0, new Moment(first(script), List.of()), "the beginning");
                for (int number = 0; number < script.moments().size() && unsettled < MOST_UNSETTLED; number++) {
                    Moment moment = script.moments().get(number);
                    await(moment.day() - first(script));
                    moment(number, moment, moment.words());
                    if (number % 50 == 49) {
                        progress.accept(String.format(
                                java.util.Locale.ROOT,
                                "%d of %d moments, day %.2f, %d findings, %d s",
                                number + 1,
                                script.moments().size(),
                                moment.day(),
                                findings.size(),
                                Math.round(seconds())));
                    }
                }
                if (unsettled >= MOST_UNSETTLED) {
                    note(
                            script.moments().size(),
                            last(script),
                            "given up",
                            "after " + unsettled + " moments that did not settle");
                }
            } finally {
                end(script);
            }
        }
        return new Outcome(beganAt, script, played, findings, checks, massFailures, cleared, seconds());
    }

    private static double first(Script script) {
        return script.moments().isEmpty() ? 0 : script.moments().getFirst().day();
    }

    private static double last(Script script) {
        return script.moments().isEmpty() ? 0 : script.moments().getLast().day();
    }

    /** Since the beginning. */
    private double seconds() {
        return (System.nanoTime() - began) / 1e9;
    }

    private void await(double days) {
        long due = began + (long) (days * TimeUnit.DAYS.toNanos(1) / tempo.speed());
        sleep(TimeUnit.NANOSECONDS.toMillis(due - System.nanoTime()));
    }

    private static void sleep(long millis) {
        if (millis > 0) {
            try {
                Thread.sleep(millis);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("interrupted", e);
            }
        }
    }

    @Override
    public void close() {
        watching.close();
    }

    /** All jobs go, everything is healed, and nothing may be left. */
    private void end(Script script) {
        List<Change> changes = new ArrayList<>();
        scene.jobs().values().forEach(job -> changes.add(new Change.JobLeaves(job)));
        for (int position : scene.faulty()) {
            changes.add(
                    new Change.NodeRecovers(position, scene.nodeFault(position).orElseThrow()));
        }
        for (String broken : scene.brokenOfSwitches()) {
            int slash = broken.indexOf('/');
            changes.add(
                    slash < 0
                            ? new Change.SwitchRecovers(broken)
                            : new Change.PortRecovers(broken.substring(0, slash), broken.substring(slash + 1)));
        }
        int number = script.moments().size();
        moment(number, new Moment(last(script), changes), "the end: all jobs leave, all faults clear");
        leftOver().forEach(what -> note(number, last(script), "the end", "left over: " + what));
    }

    /** Nodes are told of what a pass decided after it: waits until they are told, up to the limit. */
    private List<String> leftOver() {
        long limit = System.nanoTime() + tempo.limit().toNanos();
        while (true) {
            List<String> left = new LeftOver(site).of(before, hardware.standing(), cluster.nodes());
            if (left.isEmpty() || System.nanoTime() > limit) {
                return left;
            }
            sleep(POLL_MILLIS);
        }
    }

    private void note(int number, double day, String event, String what) {
        Finding finding = new Finding(number, day, event, what);
        findings.add(finding);
        progress.accept("FINDING " + finding.line());
    }

    private void moment(int number, Moment moment, String event) {
        long start = System.nanoTime();
        double at = seconds();
        int known = findings.size();
        moment.changes().forEach(change -> {
            acts.make(change);
            scene.note(change);
        });
        Concern concern = new Concern(site, scene, moment);
        Settled settled = settle(concern);
        double seconds = (System.nanoTime() - start) / 1e9;
        settled.open().forEach(line -> note(number, moment.day(), event, line));
        unsettled += settled.open().isEmpty() ? 0 : 1;
        LightHistory history = settled.history();
        history.doubled().forEach(line -> note(number, moment.day(), event, line));
        if (!settled.wholeLog()) {
            note(number, moment.day(), event, "the emulator's log has lost entries: light could not be followed");
        }
        SortedSet<Beam> kept = inspection.kept(settled.passed());
        concern.blinked(kept, history).forEach(line -> note(number, moment.day(), event, line));
        Concern.Movers movers = settled.movers();
        movers.idle().forEach(line -> note(number, moment.day(), event, line));
        Set<Beam> gone = new HashSet<>(light);
        gone.removeAll(settled.light());
        Set<Beam> came = new HashSet<>(settled.light());
        came.removeAll(light);
        Seating seating = seating(settled.records());
        crowdedOut = inspection.crowdedOut(settled.records());
        played.add(new Played(
                number,
                moment.day(),
                event,
                moment.hasFault(),
                at,
                seconds,
                concern.movedBundles(came),
                concern.movedCircuits(gone) + concern.movedCircuits(came),
                history.began(),
                movers.forOthers(),
                scene.faulty().size(),
                seating.waiting(),
                seating.degraded(),
                seating.inWant(),
                crowdedOut,
                seating.wastedGpus(),
                seating.closedFormGpus(),
                seating.wastedGpus() - inspection.gatherable(settled.records()),
                findings.subList(known, findings.size()).stream()
                        .map(Finding::what)
                        .toList()));
        before = settled.records();
        light = settled.light();
        logged = settled.last();
    }

    /**
     * How a moment ended.
     *
     * @param records those at the end
     * @param passed those of before, all that the watch told of since, and those at the end
     */
    private record Settled(
            Records records,
            List<Records> passed,
            Concern.Movers movers,
            SortedSet<Beam> light,
            LightHistory history,
            long last,
            boolean wholeLog,
            List<String> open) {}

    /**
     * Waits until statuses, records and circuits agree. If a job waits, also until a job has its place for which others
     * moved: room is made in several steps, and after each of them all agrees. What does not agree when the limit is
     * reached stays open.
     */
    private Settled settle(Concern concern) {
        List<Records> passed = new ArrayList<>(List.of(before));
        long limit = System.nanoTime() + tempo.limit().toNanos();
        Map<String, Long> helped = new HashMap<>();
        while (true) {
            boolean late = System.nanoTime() > limit;
            Records records = watching.records();
            List<String> open = new ArrayList<>(inspection.unsettled(records));
            help(records, helped);
            SortedSet<Beam> now = new TreeSet<>();
            if (open.isEmpty() || late) {
                checks++;
                now = hardware.truth().light();
                open.addAll(inspection.wrong(records, now));
            }
            if (open.isEmpty() || late) {
                EmulatedHardware.Log log = hardware.logAfter(logged);
                LightHistory history = LightHistory.of(light, log.entries());
                boolean same = history.light().equals(now);
                watching.until(records).stream()
                        .filter(slices -> slices != passed.getLast().slices())
                        .forEach(slices -> passed.add(records.with(slices)));
                Concern.Movers movers = concern.movers(passed, crowdedOut);
                boolean made = movers.idle().isEmpty() || !seating(records).inWant();
                if (same && made || late) {
                    if (!same) {
                        open.add("light still moves");
                    }
                    return new Settled(
                            records, passed, movers, history.light(), history, log.last(), log.whole(), open);
                }
            }
            sleep(POLL_MILLIS);
        }
    }

    /** What only a person does: go on after a mass failure, and clear nodes that failed too often and are well. */
    private void help(Records records, Map<String, Long> helped) {
        for (String name : site.fabrics()) {
            if (records.fabricSays(name, "Ready").equals("False MassFailure") && due(helped, name)) {
                massFailures++;
                acts.resume(name);
            }
            Map<String, Integer> places = site.ring().places();
            for (FaultRecord fault : records.faults(name)) {
                String[] subject = fault.subject().split("/");
                Integer position = subject.length > 1 ? places.get(subject[1]) : null;
                if (Boolean.TRUE.equals(fault.quarantined())
                        && position != null
                        && !scene.faulty().contains(position)
                        && due(helped, subject[1])) {
                    cleared++;
                    acts.clear(subject[1]);
                }
            }
        }
    }

    /** A person looks again after a while. */
    private static boolean due(Map<String, Long> helped, String what) {
        Long last = helped.get(what);
        long now = System.nanoTime();
        boolean due = last == null || now - last > HELP_AGAIN_NANOS;
        if (due) {
            helped.put(what, now);
        }
        return due;
    }

    private record Seating(int waiting, int degraded, int wastedGpus, int closedFormGpus) {
        /** Whether a job waits for a place or for a repair. */
        boolean inWant() {
            return waiting + degraded > 0;
        }
    }

    private Seating seating(Records records) {
        RingScheme ring = site.ring();
        boolean[] faulty = new boolean[ring.positions()];
        scene.faulty().forEach(position -> faulty[position] = true);
        int healthy = (ring.positions() - scene.faulty().size()) * ring.gpusPerNode();
        int working = 0;
        Set<String> degraded = new TreeSet<>();
        for (Seats group : records.seats(ring)) {
            if (group.positions().stream().noneMatch(scene.faulty()::contains)) {
                working += group.positions().size() * group.gpusPerMember();
            } else {
                degraded.add(group.job());
            }
        }
        int usable = new Architecture.KHop(ring.reach(), ring.closed() ? RingShape.RING : RingShape.LINE)
                .usableGpus(faulty, ring.gpusPerNode(), TENSOR);
        int waiting = (int) inspection.waiting(records).stream()
                .filter(job -> job.ring().isPresent())
                .count();
        return new Seating(waiting, degraded.size(), healthy - working, healthy - usable);
    }
}
