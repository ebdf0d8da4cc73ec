package dev.lightpath.worker.server;

import dev.lightpath.serving.tls.PeerNames;
import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import java.util.Collections;
import java.util.SortedSet;
import java.util.TreeSet;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/**
 * Refuses callers whose certificate has none of a few names. The authority that signs it signs those of drivers too.
 *
 * @param names DNS names of certificates
 */
record KnownCallers(SortedSet<String> names) implements ServerInterceptor {
    KnownCallers {
        names = Collections.unmodifiableSortedSet(new TreeSet<>(names));
    }

    boolean knows(@Nullable SSLSession session) {
        return PeerNames.of(session).dns().stream().anyMatch(names::contains);
    }

    @Override
    public <Q, A> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
        if (knows(call.getAttributes().get(Grpc.TRANSPORT_ATTR_SSL_SESSION))) {
            return next.startCall(call, headers);
        }
        call.close(
                Status.PERMISSION_DENIED.withDescription("questions are taken from " + String.join(", ", names)
                        + " only, by the DNS names of its certificate"),
                new Metadata());
        return new ServerCall.Listener<>() {};
    }
}
