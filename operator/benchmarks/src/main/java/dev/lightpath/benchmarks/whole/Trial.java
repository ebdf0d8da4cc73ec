package dev.lightpath.benchmarks.whole;

import static dev.lightpath.benchmarks.whole.Speed.say;

import dev.lightpath.benchmarks.Samples;
import dev.lightpath.crds.job.TrainingJob;
import dev.lightpath.crds.slice.FabricSlice;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Everything that is measured at one size, in order. */
final class Trial implements AutoCloseable {
    private static final int WARM_UP_JOBS = 3;
    private static final long HOLD_MILLIS = 200;
    private static final long STABLE_MILLIS = 120;
    private static final int REPAIRED_SECONDS = 6;
    static final PatchContext MERGE = PatchContext.of(PatchType.JSON_MERGE);

    private final Site site;
    private final Size size;
    private final int steadySeconds;
    private final int warmUp;
    private final Ring ring;
    private final SharedIndexInformer<FabricSlice> slices;
    private final SharedIndexInformer<TrainingJob> jobs;
    private final ConcurrentMap<String, Long> readyNanos = new ConcurrentHashMap<>();
    private final Map<String, Integer> broken = new HashMap<>();
    private final StringBuilder rows = new StringBuilder();

    /** @param warmUp faults of each kind before any counts: an operator that has just started has code to compile */
    Trial(Site site, int steadySeconds, int warmUp) {
        this.site = site;
        this.size = site.size;
        this.steadySeconds = steadySeconds;
        this.warmUp = warmUp;
        this.ring = new Ring(size.nodes());
        slices = site.client()
                .resources(FabricSlice.class)
                .inNamespace(Manifests.NAMESPACE)
                .inform();
        jobs = site.client()
                .resources(TrainingJob.class)
                .inNamespace(Manifests.NAMESPACE)
                .inform(new ResourceEventHandler<>() {
                    @Override
                    public void onAdd(TrainingJob job) {
                        seen(job);
                    }

                    @Override
                    public void onUpdate(TrainingJob before, TrainingJob job) {
                        seen(job);
                    }

                    @Override
                    public void onDelete(TrainingJob job, boolean unknown) {
                        readyNanos.remove(job.getMetadata().getName());
                    }
                });
    }

    private void seen(TrainingJob job) {
        if (isReady(job)) {
            readyNanos.putIfAbsent(job.getMetadata().getName(), System.nanoTime());
        }
    }

    static boolean isReady(TrainingJob job) {
        return job.getStatus() != null
                && job.getStatus().conditions().stream()
                        .anyMatch(condition -> condition.getType().equals("Ready")
                                && condition.getStatus().equals("True"));
    }

    @Override
    public void close() {
        slices.close();
        jobs.close();
    }

    /** Returns a table. */
    String run() {
        rows.append("\n| %s nodes, %d jobs%s | p50 / p99 / max (samples) |\n|---|---|\n"
                .formatted(size.nodes(), size.jobs(), size.pods() == 0 ? "" : ", ring and " + size.pods() + " pods"));
        part("placing jobs", this::place);
        part("rest", this::rest);
        Operator.Series before = site.operator.series();
        if (size.faults() > 0) {
            part("faults", this::faults);
        }
        part("applies", this::applies);
        if (size.pods() > 0) {
            part("faults of ports of switches", this::portFaults);
        }
        Operator.Series after = site.operator.series();
        row("an event waits for the planning loop", buckets(before, after, "lightpath_plan_wait_seconds"));
        row("a planning pass", buckets(before, after, "lightpath_plan_seconds"));
        row(
                "heap in use after a full collection; most memory resident",
                site.operator.heapMib() + " MiB; " + site.operator.program().peakResidentMib() + " MiB");
        stop();
        return rows.toString();
    }

    /** Ends of the buckets of a histogram in which its percentiles between two scrapes lie. */
    private static String buckets(Operator.Series before, Operator.Series after, String histogram) {
        return String.format(
                Locale.ROOT,
                "p50 <= %.0f, p99 <= %.0f ms",
                1e3 * after.percentile(before, histogram, 50),
                1e3 * after.percentile(before, histogram, 99));
    }

    /** What cannot be measured is told, and the rest is measured all the same. */
    private void part(String what, Runnable measures) {
        try {
            measures.run();
        } catch (IllegalStateException e) {
            row(what, "NOT MEASURED: " + e.getMessage());
        }
    }

    private void row(String what, Object figure) {
        say(what + ": " + figure);
        rows.append("| ").append(what).append(" | ").append(figure).append(" |\n");
    }

