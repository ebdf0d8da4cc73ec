package dev.lightpath.tracing;

import io.opentelemetry.sdk.trace.IdGenerator;
import java.util.function.Supplier;

/** Random identifiers, except for the first span of a {@link NamedTrace}. */
final class RootIds implements IdGenerator {
    private static final ScopedValue<NamedTrace> NEXT = ScopedValue.newInstance();

    /** Runs what starts the first span of a trace. */
    static <T> T within(NamedTrace trace, Supplier<T> start) {
        return ScopedValue.where(NEXT, trace).call(start::get);
    }

    @Override
    public String generateTraceId() {
        return NEXT.isBound() ? NEXT.get().traceId() : IdGenerator.random().generateTraceId();
    }

    @Override
    public String generateSpanId() {
        return NEXT.isBound() ? NEXT.get().rootId() : IdGenerator.random().generateSpanId();
    }
}
