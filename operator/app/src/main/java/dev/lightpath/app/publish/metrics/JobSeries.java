package dev.lightpath.app.publish.metrics;

import static java.util.Objects.requireNonNull;

import dev.lightpath.crds.ConditionType;
import dev.lightpath.crds.job.Prediction;
import dev.lightpath.crds.job.SliceReference;
import dev.lightpath.crds.job.TrainingJob;
import dev.lightpath.crds.job.TrainingJobSpec;
import dev.lightpath.crds.job.TrainingJobStatus;
import dev.lightpath.crds.job.measurement.Measurement;
import dev.lightpath.planner.engine.decision.Deliberation;
import dev.lightpath.planner.engine.decision.SliceVerdict;
import dev.lightpath.planner.memory.FixedMap;
import dev.lightpath.planner.world.JobId;
import dev.lightpath.planner.world.SliceId;
import dev.lightpath.planner.world.SliceIntent;
import dev.lightpath.planner.world.World;
import io.fabric8.kubernetes.api.model.Condition;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Series of single jobs, by namespace, name and fabric. At most {@link #MOST} jobs have them: those that lost light
 * first, then those that hold a place, then those that wait. The number of jobs that have none is a series too. Not
 * thread-safe.
 */
final class JobSeries {
    /** Jobs that have series of their own. A job on one fabric has about ten of them. */
    static final int MOST = 500;

    private static final String NAMESPACE = "namespace";
    private static final String JOB = "job";

    /** States whose jobs have series first. A job that has ended has none. */
    private static final List<String> RANK =
            List.of("degraded", "programming", "ready", "releasing", "pending", "suspended", "refused");

    /**
     * What one version of a job says.
     *
     * @param rank of its state, negative if it has no series
     */
    private record Standing(
            TrainingJob job,
            int rank,
            Map<Tags, Double> states,
            Map<Tags, Double> waiting,
            Map<Tags, Double> times,
            Map<Tags, Double> revisions) {
        static Standing of(TrainingJob job) {
            String state = JobCensus.state(job);
            if (!RANK.contains(state)) {
                return new Standing(job, -1, Map.of(), Map.of(), Map.of(), Map.of());
            }
            List<Place> places = places(job);
            Map<Tags, Double> states = new HashMap<>();
            places.forEach(place -> states.put(place.tags().and("state", state), 1.0));
            Map<Tags, Double> waiting = new HashMap<>();
            unready(job)
                    .ifPresent(why ->
                            places.forEach(place -> waiting.put(place.tags().and("reason", why.getReason()), (double)
                                    Instant.parse(why.getLastTransitionTime()).getEpochSecond())));
            Map<Tags, Double> times = new HashMap<>();
            Map<Tags, Double> revisions = new HashMap<>();
            @Nullable TrainingJobStatus status = job.getStatus();
            if (status != null && !places.isEmpty()) {
                predict(places.getFirst(), status.prediction(), times);
                measure(places.getFirst(), status.measurement(), times);
                status.slices().forEach(slice -> revise(job, slice, revisions));
            }
            return new Standing(job, RANK.indexOf(state), states, waiting, times, revisions);
        }
    }

    /** A job on one of its fabrics. */
    private record Place(String namespace, String job, String fabric) {
        Tags tags() {
            return Tags.of(NAMESPACE, namespace, JOB, job, FabricGauges.FABRIC, fabric);
        }
    }

    /** Since when circuits of a place that were all lit are not, and for how long before. */
    private static final class Dark {
        private boolean wasLit;
        private long sinceMillis = -1;
        private double seconds;

        synchronized void look(boolean lit, long nowMillis) {
            if (sinceMillis >= 0 && lit) {
                seconds += Math.max(0, nowMillis - sinceMillis) / 1000.0;
                sinceMillis = -1;
            } else if (sinceMillis < 0 && wasLit && !lit) {
                sinceMillis = nowMillis;
            }
            wasLit |= lit;
        }

        synchronized double total(long nowMillis) {
            return sinceMillis < 0 ? seconds : seconds + Math.max(0, nowMillis - sinceMillis) / 1000.0;
        }
    }

    /** With the tags of its circuits. */
    private record Clocked(Dark dark, Meter meter, Tags recorded, Tags lit, Tags failed) {}

    private final MeterRegistry registry;
    private final RowGauge states;
    private final RowGauge waiting;
    private final RowGauge iteration;
    private final RowGauge revision;
    private final RowGauge circuits;
    private final AtomicInteger leftOut = new AtomicInteger();
    private final Map<Place, Clocked> darkness = new HashMap<>();
    private Set<String> named = Set.of();
    /** By the object: a job that changed is another one. */
    private Map<TrainingJob, Standing> standing = new IdentityHashMap<>();
    /** What the last pass told of slices, and which of their jobs had series then. */
    private SortedMap<SliceId, SliceVerdict> lastVerdicts = new TreeMap<>();

    private SortedMap<SliceId, SliceIntent> lastSlices = new TreeMap<>();
    private Set<String> lastNamed = Set.of();

    JobSeries(MeterRegistry registry) {
        this.registry = registry;
        states = new RowGauge(registry, "lightpath.job.state", "1 for the state that a job is in.");
        waiting = new RowGauge(
                registry,
                "lightpath.job.waiting.since.seconds",
                "Time at which a job that is not Ready began to wait, in seconds since 1970, by the reason that it"
                        + " gives.");
        iteration = new RowGauge(
                registry,
                "lightpath.job.iteration.seconds",
                "Time of an iteration: predicted with the circuits that there are, with the best that this placement"
                        + " had, the bound that no circuits can beat, and as measured"
                        + " (status.measurement of the job).");
        revision = new RowGauge(
                registry,
                "lightpath.job.revision",
                "Revision of the record of a job's circuits; each repair and each move of circuits raises it by one.");
        circuits = new RowGauge(
                registry,
                "lightpath.job.circuits",
                "Circuits of a job: recorded, lit of these, on devices or ports that failed.");
        Gauge.builder("lightpath.job.series.left.out", leftOut, AtomicInteger::get)
                .description("Jobs beyond the most that have series of their own.")
                .register(registry);
    }

    /** Takes what the jobs say. O(n log n) in jobs, linear where none changed since. */
    void take(Collection<TrainingJob> jobs) {
        Map<TrainingJob, Standing> now = new IdentityHashMap<>();
        jobs.forEach(job -> {
            @Nullable Standing known = standing.get(job);
            now.put(job, known == null ? Standing.of(job) : known);
        });
        boolean same = now.size() == standing.size() && standing.keySet().containsAll(now.keySet());
        standing = now;
        if (!same) {
            show();
        }
    }

    private void show() {
        List<Standing> open = standing.values().stream()
                .filter(each -> each.rank() >= 0)
                .sorted(Comparator.comparingInt(Standing::rank)
                        .thenComparing(each -> each.job().getMetadata().getNamespace())
                        .thenComparing(each -> each.job().getMetadata().getName()))
                .toList();
        List<Standing> shown = open.subList(0, Math.min(MOST, open.size()));
        leftOut.set(open.size() - shown.size());
        named = shown.stream().map(each -> key(each.job())).collect(Collectors.toUnmodifiableSet());
        states.show(all(shown, Standing::states));
        waiting.show(all(shown, Standing::waiting));
        iteration.show(all(shown, Standing::times));
        revision.show(all(shown, Standing::revisions));
    }

    private static Map<Tags, Double> all(List<Standing> shown, Function<Standing, Map<Tags, Double>> rows) {
        Map<Tags, Double> all = new HashMap<>();
        shown.forEach(each -> all.putAll(rows.apply(each)));
        return all;
    }

    private static String key(TrainingJob job) {
        return job.getMetadata().getNamespace() + "/" + job.getMetadata().getName();
    }

    private static List<Place> places(TrainingJob job) {
        Set<String> fabrics = new TreeSet<>();
        // the definition asks for a spec; an object from before an older definition may have none
        TrainingJobSpec spec = job.getSpec();
        if (spec != null && spec.scaleUp() != null) {
            fabrics.add(spec.scaleUp().fabric());
        }
        if (spec != null && spec.scaleOut() != null) {
            fabrics.add(spec.scaleOut().fabric());
        }
        List<Place> places = new ArrayList<>();
        fabrics.forEach(fabric -> places.add(
                new Place(job.getMetadata().getNamespace(), job.getMetadata().getName(), fabric)));
        return places;
    }

    /** The condition Ready of a job that is not Ready, if it says since when. */
    private static Optional<Condition> unready(TrainingJob job) {
        TrainingJobStatus status = job.getStatus();
        return status == null
                ? Optional.empty()
                : status.conditions().stream()
                        .filter(condition -> condition.getType().equals(ConditionType.READY.word())
                                && !"True".equals(condition.getStatus())
                                && condition.getReason() != null
                                && condition.getLastTransitionTime() != null)
                        .findFirst();
    }

    private static void predict(Place place, @Nullable Prediction told, Map<Tags, Double> times) {
        if (told != null) {
            put(place, "predicted", told.iterationSeconds(), times);
            put(place, "best", told.bestSeconds(), times);
            put(place, "bound", told.lowerBoundSeconds(), times);
        }
    }

    /** What the annotation says may be nonsense: the status has what was taken of it. */
    private static void measure(Place place, @Nullable Measurement taken, Map<Tags, Double> times) {
        if (taken != null) {
            put(place, "measured", taken.iterationSeconds(), times);
        }
    }

    private static void put(Place place, String which, @Nullable String seconds, Map<Tags, Double> times) {
        if (seconds != null && seconds.matches("[0-9]+(\\.[0-9]+)?")) {
            times.put(place.tags().and("which", which), Double.parseDouble(seconds));
        }
    }

    private static void revise(TrainingJob job, SliceReference slice, Map<Tags, Double> revisions) {
        if (slice.revision() != null) {
            Place place = new Place(
                    job.getMetadata().getNamespace(), job.getMetadata().getName(), slice.fabric());
            revisions.put(place.tags(), slice.revision().doubleValue());
        }
    }

    /**
     * Takes how the circuits of each job stand after a pass. Linear in slices, which are not looked at where none
     * changed.
     */
    void passed(World world, Deliberation deliberation) {
        if (named.equals(lastNamed)
                && FixedMap.sameObjects(lastVerdicts, deliberation.slices())
                && FixedMap.sameObjects(lastSlices, world.slices())) {
            return;
        }
        lastNamed = named;
        lastVerdicts = deliberation.slices();
        lastSlices = world.slices();
        Map<Place, SliceVerdict.Light> light = new HashMap<>();
        deliberation.slices().forEach((id, verdict) -> {
            SliceIntent slice = world.slices().get(id);
            if (slice != null && slice.wanted() && verdict.light().total() > 0 && isNamed(slice.job())) {
                light.merge(
                        new Place(slice.job().namespace(), slice.job().name(), slice.fabric()),
                        verdict.light(),
                        JobSeries::together);
            }
        });
        darken(light);
        Map<Tags, Double> rows = new HashMap<>();
        light.forEach((place, of) -> {
            Clocked known = requireNonNull(darkness.get(place));
            rows.put(known.recorded(), (double) of.total());
            rows.put(known.lit(), (double) of.lit());
            rows.put(known.failed(), (double) of.failed());
        });
        circuits.show(rows);
    }

    private boolean isNamed(JobId job) {
        return named.contains(job.namespace() + "/" + job.name());
    }

    private static SliceVerdict.Light together(SliceVerdict.Light one, SliceVerdict.Light other) {
        return new SliceVerdict.Light(
                one.total() + other.total(),
                one.lit() + other.lit(),
                one.failed() + other.failed(),
                one.links() + other.links(),
                one.qualifiedLinks() + other.qualifiedLinks(),
                one.obstacle());
    }

    private void darken(Map<Place, SliceVerdict.Light> light) {
        darkness.entrySet().removeIf(each -> {
            boolean gone = !light.containsKey(each.getKey());
            if (gone) {
                registry.remove(each.getValue().meter());
            }
            return gone;
        });
        long now = registry.config().clock().wallTime();
        light.forEach((place, of) ->
                darkness.computeIfAbsent(place, this::watched).dark().look(of.programmed(), now));
    }

    private Clocked watched(Place place) {
        Dark dark = new Dark();
        return new Clocked(
                dark,
                FunctionCounter.builder(
                                "lightpath.job.dark.seconds",
                                dark,
                                seen -> seen.total(registry.config().clock().wallTime()))
                        .description("Time in which circuits of a job that had all been lit were not all lit.")
                        .tags(place.tags())
                        .register(registry),
                place.tags().and("state", "recorded"),
                place.tags().and("state", "lit"),
                place.tags().and("state", "failed"));
    }

    /** No pass looks at them any more. */
    void ended() {
        named = Set.of();
        standing = new IdentityHashMap<>();
        lastNamed = Set.of();
        lastVerdicts = new TreeMap<>();
        lastSlices = new TreeMap<>();
        leftOut.set(0);
        List.of(states, waiting, iteration, revision, circuits).forEach(gauge -> gauge.show(Map.of()));
        darken(Map.of());
    }
}