    void place() {
        say("applying " + size.jobs() + " jobs");
        long began = System.nanoTime();
        Duration busy = site.operator.program().processorTime();
        Site.each(
                IntStream.range(0, size.jobs()).boxed().toList(),
                job -> site.apply(
                        size.pods() == 0 || size.isHostile() || size.isSearches()
                                ? Manifests.ringJob(size, "job-" + job, size.groups(job))
                                : Manifests.jobOnBoth("job-" + job, 128)));
        Patience.until("all jobs are Ready", 900, () -> readyNanos.size() == size.jobs());
        row(
                size.jobs() + " jobs applied at once, all Ready",
                String.format(
                        Locale.ROOT,
                        "%.1f s, %.1f s of the operator's processor time",
                        (System.nanoTime() - began) / 1e9,
                        site.operator.program().processorTime().minus(busy).toMillis() / 1e3));
        openSpares();
    }

    void openSpares() {
        Site.each(
                IntStream.range(0, size.nodes()).filter(size::isSpare).boxed().toList(),
                node -> patchNode("n" + node, "{\"spec\": {\"unschedulable\": null}}"));
    }

    /** Without reading it first, as the client does of an object that it has by its name alone. */
    private void patchNode(String node, String patch) {
        var unused = site.client()
                .resource(new NodeBuilder()
                        .withNewMetadata()
                        .withName(node)
                        .endMetadata()
                        .build())
                .patch(MERGE, patch);
    }

    private void rest() {
        long began = System.nanoTime();
        settle(10);
        say(String.format(Locale.ROOT, "nothing is written any more after %.0f s", (System.nanoTime() - began) / 1e9));
        assertTruth();
        long writes = site.plane.writes();
        Duration busy = site.operator.program().processorTime();
        Patience.sleepMillis(steadySeconds * 1000L);
        long more = site.plane.writes() - writes;
        row(
                "API writes in " + steadySeconds + " s of rest, besides the Lease",
                more + "; "
                        + site.operator.program().processorTime().minus(busy).toMillis() + " ms of processor time");
    }

    /** Until the operator has written nothing for so long. */
    void settle(int seconds) {
        long deadline = System.nanoTime() + 600_000_000_000L;
        long writes = -1;
        while (System.nanoTime() < deadline) {
            long now = site.plane.writes();
            if (now == writes) {
                return;
            }
            writes = now;
            Patience.sleepMillis(seconds * 1000L);
        }
        throw new IllegalStateException("the operator writes on and on: " + writes);
    }

    private void assertTruth() {
        Patience.until(
                "the light is as recorded",
                60,
                () -> site.light.of(List.of()).stream()
                        .filter(circuit -> circuit.startsWith("n"))
                        .toList()
                        .equals(List.copyOf(ring.recorded(slices.getStore().list()))));
    }

    private void faults() {
        Samples answers = new Samples();
        try (Probe probe = new Probe(() -> answers.addNanos(site.operator.answerNanos()))) {
            single("a Node is marked faulty", this::markFaulty, this::markWell, 0);
            single(
                    "the driver reports a failed port",
                    member -> site.light.failPort(member.node(), member.path()),
                    member -> site.light.heal(member.node()),
                    HOLD_MILLIS);
            bursts();
        }
        assertTruth();
        row("the HTTP server answers meanwhile", answers);
    }

    void markFaulty(Ring.Member member) {
        patchNode(member.node(), "{\"metadata\": {\"annotations\": {\"lightpath.dev/faulty\": \"benchmark\"}}}");
    }

    void markWell(Ring.Member member) {
        patchNode(member.node(), "{\"metadata\": {\"annotations\": {\"lightpath.dev/faulty\": null}}}");
    }

    private void single(String what, Consumer<Ring.Member> breaks, Consumer<Ring.Member> mends, long holdMillis) {
        say(size.faults() + " times: " + what);
        Samples inside = new Samples();
        Samples outside = new Samples();
        Duration busy = Duration.ZERO;
        int missed = 0;
        for (int i = -warmUp; i < size.faults(); i++) {
            if (i == 0) {
                busy = site.operator.program().processorTime();
            }
            Ring.Member member = next(1).getFirst();
            Operator.Series before = site.operator.series();
            Set<String> around = ring.neighbourhood(member);
            LightWatch watch = new LightWatch(site.light, around);
            Instant began = site.light.now().at();
            breaks.accept(member);
            Optional<Instant> lit = lastChange(watch);
            Operator.Series after = site.operator.series();
            mends.accept(member);
            if (i >= 0) {
                if (lit.isEmpty()) {
                    missed++;
                } else {
                    outside.addNanos(Duration.between(began, lit.get())
                            .minusMillis(holdMillis)
                            .toNanos());
                }
                addRepairs(inside, before, after);
            }
            Patience.sleepMillis(size.breathMillis());
        }
        long millis = site.operator.program().processorTime().minus(busy).toMillis() / size.faults();
        row(what + ": operator's own clock, event to last acknowledgement", inside);
        row(
                what + ": written to light" + (holdMillis == 0 ? "" : ", less the hold time"),
                outside + (missed == 0 ? "" : ", " + missed + " without light") + "; " + millis
                        + " ms of processor time each, scrapes and statuses included");
    }

