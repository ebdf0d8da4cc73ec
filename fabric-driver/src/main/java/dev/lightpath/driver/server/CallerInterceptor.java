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
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;

/** Names the caller by the subject alternative names of its certificate. */
final class CallerInterceptor implements ServerInterceptor {
    private final List<Access.Rule> rules;

    CallerInterceptor(List<Access.Rule> rules) {
        this.rules = List.copyOf(rules);
    }

    @Override
    public <Q, A> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
        List<String> names = names(call.getAttributes().get(Grpc.TRANSPORT_ATTR_SSL_SESSION));
        List<Access.Rule> granted =
                rules.stream().filter(rule -> names.contains(rule.san())).toList();
        Caller caller = new Caller(names.isEmpty() ? "no name" : String.join(",", names), granted);
        return Contexts.interceptCall(Context.current().withValue(Caller.KEY, caller), call, headers, next);
    }

    private static List<String> names(@org.jspecify.annotations.Nullable SSLSession session) {
        List<String> names = new ArrayList<>();
        try {
            if (session != null && session.getPeerCertificates()[0] instanceof X509Certificate certificate) {
                Collection<List<?>> alternatives = certificate.getSubjectAlternativeNames();
                if (alternatives != null) {
                    alternatives.forEach(each -> names.add(String.valueOf(each.get(1))));
                }
            }
        } catch (SSLPeerUnverifiedException | CertificateParsingException nameless) {
            names.clear();
        }
        return names;
    }
}
