package dev.lightpath.app.measuring;

import dev.lightpath.crds.fabric.OpticalFabric;
import dev.lightpath.crds.fabric.measurement.PrometheusQuery;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What the queries of fabrics told last, and which of it counts: the answer to a question that was asked after the
 * light of the job had been as it is for the range of the query, and a range after the value that counted before. Other
 * values were measured with other circuits, or count already, in part or whole. A value holds until the next one
 * counts; an answer that fails, or does not name the job, takes it away. Thread-safe.
 */
public final class QueriedTimes {
    /** A query of a fabric that is to be asked now. */
    public record Due(String fabric, PrometheusQuery query) {}

    /** What is known of a query. */
    private static final class Asked {
        private final PrometheusQuery query;
        private boolean underWay;
        private long nanos;
        private @Nullable QueryAnswer answer;

        private Asked(PrometheusQuery query) {
            this.query = query;
        }

        private Map<JobName, String> seconds() {
            return answer instanceof QueryAnswer.Times(Map<JobName, String> seconds) ? seconds : Map.of();
        }

        private boolean isFresh(SteadyLight light) {
            return light.isFresh(nanos, Duration.ofSeconds(query.rangeSeconds()).toNanos());
        }
    }

    private final LongSupplier nanoTime;
    private final Map<String, Asked> fabrics = new HashMap<>();
    private final Map<JobName, SteadyLight> steady = new HashMap<>();
    private volatile BiConsumer<JobName, QueriedTime> news = (job, time) -> {};
    private volatile Runnable standing = () -> {};

    /** @param nanoTime as {@link System#nanoTime} */
    public QueriedTimes(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /**
     * @param listener called with each value that counts if light is still as it was, and with those of jobs whose
     *     light is not known: it is known once somebody asks what counts for them. On a thread that it must not keep
     */
    public void listen(BiConsumer<JobName, QueriedTime> listener) {
        news = listener;
    }

    /** @param listener called when queries begin or cease to fail or to be empty, on a thread that it must not keep */
    public void listenForStanding(Runnable listener) {
        standing = listener;
    }

    /**
     * What the query of a fabric was answered last; empty before its first answer.
     *
     * @param query of the fabric now: of another one nothing is known
     */
    public synchronized Optional<QueryAnswer> answer(String fabric, PrometheusQuery query) {
        return Optional.ofNullable(fabrics.get(fabric))
                .filter(asked -> asked.query.equals(query))
                .flatMap(asked -> Optional.ofNullable(asked.answer));
    }

    /**
     * What counts for a job now, or counted last. Light that changes begins the time anew; an answer that fails does
     * not.
     *
     * @param fabric whose query tells of it
     * @param light its records with their revisions; empty while any of it is dark
     */
    public synchronized Optional<QueriedTime> of(JobName job, String fabric, List<String> light) {
        @Nullable Asked asked = fabrics.get(fabric);
        @Nullable SteadyLight known = steady.get(job);
        if (asked == null || light.isEmpty()) {
            steady.remove(job);
            return Optional.empty();
        }
        @Nullable String seconds = asked.seconds().get(job);
        if (known == null || !known.is(fabric, light)) {
            if (known != null || seconds != null) {
                steady.put(job, new SteadyLight(fabric, light, nanoTime.getAsLong()));
            }
            return Optional.empty();
        }
        if (seconds == null) {
            return Optional.empty();
        }
        if (asked.isFresh(known)) {
            known.count(new QueriedTime(fabric, seconds), asked.nanos);
        }
        return known.counted();
    }

    /** The queries to ask now; each is under way until {@link #answered}. O(fabrics). */
    public synchronized List<Due> due(Collection<OpticalFabric> all) {
        Map<String, PrometheusQuery> written = new HashMap<>();
        all.forEach(fabric -> {
            var measurements = fabric.getSpec().measurements();
            if (measurements != null) {
                written.put(fabric.getMetadata().getName(), measurements.prometheus());
            }
        });
        fabrics.entrySet().removeIf(known -> !known.getValue().query.equals(written.get(known.getKey())));
        steady.values().removeIf(of -> !fabrics.containsKey(of.fabric()));
        long nowNanos = nanoTime.getAsLong();
        return written.entrySet().stream()
                .filter(each -> begin(each.getKey(), each.getValue(), nowNanos))
                .map(each -> new Due(each.getKey(), each.getValue()))
                .toList();
    }

    private boolean begin(String fabric, PrometheusQuery query, long nowNanos) {
        @Nullable Asked known = fabrics.get(fabric);
        boolean due = known == null
                || !known.underWay
                        && nowNanos - known.nanos
                                >= Duration.ofSeconds(query.intervalSeconds()).toNanos();
        if (due) {
            Asked asked = known == null ? new Asked(query) : known;
            asked.underWay = true;
            fabrics.put(fabric, asked);
        }
        return due;
    }

    /** @param askedNanos when the question was asked */
    public void answered(Due due, QueryAnswer answer, long askedNanos) {
        Map<JobName, QueriedTime> told = new HashMap<>();
        boolean turned;
        synchronized (this) {
            @Nullable Asked asked = fabrics.get(due.fabric());
            if (asked == null || !asked.query.equals(due.query())) {
                return;
            }
            turned = asked.answer == null || !asked.answer.isLike(answer);
            asked.underWay = false;
            asked.nanos = askedNanos;
            asked.answer = answer;
            asked.seconds().forEach((job, seconds) -> {
                @Nullable SteadyLight light = steady.get(job);
                if (light == null || !light.fabric().equals(due.fabric()) || asked.isFresh(light)) {
                    told.put(job, new QueriedTime(due.fabric(), seconds));
                }
            });
            if (answer instanceof QueryAnswer.Times(Map<JobName, String> seconds)) {
                steady.entrySet()
                        .removeIf(of -> of.getValue().fabric().equals(due.fabric())
                                && !of.getValue().isHeardOf(seconds.containsKey(of.getKey())));
            }
        }
        if (turned) {
            standing.run();
        }
        told.forEach(news);
    }

    /** Another process asks from now on. */
    synchronized void forget() {
        fabrics.clear();
        steady.clear();
    }
}
