package dev.lightpath.app.lead;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Optional;
import org.eclipse.microprofile.health.HealthCheckResponse.Status;
import org.junit.jupiter.api.Test;

class PlanningLivenessTest {
    private static Status status(Optional<Duration> age) {
        return PlanningLiveness.response(age).getStatus();
    }

    @Test
    void aLoopThatHangsIsNotAlive() {
        assertThat(status(Optional.of(PlanningLiveness.LONGEST_PASS.plusSeconds(1))))
                .isEqualTo(Status.DOWN);
    }

    @Test
    void aLoopThatPassesOrRestsIsAlive() {
        assertThat(status(Optional.of(Duration.ofSeconds(40)))).isEqualTo(Status.UP);
    }

    @Test
    void whoeverDoesNotLeadHasNothingToPass() {
        assertThat(status(Optional.empty())).isEqualTo(Status.UP);
    }
}
