package dev.lightpath.driver.server;

import dev.lightpath.driver.config.Access;
import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;

/** Names the caller by the subject alternative names of its certificate. */
final class CallerInterceptor implements ServerInterceptor {
    /** Kinds of names in a certificate, RFC 5280. */
    private static final int DNS_NAME = 2;

    private static final int URI = 6;

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
    private static SortedMap<String, String> names(@org.jspecify.annotations.Nullable SSLSession session) {
        SortedMap<String, String> names = new TreeMap<>();
        try {
            if (session != null && session.getPeerCertificates()[0] instanceof X509Certificate certificate) {
                Collection<List<?>> alternatives = certificate.getSubjectAlternativeNames();
                if (alternatives != null) {
                    for (List<?> each : alternatives) {
                        String name = String.valueOf(each.get(1));
                        if (each.get(0).equals(DNS_NAME)) {
                            names.put(Access.dns(name), name);
                        } else if (each.get(0).equals(URI)) {
                            names.put(Access.uri(name), name);
                        }
                    }
                }
            }
        } catch (SSLPeerUnverifiedException | CertificateParsingException nameless) {
            names.clear();
        }
        return names;
    }
}
