package dev.lightpath.tracing;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/** The part of a thread's work that belongs to a trace: lines that are logged in it have its identifier. */
public final class TraceScope implements AutoCloseable {
    /** Name of the identifier in a line of the log. */
    public static final String TRACE_ID = "traceId";

    private final Scope scope;
    private final @Nullable String before;

    @SuppressWarnings("MustBeClosedChecker") // closed in close()
    private TraceScope(Context context) {
        this.scope = context.makeCurrent();
        this.before = MDC.get(TRACE_ID);
        tell(traceId(context));
    }

    /** To be closed by the thread that opens it. */
    public static TraceScope of(Context context) {
        return new TraceScope(context);
    }

    /** Work that belongs to a trace, whichever thread does it. */
    public static Runnable wrap(Context context, Runnable work) {
        return () -> {
            try (TraceScope scope = of(context)) {
                work.run();
            }
        };
    }

    /** Of what this thread is doing; empty outside of any trace. */
    public static String traceId() {
        return traceId(Context.current());
    }

    private static String traceId(Context context) {
        SpanContext span = Span.fromContext(context).getSpanContext();
        return span.isValid() ? span.getTraceId() : "";
    }

    private static void tell(@Nullable String id) {
        if (id == null || id.isEmpty()) {
            MDC.remove(TRACE_ID);
        } else {
            MDC.put(TRACE_ID, id);
        }
    }

    @Override
    public void close() {
        tell(before);
        scope.close();
    }
}
