package dev.lightpath.app.publish.metrics;

import io.javaoperatorsdk.operator.api.monitoring.Metrics;
import io.javaoperatorsdk.operator.monitoring.micrometer.MicrometerMetrics;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;

/** The framework's own series of its reconcilers, none per resource: their number has no bound. */
@Singleton
final class ReconcilerMetrics {
    @Produces
    @Singleton
    Metrics metrics(MeterRegistry registry) {
        return MicrometerMetrics.withoutPerResourceMetrics(registry);
    }
}
