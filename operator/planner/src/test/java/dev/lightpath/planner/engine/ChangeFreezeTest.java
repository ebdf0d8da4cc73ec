package dev.lightpath.planner.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.planner.engine.decision.SliceVerdict;
import dev.lightpath.planner.engine.pacing.ChangeFreeze;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ChangeFreezeTest {
    private static final SliceVerdict.Light UNMADE = new SliceVerdict.Light(
            2, 1, 0, 1, 0, Optional.of(SliceVerdict.Obstacle.programming("node-1/a->b is not made yet")));

    @Test
    void whatIsNotMadeSaysWhyItWillNotBe() {
        assertThat(UNMADE.under(ChangeFreeze.PAUSED).obstacle().orElseThrow().message())
                .isEqualTo("node-1/a->b is not made yet: " + ChangeFreeze.PAUSED.message());
    }

    @Test
    void whatIsMadeThoughTheFabricIsBeingDeletedSaysNothingOfIt() {
        assertThat(UNMADE.under(ChangeFreeze.RETIRING)).isEqualTo(UNMADE);
    }

    @Test
    void lightThatWasGivenUpIsTakenDownInAMassFailureAndWhileTheFabricIsDeleted() {
        assertThat(ChangeFreeze.values())
                .filteredOn(ChangeFreeze::releases)
                .containsExactlyInAnyOrder(ChangeFreeze.NONE, ChangeFreeze.MASS_FAILURE, ChangeFreeze.RETIRING);
    }
}
