package dev.lightpath.planner.engine.traffic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.planner.ask.Prediction;
import java.util.List;
import org.junit.jupiter.api.Test;

class InterruptionCostTest {
    private static Prediction of(double seconds) {
        return new Prediction("question", List.of(1), seconds, 0, 1, 2, 2, false, seconds);
    }

    /** Ten minutes with half a percent less are three seconds. */
    @Test
    void eachJobThatGoesDarkPays() {
        assertThat(InterruptionCost.darkens(of(1), of(0.995), 1)).isTrue();
        assertThat(InterruptionCost.darkens(of(1), of(0.995), 2)).isTrue();
        assertThat(InterruptionCost.darkens(of(1), of(0.995), 4)).isFalse();
        assertThat(InterruptionCost.darkens(of(1), of(0.999), 1)).isFalse();
    }

    @Test
    void whatDarkensNobodyHasToBeBetterThanRounding() {
        assertThat(InterruptionCost.darkens(of(1), of(0.999), 0)).isTrue();
        assertThat(InterruptionCost.darkens(of(1), of(1 - 1e-9), 0)).isFalse();
        assertThat(InterruptionCost.darkens(of(1), of(1.001), 0)).isFalse();
    }
}
