package dev.lightpath.planner.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.api.Test;

class HaltTest {
    private static final SliceVerdict.Light UNMADE = new SliceVerdict.Light(
            2, 1, 0, 1, 0, Optional.of(SliceVerdict.Obstacle.programming("node-1/a->b is not made yet")));

    @Test
    void whatIsNotMadeSaysWhyItWillNotBe() {
        assertThat(Halt.PAUSED.holding(UNMADE).obstacle().orElseThrow().message())
                .isEqualTo("node-1/a->b is not made yet: " + Halt.PAUSED.message());
    }

    @Test
    void whatIsMadeThoughTheFabricIsBeingDeletedSaysNothingOfIt() {
        assertThat(Halt.RETIRING.holding(UNMADE)).isEqualTo(UNMADE);
    }
}
