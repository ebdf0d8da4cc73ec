package dev.lightpath.app.conditions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.crds.fabric.DegradingPort;
import dev.lightpath.crds.fabric.DegradingPort.Course;
import dev.lightpath.crds.fabric.OpticalHealthStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class LightPaceTest {
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private final LightPace pace = new LightPace();
    private OpticalHealthStatus told = health();
    private Instant now = START;

    private static OpticalHealthStatus health(DegradingPort... ports) {
        return new OpticalHealthStatus(64, ports.length, 0, List.of(ports));
    }

    private static DegradingPort port(String name, Course course, String measured) {
        return new DegradingPort(name, null, "2026-01-01T00:00:00Z", measured, course);
    }

    private static DegradingPort port(String name) {
        return port(name, Course.TOLD, "loses 2.5 dB more than at first");
    }

    /** Whether it is told, which it is at once if it is no news. */
    private boolean tell(OpticalHealthStatus after) {
        if (!LightPace.isNews(told, after)) {
            return false;
        }
        if (pace.wait("ring-a", told, after, now).isPresent()) {
            return false;
        }
        pace.told("ring-a", told, after, now);
        told = after;
        return true;
    }

    /** Seconds at which something is told while these come by turns, one each second. */
    private List<Long> tellings(Duration time, OpticalHealthStatus... turns) {
        List<Long> seconds = new ArrayList<>();
        for (int second = 0; second < time.toSeconds(); second++) {
            now = START.plusSeconds(second);
            if (tell(turns[second % turns.length])) {
                seconds.add((long) second);
            }
        }
        return seconds;
    }

    @Test
    void whatComesAndGoesIsToldLessAndLessOften() {
        List<Long> seconds = tellings(Duration.ofHours(12), health(port("n1/b0.path1")), health());
        assertThat(seconds).startsWith(0L, 1L);
        assertThat(seconds).hasSizeBetween(70, 90);
        long last = seconds.getLast() - seconds.get(seconds.size() - 2);
        assertThat(last).isBetween(600L, 601L);
    }

    @Test
    void aMeasurementThatGoesUpAndDownIsToldAsSeldom() {
        assertThat(tellings(
                        Duration.ofHours(12),
                        health(port("n1/b0.path1")),
                        health(port("n1/b0.path1", Course.TOLD, "loses 7.5 dB more than at first"))))
                .hasSizeBetween(70, 90);
    }

    @Test
    void aPortThatWasNotToldOfIsToldAtOnceAndSoIsWhatBecomesOfOne() {
        tellings(Duration.ofHours(1), health(port("n1/b0.path1")), health());
        assertThat(tell(health(port("n2/b0.path1")))).isTrue();
        assertThat(tell(health(port("n2/b0.path1", Course.HELD, "loses 2.5 dB more than at first"))))
                .isTrue();
        assertThat(tell(health())).as("it is well again").isTrue();
        assertThat(tell(health(port("n2/b0.path1")))).as("again").isFalse();
    }

    @Test
    void whatLastsIsToldInTheEndAndAfterHalfAnHourOfRestAtOnce() {
        tellings(Duration.ofHours(1), health(port("n1/b0.path1")), health());
        OpticalHealthStatus other = Stream.of(health(port("n1/b0.path1")), health())
                .filter(each -> !each.equals(told))
                .findFirst()
                .orElseThrow();
        Optional<Duration> wait = pace.wait("ring-a", told, other, now);
        assertThat(wait.orElse(Duration.ZERO)).isLessThanOrEqualTo(LightPace.LONGEST_WAIT);
        now = now.plus(wait.orElse(Duration.ZERO));
        assertThat(tell(other)).isTrue();
        now = now.plus(Duration.ofMinutes(31));
        assertThat(tell(health(port("n1/b0.path1"), port("n3/b0.path1")))).isTrue();
    }

    @Test
    void aClockThatJumpsBackCausesNoWait() {
        tellings(Duration.ofMinutes(10), health(port("n1/b0.path1")), health());
        now = START.minusSeconds(3600);
        assertThat(tell(told.ports().isEmpty() ? health(port("n1/b0.path1")) : health()))
                .isTrue();
    }

    @Test
    void aPortMoreOrLessThatIsMeasuredIsNoNewsAndATenthOfThemIs() {
        assertThat(LightPace.isNews(health(), new OpticalHealthStatus(58, 0, 0, List.of())))
                .isFalse();
        assertThat(LightPace.isNews(health(), new OpticalHealthStatus(57, 0, 0, List.of())))
                .isTrue();
        assertThat(LightPace.isNews(health(), null)).isTrue();
        assertThat(LightPace.isNews(null, null)).isFalse();
    }
}
