package dev.lightpath.benchmarks.life;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Instant;
import java.util.function.IntToDoubleFunction;
import org.junit.jupiter.api.Test;

class TrendTest {
    private static Trend trend(int samples, double allowance, IntToDoubleFunction value) {
        Trend trend = new Trend("heap", allowance, 100);
        for (int i = 0; i < samples; i++) {
            trend.add(Instant.EPOCH.plusSeconds(36L * i), value.applyAsDouble(i));
        }
        return trend;
    }

    @Test
    void growsWhenTheLastThirdIsAboveTheMiddleOne() {
        assertThat(trend(30, 8, i -> 100 + i).grows()).isTrue();
        assertThat(trend(30, 8, i -> 100 - i).grows()).isFalse();
    }

    @Test
    void takesTheFirstThirdForWarmUp() {
        assertThat(trend(30, 8, i -> i < 10 ? 10 * i : 100).grows()).isFalse();
    }

    @Test
    void takesASawForFlat() {
        assertThat(trend(30, 8, i -> 100 + 40 * (i % 2)).grows()).isFalse();
    }

    @Test
    void takesForFlatWhatRisesByFivePercentOrByItsAllowance() {
        assertThat(trend(30, 8, i -> 1000 + i).grows()).isFalse();
        assertThat(trend(30, 8, i -> 10 + i * 0.5).grows()).isFalse();
        assertThat(trend(30, 4, i -> 10 + i * 0.5).grows()).isTrue();
    }

    @Test
    void callsNothingFlatForFewSamples() {
        assertThat(trend(5, 8, i -> 20 * i).grows()).isFalse();
        assertThat(trend(5, 8, i -> 20 * i).isWrong()).isTrue();
        assertThat(trend(5, 8, i -> 20 * i).row()).contains("too few samples");
    }

    @Test
    void tellsTheSlopeOfAnHour() {
        assertThat(trend(30, 8, i -> i < 10 ? 0 : i).slopePerHour()).isCloseTo(100, within(1e-6));
    }

    @Test
    void countsOnlyTheSamplesOfATime() {
        Trend part = trend(30, 8, i -> i).within(Instant.EPOCH.plusSeconds(36), Instant.EPOCH.plusSeconds(36 * 4));
        assertThat(part.most()).isEqualTo(3);
        assertThat(part.row()).startsWith("| heap | 1 / 2 / 3 | 3 |");
    }

    @Test
    void isWrongAboveItsLimitHoweverFlat() {
        assertThat(trend(30, 8, i -> 100).isWrong()).isFalse();
        assertThat(trend(3, 8, i -> 101).isWrong()).isTrue();
        assertThat(trend(3, 8, i -> 101).row()).endsWith("| ABOVE 100 |\n");
    }

    @Test
    void mayGrowUntilItsLimitWhereItHasNoAllowance() {
        Trend saw = trend(30, Double.POSITIVE_INFINITY, i -> i);
        assertThat(saw.isWrong()).isFalse();
        assertThat(saw.row()).endsWith("| below 100 |\n");
    }
}
