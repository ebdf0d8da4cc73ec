package dev.lightpath.driver.netconf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lightpath.driver.session.LostException;
import dev.lightpath.driver.session.ToldOnce;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** How often a switch is asked for limits at which sessions end. */
final class LimitsReadingTest {
    private static final PowerLimits TOLD = new PowerLimits(Map.of("3", new PowerLimits.Limits(-20, -15, 4)), 1, "");

    private final AtomicLong nanos = new AtomicLong();
    private final LimitsReading reading = new LimitsReading("ocs-of-limits", new ToldOnce(), nanos::get);
    private int asked;

    private PowerLimits hangsUp() throws LostException {
        return reading.of(() -> {
            asked++;
            throw new LostException("cut");
        });
    }

    private void losesASession() {
        reading.begin();
        assertThatThrownBy(this::hangsUp).isInstanceOf(LostException.class);
    }

    private void after(Duration pause) {
        nanos.addAndGet(pause.toNanos());
    }

    @Test
    void oneCutOfTheNetworkLeavesTheSwitchAsked() throws Exception {
        losesASession();
        reading.begin();
        assertThat(reading.of(() -> TOLD)).isEqualTo(TOLD);
    }

    @Test
    void limitsThatWereToldHoldWhileTheSwitchIsLeftAlone() throws Exception {
        reading.begin();
        assertThat(reading.of(() -> TOLD)).isEqualTo(TOLD);
        losesASession();
        losesASession();
        reading.begin();
        assertThat(hangsUp()).isEqualTo(TOLD);
        assertThat(asked).isEqualTo(2);
    }

    @Test
    void noSessionInUseIsCutByAskingAgain() throws Exception {
        losesASession();
        losesASession();
        reading.begin();
        after(Duration.ofDays(9));
        assertThat(hangsUp()).isEqualTo(PowerLimits.NONE);
        assertThat(asked).isEqualTo(2);
    }

    @Test
    void eachNewSessionAfterADoubledPauseAsksAgain() throws Exception {
        losesASession();
        losesASession();
        after(Duration.ofHours(1));
        losesASession();
        after(Duration.ofHours(1));
        reading.begin();
        assertThat(hangsUp()).isEqualTo(PowerLimits.NONE);
        after(Duration.ofHours(1));
        losesASession();
        assertThat(asked).isEqualTo(4);
    }

    @Test
    void anAnswerEndsTheDoubling() throws Exception {
        losesASession();
        losesASession();
        after(Duration.ofHours(1));
        reading.begin();
        assertThat(reading.of(() -> TOLD)).isEqualTo(TOLD);
        losesASession();
        losesASession();
        after(Duration.ofHours(1));
        losesASession();
        assertThat(asked).isEqualTo(5);
    }
}