    /** The mean of the repairs between two scrapes, nothing if there were none. */
    private static void addRepairs(Samples inside, Operator.Series before, Operator.Series after) {
        double repairs = after.sum("lightpath_fault_to_light_seconds_count")
                - before.sum("lightpath_fault_to_light_seconds_count");
        double seconds =
                after.sum("lightpath_fault_to_light_seconds_sum") - before.sum("lightpath_fault_to_light_seconds_sum");
        if (repairs > 0) {
            inside.addMillis(1e3 * seconds / repairs);
        }
    }

    /**
     * Faults of Nodes, one after the other.
     *
     * @param outside is given the time from the write of each fault to the last light
     * @param inside is given the operator's own figure, from the event to the last acknowledgement
     */
    void repairs(Samples outside, Samples inside, int count) {
        int missed = 0;
        for (int i = 0; i < count; i++) {
            Ring.Member member = next(1).getFirst();
            Operator.Series before = site.operator.series();
            LightWatch watch = new LightWatch(site.light, ring.neighbourhood(member));
            Instant began = site.light.now().at();
            markFaulty(member);
            Optional<Instant> lit = lastChange(watch);
            lit.ifPresentOrElse(
                    at -> outside.addNanos(Duration.between(began, at).toNanos()), () -> {});
            missed += lit.isEmpty() ? 1 : 0;
            addRepairs(inside, before, site.operator.series());
            markWell(member);
            Patience.sleepMillis(size.breathMillis());
        }
        say(outside + ", by its own clock " + inside + (missed == 0 ? "" : ", " + missed + " without light"));
    }

    private void bursts() {
        say(size.bursts() + " times " + size.burst() + " faults at once");
        Samples all = new Samples();
        int unrepaired = 0;
        for (int i = -1; i < size.bursts(); i++) {
            List<Ring.Member> members = next(size.burst());
            Set<String> around = new HashSet<>();
            members.forEach(member -> around.addAll(ring.neighbourhood(member)));
            members.forEach(member -> around.remove(member.node()));
            LightWatch watch = new LightWatch(site.light, around);
            Instant began = site.light.now().at();
            Site.each(members, this::markFaulty);
            Repaired repaired = repaired(watch, members, began);
            if (i >= 0) {
                unrepaired += repaired.unrepaired();
                all.addNanos(Duration.between(began, repaired.lit()).toNanos());
            }
            Site.each(members, this::markWell);
            Patience.sleepMillis(size.breathMillis());
        }
        row(
                size.burst() + " Nodes marked faulty at once: written to all light",
                all
                        + (unrepaired == 0
                                ? ""
                                : ", without " + unrepaired + " jobs not repaired within " + REPAIRED_SECONDS + " s"));
    }

    /** Inner nodes of different jobs, those first that broke least often. */
    private List<Ring.Member> next(int count) {
        List<Ring.Member> members =
                new ArrayList<>(ring.members(slices.getStore().list()));
        Collections.shuffle(members, new java.util.Random(broken.size()));
        members.sort(java.util.Comparator.comparingInt(member -> broken.getOrDefault(member.node(), 0)));
        List<Ring.Member> chosen = new ArrayList<>();
        Set<String> used = new HashSet<>();
        for (Ring.Member member : members) {
            if (chosen.size() < count && used.add(member.slice())) {
                chosen.add(member);
                broken.merge(member.node(), 1, Integer::sum);
            }
        }
        return chosen;
    }

    /**
     * @param lit when the last circuit was lit of the jobs that were repaired
     * @param unrepaired jobs that were not repaired by then: mostly those that found no node in reach, which are placed
     *     elsewhere as a whole
     */
    private record Repaired(Instant lit, int unrepaired) {}

    /** Jobs that are not repaired {@link #REPAIRED_SECONDS} after the first look are not waited for. */
    private Repaired repaired(LightWatch watch, List<Ring.Member> members, Instant began) {
        Set<Integer> broken = members.stream().map(Ring.Member::position).collect(Collectors.toSet());
        long patient = System.nanoTime() + REPAIRED_SECONDS * 1_000_000_000L;
        long deadline = patient + 20_000_000_000L;
        while (System.nanoTime() < deadline) {
            watch.look();
            if (watch.isStill(STABLE_MILLIS)) {
                List<FabricSlice> records = slices.getStore().list();
                List<FabricSlice> whole = records.stream()
                        .filter(slice -> Collections.disjoint(Ring.positions(slice), broken))
                        .toList();
                Optional<Instant> lit = watch.lastLit(ring.active(whole)).filter(at -> at.isAfter(began));
                if (lit.isPresent() && (whole.size() == records.size() || System.nanoTime() > patient)) {
                    return new Repaired(lit.get(), records.size() - whole.size());
                }
            }
            Patience.sleepMillis(LightWatch.PERIOD_MILLIS);
        }
        throw new IllegalStateException("light of records is dark " + (20 + REPAIRED_SECONDS) + " s after the faults");
    }

