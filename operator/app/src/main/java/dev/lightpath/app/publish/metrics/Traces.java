package dev.lightpath.app.publish.metrics;

import dev.lightpath.tracing.Tracing;
import io.opentelemetry.api.trace.Span;
import io.prometheus.client.exemplars.DefaultExemplarSampler;
import io.prometheus.client.exemplars.ExemplarSampler;
import io.prometheus.client.exemplars.tracer.common.SpanContextSupplier;
import jakarta.annotation.Priority;
import jakarta.enterprise.inject.Alternative;
import jakarta.enterprise.inject.Disposes;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.util.Optional;

/** The process's traces, and their identifiers beside the samples of its metrics. */
@Singleton
final class Traces {
    private static final int BEFORE_THE_FRAMEWORKS = 1;

    @Produces
    @Singleton
    Tracing tracing() {
        return Tracing.of("lightpath-operator", System.getenv());
    }

    void close(@Disposes Tracing tracing) {
        tracing.close();
    }

    @Produces
    @Singleton
    @Alternative
    @Priority(BEFORE_THE_FRAMEWORKS)
    Optional<ExemplarSampler> exemplars() {
        return Optional.of(new DefaultExemplarSampler(new SpanContextSupplier() {
            @Override
            public String getTraceId() {
                return Span.current().getSpanContext().getTraceId();
            }

            @Override
            public String getSpanId() {
                return Span.current().getSpanContext().getSpanId();
            }

            @Override
            public boolean isSampled() {
                return Span.current().getSpanContext().isSampled();
            }
        }));
    }
}
