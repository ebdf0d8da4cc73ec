package dev.lightpath.tracing;

import io.grpc.Contexts;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.propagation.TextMapGetter;
import org.jspecify.annotations.Nullable;

/** Takes the trace of a call along: W3C Trace Context in the metadata of gRPC. */
public final class TraceHeaders implements ServerInterceptor {
    private static final io.grpc.Context.Key<Context> KEY =
            io.grpc.Context.keyWithDefault("lightpath-trace", Context.root());

    private static final TextMapGetter<Metadata> GETTER = new TextMapGetter<>() {
        @Override
        public Iterable<String> keys(Metadata headers) {
            return headers.keys();
        }

        @Override
        public @Nullable String get(@Nullable Metadata headers, String name) {
            return headers == null ? null : headers.get(key(name));
        }
    };

    private static Metadata.Key<String> key(String name) {
        return Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER);
    }

    /** What a client sends with a call that is made in this context; empty without a trace. */
    public static Metadata of(Context context) {
        Metadata headers = new Metadata();
        W3CTraceContextPropagator.getInstance()
                .inject(context, headers, (carrier, name, value) -> headers.put(key(name), value));
        return headers;
    }

    /** Where the call belongs that this thread of a server answers; the root where the client named no trace. */
    public static Context received() {
        return KEY.get();
    }

    @Override
    public <Q, A> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
        Context received = W3CTraceContextPropagator.getInstance().extract(Context.root(), headers, GETTER);
        return Contexts.interceptCall(io.grpc.Context.current().withValue(KEY, received), call, headers, next);
    }
}
