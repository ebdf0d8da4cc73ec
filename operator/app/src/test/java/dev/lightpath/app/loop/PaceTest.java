package dev.lightpath.app.loop;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class PaceTest {
    private final Pace pace = new Pace();

    @Test
    void theFirstNewsAfterAWhileWaitForNothing() {
        assertThat(pace.afterLast()).isZero();
    }

    @Test
    void newsRightAfterALongPassWaitForOthers() {
        pace.passed(Duration.ofMinutes(1));
        assertThat(pace.afterLast()).isPositive().isLessThanOrEqualTo(Duration.ofMillis(250));
    }
}
