package dev.lightpath.driver.http;

import io.opentelemetry.api.trace.Span;
import io.prometheus.metrics.tracer.common.SpanContext;
import org.jspecify.annotations.Nullable;

/** Names the trace beside a sample of a metric that was taken in it. */
final class Exemplars implements SpanContext {
    @Override
    public @Nullable String getCurrentTraceId() {
        return Span.current().getSpanContext().isValid()
                ? Span.current().getSpanContext().getTraceId()
                : null;
    }

    @Override
    public @Nullable String getCurrentSpanId() {
        return Span.current().getSpanContext().isValid()
                ? Span.current().getSpanContext().getSpanId()
                : null;
    }

    @Override
    public boolean isCurrentSpanSampled() {
        return Span.current().getSpanContext().isSampled();
    }

    @Override
    public void markCurrentSpanAsExemplar() {
        // every change is traced as the sampler says, whether a metric names it or not
    }
}
