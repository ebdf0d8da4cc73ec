package dev.lightpath.worker.server;

import dev.lightpath.serving.tls.TlsFiles;
import dev.lightpath.worker.child.ChildSearch.Outcome;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Timer;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** The worker's metrics. Thread-safe. */
final class WorkerMeters implements AutoCloseable {
    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final Counter refused;

    /** @param certificate file that the worker shows; empty without TLS */
    WorkerMeters(Places places, Optional<Path> certificate) {
        Gauge.builder("lightpath_worker_places", places, Places::all)
                .description("Searches that the worker runs at once at most")
                .register(registry);
        Gauge.builder("lightpath_worker_searches", places, Places::taken)
                .description("Searches that run")
                .register(registry);
        certificate.ifPresent(
                file -> Gauge.builder("lightpath_worker_certificate_expires_timestamp_seconds", file, TlsFiles::expires)
                        .description("When the certificate of the worker expires, in seconds since 1970")
                        .tag("file", file.toString())
                        .register(registry));
        refused = Counter.builder("lightpath_worker_refused")
                .description("Searches that were refused because every place was taken")
                .register(registry);
        // known before the first event, so that a rate over them is right
        List.of("solved", "refused", "not_started", "ended", "lost", "late", "killed")
                .forEach(this::searches);
    }

    void refused() {
        refused.increment();
    }

    void searched(Outcome outcome, Duration took) {
        searches(word(outcome)).record(took);
    }

    static String word(Outcome outcome) {
        return switch (outcome) {
            case Outcome.Solved solved -> "solved";
            case Outcome.Refused refused -> "refused";
            case Outcome.NotStarted none -> "not_started";
            case Outcome.Ended ended -> "ended";
            case Outcome.Lost lost -> "lost";
            case Outcome.Late late -> "late";
            case Outcome.Killed killed -> "killed";
        };
    }

    private Timer searches(String result) {
        return Timer.builder("lightpath_worker_search")
                .description("Time of a search; refused: the question was none, not_started: there was no process,"
                        + " ended: its process ended without an answer, lost: its process was killed by somebody else,"
                        + " late: it was ended because it did not stop, killed: nobody waited for it any more")
                .tag("result", result)
                .publishPercentileHistogram()
                .minimumExpectedValue(Duration.ofMillis(100))
                .maximumExpectedValue(Duration.ofMinutes(10))
                .register(registry);
    }

    String scrape(String type) {
        return registry.scrape(type);
    }

    @Override
    public void close() {
        registry.close();
    }
}