    /** When light changed last before it stood still with a circuit more; empty when it did not within 20 s. */
    private static Optional<Instant> lastChange(LightWatch watch) {
        SortedSet<String> before = new TreeSet<>(watch.lit());
        long deadline = System.nanoTime() + 20_000_000_000L;
        while (System.nanoTime() < deadline) {
            watch.look();
            if (watch.isStill(STABLE_MILLIS) && !before.containsAll(watch.lit())) {
                return Optional.of(watch.changed());
            }
            Patience.sleepMillis(LightWatch.PERIOD_MILLIS);
        }
        return Optional.empty();
    }

    private void applies() {
        say(size.applies() + " times: apply of a job of " + size.gpus() + " GPUs");
        Samples ready = new Samples();
        Duration busy = Duration.ZERO;
        for (int i = -WARM_UP_JOBS; i < size.applies(); i++) {
            if (i == 0) {
                busy = site.operator.program().processorTime();
            }
            String name = "large-" + (i + WARM_UP_JOBS);
            long nanos = applied(name);
            if (i >= 0) {
                ready.addNanos(nanos);
            }
            gone(name);
        }
        long millis = site.operator.program().processorTime().minus(busy).toMillis() / size.applies();
        row(
                "apply to Ready, " + size.gpus() + " GPUs",
                ready + "; " + millis + " ms of processor time with its deletion");
    }

    private long applied(String name) {
        long began = System.nanoTime();
        site.apply(
                size.pods() == 0
                        ? Manifests.ringJob(size, name, size.gpus() / size.groupGpus())
                        : Manifests.jobOnBoth(name, size.gpus()));
        Patience.until(name + " is Ready", 120, () -> readyNanos.containsKey(name));
        return Objects.requireNonNull(readyNanos.get(name)) - began;
    }

    private void gone(String name) {
        site.client()
                .resources(TrainingJob.class)
                .inNamespace(Manifests.NAMESPACE)
                .withName(name)
                .delete();
        Patience.until(name + " is gone", 120, () -> jobs.getStore().getByKey("default/" + name) == null);
        Patience.sleepMillis(size.breathMillis());
    }

    private void portFaults() {
        say("ports of switches fail under a job of " + size.gpus() + " GPUs");
        Spine spine = new Spine(slices.getStore()::list, site.light);
        var unused = applied("large");
        settle(3);
        int whole = spine.circuits("large");
        Samples repaired = new Samples();
        Samples fewer = new Samples();
        for (int i = -1; i < size.applies(); i++) {
            Spine.Port port = spine.port("large", i + 1);
            LightWatch watch = spine.watch();
            Instant began = site.light.now().at();
            site.light.failPort(port.opticalSwitch(), port.ingress());
            Instant lit = spine.repaired(port, watch, STABLE_MILLIS);
            if (i >= 0) {
                (spine.circuits("large") < whole ? fewer : repaired)
                        .addNanos(Duration.between(began, lit)
                                .minusMillis(HOLD_MILLIS)
                                .toNanos());
            }
            site.light.heal(port.opticalSwitch());
            settle(4);
            Patience.until(
                    "the job has its " + whole + " circuits back, and the light is as recorded",
                    60,
                    () -> spine.circuits("large") == whole && spine.isAsRecorded());
        }
        row(
                "a port of a switch fails: written until the light is that of a record without the port, less the hold time",
                repaired + " with as many circuits, " + fewer + " with fewer than the " + whole);
    }

    /** Another replica stands by, and leads once the one before ends; several times. */
    private void stop() {
        SortedSet<String> before = site.light.of(List.of());
        Samples ended = new Samples();
        Samples decided = new Samples();
        Operator leading = site.operator;
        for (int change = 0; change < Size.LEADER_CHANGES; change++) {
            Operator next = site.standby(change);
            settle(3);
            long began = System.nanoTime();
            ended.addNanos(leading.program().terminate().toNanos());
            Patience.until(
                    "the other replica decides", 120, () -> next.series().sum("lightpath_plan_seconds_count") > 0);
            decided.addNanos(System.nanoTime() - began);
            leading = next;
        }
        settle(5);
        row(
                "SIGTERM to the end of the process",
                ended + "; " + (site.light.of(List.of()).equals(before) ? "no light moved" : "LIGHT MOVED"));
        row("SIGTERM to the first pass of a replica that stood by", decided);
    }
}
