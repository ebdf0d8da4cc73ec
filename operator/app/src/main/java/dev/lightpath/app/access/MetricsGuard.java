package dev.lightpath.app.access;

import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/**
 * Metrics are about the work of all tenants. So they need the right {@code get} on {@code /q/metrics}, as those of the
 * API server do.
 */
@Singleton
public class MetricsGuard {
    private static final String METRICS = "/q/metrics";
    private static final int BEFORE_ALL = 1_000;

    private final Access access;
    private final Door door;
    private final boolean anonymous;

    /** @param anonymous whether no token is needed, as on loopback */
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
