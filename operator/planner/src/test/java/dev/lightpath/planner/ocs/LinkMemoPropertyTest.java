package dev.lightpath.planner.ocs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.planner.memory.Memo;
import dev.lightpath.planner.stripe.Striper;
import dev.lightpath.planner.stripe.Striping;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** A search for ports that was made is remembered. */
class LinkMemoPropertyTest {
    private static final int WORLDS = 600;
    private static final int MANY = 4000;

    private static Memo<Striping, Striper.Partial> knowing(Memo.Known<Striping, Striper.Partial> known) {
        return new Memo<>(known, LinkPlan.STRIPINGS);
    }

    @Test
    void aPlanThatWasMadeBeforeIsMadeWithoutASearch() {
        int searched = 0;
        for (long seed = 1; seed <= WORLDS; seed++) {
            Memo<Striping, Striper.Partial> first = knowing(Memo.Known.nothing());
            LinkPlan.Outcome plan = SmallFabric.random(seed).repaired(first);
            Memo<Striping, Striper.Partial> again = knowing(first.known());
            assertThat(SmallFabric.random(seed).repaired(again))
                    .as("seed %d", seed)
                    .isEqualTo(plan);
            assertThat(again.workedOut()).as("seed %d", seed).isZero();
            searched += first.workedOut();
        }
        assertThat(searched).isGreaterThan(WORLDS / 20);
    }

    /** Fabrics so small that their questions are all but the same, asked one after another of one memory. */
    @Test
    void whatWasFoundForOneFabricIsNotTakenForAnother() {
        Memo<Striping, Striper.Partial> all = knowing(Memo.Known.nothing());
        int asked = 0;
        for (long seed = 0; seed < MANY; seed++) {
            for (SmallFabric fabric : List.of(
                    SmallFabric.random(seed), SmallFabric.random(seed).draining(new Random(seed), seed % 2 == 0))) {
                Memo<Striping, Striper.Partial> fresh = knowing(Memo.Known.nothing());
                assertThat(fabric.repaired(all)).as("seed %d: %s", seed, fabric).isEqualTo(fabric.repaired(fresh));
                asked += fresh.workedOut();
            }
        }
        assertThat(all.workedOut())
                .as("some questions were met before, most were not")
                .isBetween(asked / 2, asked - 1);
    }
}
