package dev.lightpath.driver.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class AttemptPaceTest {
    private final AttemptPace pace = new AttemptPace();

    private List<Long> millisAfter(int attempts, Duration each) {
        return IntStream.range(0, attempts)
                .mapToObj(attempt -> pace.after(each, false).toMillis())
                .toList();
    }

    @Test
    void attemptsThatFailAtOnceBeginEverFurtherApart() {
        assertThat(millisAfter(8, Duration.ZERO)).containsExactly(100L, 200L, 400L, 800L, 1600L, 3200L, 5000L, 5000L);
    }

    /** Who waits for a switch to connect hears it soon, however often none came. */
    @Test
    void anAttemptThatWaitedLongIsFollowedSoon() {
        assertThat(millisAfter(9, Duration.ofSeconds(30))).containsOnly(100L);
    }

    @Test
    void aSessionThatLastedBeginsAnew() {
        var unused = millisAfter(8, Duration.ZERO);
        assertThat(pace.after(Duration.ofHours(1), true)).hasMillis(100);
        assertThat(pace.after(Duration.ZERO, false)).hasMillis(200);
    }
}
