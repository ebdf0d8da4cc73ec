package dev.lightpath.driver.server;

import dev.lightpath.driver.config.Access;
import dev.lightpath.driver.tls.PeerNames;
import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import java.util.SortedMap;
import java.util.TreeMap;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/** Names the caller by the subject alternative names of its certificate. */
final class CallerInterceptor implements ServerInterceptor {
    private final AccessRules rules;

    CallerInterceptor(AccessRules rules) {
        this.rules = rules;
    }

    @Override
    public <Q, A> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
        SortedMap<String, String> names = names(call.getAttributes().get(Grpc.TRANSPORT_ATTR_SSL_SESSION));
        Caller caller =
                new Caller(names.isEmpty() ? "no name" : String.join(",", names.values()), names.keySet(), rules);
        return Contexts.interceptCall(Context.current().withValue(Caller.KEY, caller), call, headers, next);
    }

    /** DNS names and URIs of the certificate, by the form that rules write. Names of other kinds grant nothing. */
    private static SortedMap<String, String> names(@Nullable SSLSession session) {
        PeerNames peer = PeerNames.of(session);
        SortedMap<String, String> names = new TreeMap<>();
        peer.dns().forEach(name -> names.put(Access.dns(name), name));
        peer.uris().forEach(name -> names.put(Access.uri(name), name));
        return names;
    }
}
