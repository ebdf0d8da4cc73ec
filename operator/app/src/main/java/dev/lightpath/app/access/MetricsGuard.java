package dev.lightpath.app.access;

import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/** Metrics tell of everybody's work: they are for those who may get {@code /q/metrics}, as of the API server's own. */
@Singleton
public class MetricsGuard {
    private static final String METRICS = "/q/metrics";
    private static final int BEFORE_ALL = 1_000;

    private final Access access;
    private final Door door;
    private final boolean anonymous;

    /** @param anonymous whether anybody may read them, as on loopback */
    @Inject
    MetricsGuard(
            Access access,
            Door door,
            @ConfigProperty(name = "lightpath.metrics.anonymous", defaultValue = "false") boolean anonymous) {
        this.access = access;
        this.door = door;
        this.anonymous = anonymous;
    }

    void register(@Observes Filters filters) {
        filters.register(this::guard, BEFORE_ALL);
    }

    private void guard(RoutingContext request) {
        if (anonymous || !request.normalizedPath().startsWith(METRICS)) {
            request.next();
            return;
        }
        door.admit(request, caller -> {
            access.require(caller, Right.METRICS);
            return (admitted, done) -> {
                admitted.addEndHandler(end -> done.run());
                admitted.next();
            };
        });
    }
}
