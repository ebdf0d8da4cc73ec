package dev.lightpath.app.publish.metrics;

import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;

/**
 * Who takes OpenMetrics is answered with it: only there do samples name their traces. The framework answers with plain
 * text whoever takes that too, as every Prometheus does.
 */
@Singleton
public class MetricsFormat {
    private static final String METRICS = "/q/metrics";
    private static final String OPEN_METRICS = "application/openmetrics-text";
    /** As the route of the framework names it. */
    private static final String OFFERED = OPEN_METRICS + "; version=1.0.0; charset=utf-8";

    private static final int AFTER_THE_GUARD = 500;

    void register(@Observes Filters filters) {
        filters.register(MetricsFormat::choose, AFTER_THE_GUARD);
    }

    private static void choose(RoutingContext request) {
        if (request.normalizedPath().startsWith(METRICS)
                && String.join(",", request.request().headers().getAll("Accept"))
                        .contains(OPEN_METRICS)) {
            request.request().headers().set("Accept", OFFERED);
        }
        request.next();
    }
}
