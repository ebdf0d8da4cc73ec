package dev.lightpath.driver.server;

import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;

/** Names the caller by the subject alternative names of its certificate. */
final class CallerInterceptor implements ServerInterceptor {
    private final AccessRules rules;

    CallerInterceptor(AccessRules rules) {
        this.rules = rules;
    }

    @Override
    public <Q, A> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
        Caller caller = Caller.of(call.getAttributes().get(Grpc.TRANSPORT_ATTR_SSL_SESSION), rules);
        return Contexts.interceptCall(Context.current().withValue(Caller.KEY, caller), call, headers, next);
    }
}
