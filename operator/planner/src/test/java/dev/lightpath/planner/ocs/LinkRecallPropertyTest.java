package dev.lightpath.planner.ocs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.planner.stripe.Striper;
import dev.lightpath.planner.stripe.Striping;
import dev.lightpath.planner.world.Recall;
import org.junit.jupiter.api.Test;

/** A search for ports that was made is remembered. */
class LinkRecallPropertyTest {
    private static final int WORLDS = 600;

    private static Recall<Striping, Striper.Partial> knowing(Recall.Known<Striping, Striper.Partial> known) {
        return new Recall<>(known);
    }

    @Test
    void aPlanThatWasMadeBeforeIsMadeWithoutASearch() {
        int searched = 0;
        for (long seed = 1; seed <= WORLDS; seed++) {
            Recall<Striping, Striper.Partial> first = knowing(Recall.Known.nothing());
            LinkPlan.Outcome plan = SmallFabric.random(seed).repaired(first);
            Recall<Striping, Striper.Partial> again = knowing(first.known());
            assertThat(SmallFabric.random(seed).repaired(again))
                    .as("seed %d", seed)
                    .isEqualTo(plan);
            assertThat(again.workedOut()).as("seed %d", seed).isZero();
            searched += first.workedOut();
        }
        assertThat(searched).isGreaterThan(WORLDS / 20);
    }
}
