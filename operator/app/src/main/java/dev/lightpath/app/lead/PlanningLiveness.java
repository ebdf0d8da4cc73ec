package dev.lightpath.app.lead;

import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.Optional;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.HealthCheckResponseBuilder;
import org.eclipse.microprofile.health.Liveness;
import org.eclipse.microprofile.health.Readiness;

/**
 * A loop that hangs keeps the Lease and serves no fabric, so the process must be restarted. A loop whose passes fail,
 * or that waits for an API server, is alive. Circuits stay as they are in both cases.
 */
@Liveness
@ApplicationScoped
public class PlanningLiveness implements HealthCheck {
    /** Several times what a loop rests, and what a client waits for an API server that is away. */
    static final Duration LONGEST_PASS = Duration.ofMinutes(5);

    private final LeadershipLifecycle leadership;

    PlanningLiveness(@Readiness LeadershipLifecycle leadership) {
        this.leadership = leadership;
    }

    @Override
    public HealthCheckResponse call() {
        return response(leadership.sinceLastPass());
    }

    /** @param age of the last pass; empty in a process that does not lead, which has none */
    static HealthCheckResponse response(Optional<Duration> age) {
        HealthCheckResponseBuilder response = HealthCheckResponse.named("planning")
                .status(age.filter(since -> since.compareTo(LONGEST_PASS) > 0).isEmpty());
        age.ifPresent(since -> response.withData("seconds since the last pass", since.toSeconds()));
        return response.build();
    }
}
