package dev.lightpath.driver.http;

import dev.lightpath.driver.contract.Fleet;
import dev.lightpath.driver.ledger.Ledger;
import dev.lightpath.proto.driver.v1alpha1.Availability;
import dev.lightpath.proto.driver.v1alpha1.ErrorReason;
import dev.lightpath.proto.driver.v1alpha1.Operation;
import dev.lightpath.proto.driver.v1alpha1.Outcome;
import dev.lightpath.serving.pages.StatusPages;
import dev.lightpath.serving.tls.TlsFiles;
import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Timer;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The driver's metrics. Tags are bounded: of devices only switches are named ({@link SwitchMeters}), and no port is.
 */
public final class Meters implements AutoCloseable {
    private static final String OPEN_METRICS = "application/openmetrics-text";

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(
            PrometheusConfig.DEFAULT, new PrometheusRegistry(), Clock.SYSTEM, new Exemplars());
    private final AtomicInteger streams = new AtomicInteger();
    private final Counter dropped;
    private final SwitchMeters switches;
    private final LossBaselines baselines = new LossBaselines();

    /**
     * @param state directory of the driver
     * @param certificates files with certificates that the driver shows
     */
    public Meters(Fleet fleet, Ledger ledger, Path state, Collection<Path> certificates) {
        for (Path each : certificates) {
            Gauge.builder("lightpath_driver_certificate_expires_timestamp_seconds", each, TlsFiles::expires)
                    .description("When the certificate of a file that the driver reads expires, in seconds since 1970")
                    .tag("file", each.toString())
                    .register(registry);
        }
        for (Availability each :
                new Availability[] {Availability.AVAILABILITY_PRESENT, Availability.AVAILABILITY_SILENT}) {
            Gauge.builder("lightpath_driver_devices", fleet, f -> count(f, each))
                    .description("Devices by availability")
                    .tag("availability", word(each.name(), "AVAILABILITY_"))
                    .register(registry);
        }
        Gauge.builder("lightpath_driver_journal_bytes", ledger, Ledger::journalBytes)
                .description("Size of the journal in bytes")
                .register(registry);
        Gauge.builder("lightpath_driver_journal_failed", ledger, l -> l.failure() == null ? 0 : 1)
                .description("1 while the state directory cannot be written and changes are refused")
                .register(registry);
        FunctionCounter.builder("lightpath_driver_journal_compactions_failed", ledger, Ledger::compactionsFailed)
                .description("Times the journal could not be rewritten")
                .register(registry);
        Gauge.builder("lightpath_driver_state_free_bytes", state, Meters::free)
                .description("What the driver may still write on the volume of its state directory")
                .register(registry);
        Gauge.builder("lightpath_driver_watch_streams", streams, AtomicInteger::get)
                .description("Open Watch streams")
                .register(registry);
        this.dropped = Counter.builder("lightpath_driver_watch_dropped")
                .description("Watch messages dropped because a client was slow")
                .register(registry);
        this.switches = new SwitchMeters(registry, fleet, baselines);
        // known before the first event, so that a rate over them is right
        for (Outcome outcome : Outcome.values()) {
            if (outcome != Outcome.OUTCOME_UNSPECIFIED && outcome != Outcome.UNRECOGNIZED) {
                applies(outcome, false);
            }
        }
        for (ErrorReason reason : ErrorReason.values()) {
            if (reason != ErrorReason.ERROR_REASON_UNSPECIFIED && reason != ErrorReason.UNRECOGNIZED) {
                refusals(reason);
            }
        }
    }

    /** Not a number where the volume does not say. */
    private static double free(Path state) {
        try {
            return Files.getFileStore(state).getUsableSpace();
        } catch (IOException unknown) {
            return Double.NaN;
        }
    }

    private static double count(Fleet fleet, Availability availability) {
        return fleet.devices().values().stream()
                .filter(d -> d.view().availability() == availability)
                .count();
    }

    /** What the losses of circuits were at first. */
    public LossBaselines baselines() {
        return baselines;
    }

    public void applied(Operation operation, boolean replayed, Duration took) {
        applies(operation.getOutcome(), replayed).record(took);
        if (!replayed && operation.getOutcome() == Outcome.OUTCOME_APPLIED) {
            switches.moved(operation);
        }
    }

    private Timer applies(Outcome outcome, boolean replayed) {
        return Timer.builder("lightpath_driver_change")
                .description("ApplyCircuits, request to answer, by outcome")
                .publishPercentileHistogram()
                .minimumExpectedValue(Duration.ofMillis(1))
                .maximumExpectedValue(Duration.ofMinutes(2))
                .tag("outcome", word(outcome.name(), "OUTCOME_"))
                .tag("replayed", Boolean.toString(replayed))
                .register(registry);
    }

    public void refused(ErrorReason reason) {
        refusals(reason).increment();
    }

    private Counter refusals(ErrorReason reason) {
        return Counter.builder("lightpath_driver_refused")
                .description("Calls refused, by reason")
                .tag("reason", word(reason.name(), "ERROR_REASON_"))
                .register(registry);
    }

    public void streamOpened() {
        streams.incrementAndGet();
    }

    public void streamClosed() {
        streams.decrementAndGet();
    }

    public void dropped() {
        dropped.increment();
    }

    /** @param accept what the caller takes: exemplars are in OpenMetrics alone */
    public synchronized StatusPages.Answer scrape(String accept) {
        switches.measure();
        String type =
                accept.contains(OPEN_METRICS) ? OPEN_METRICS + "; version=1.0.0; charset=utf-8" : StatusPages.METRICS;
        return new StatusPages.Answer(200, type, registry.scrape(type));
    }

    private static String word(String name, String prefix) {
        return name.replace(prefix, "");
    }

    @Override
    public void close() {
        registry.close();
    }
}
