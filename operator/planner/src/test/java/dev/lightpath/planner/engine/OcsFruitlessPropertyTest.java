package dev.lightpath.planner.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.planner.stripe.DeviceKind;
import dev.lightpath.planner.world.Fruitless;
import java.time.Duration;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** What is remembered of searches that found nothing saves them, and changes no decision. */
class OcsFruitlessPropertyTest {
    private static final int WORLDS = 8;
    private static final int EVENTS = 12;

    private interface Check {
        void of(ToyOcs ocs, String where);
    }

    /** Larger than brute force could judge, so that some jobs stay short of what the switches do not allow. */
    private static ToyOcs world(Random chance) {
        DeviceKind kind = chance.nextBoolean() ? DeviceKind.ANY_TO_ANY : DeviceKind.TWO_SIDED;
        return ToyOcs.logical(5, 4, 3, kind, 2);
    }

    private static void walk(Check check) {
        for (long seed = 1; seed <= WORLDS; seed++) {
            Random chance = new Random(seed);
            ToyOcs ocs = world(chance);
            for (int event = 0; event < EVENTS; event++) {
                OcsFairnessPropertyTest.happen(ocs, chance, event);
                ocs.settleAfter(Duration.ofSeconds(40));
                check.of(ocs, "seed " + seed + ", event " + event);
            }
        }
    }

    private static Deliberation without(ToyOcs ocs) {
        var remembered = ocs.fruitless;
        ocs.fruitless = new TreeMap<>();
        Deliberation deliberation = FabricEngine.deliberate(ocs.world());
        ocs.fruitless = remembered;
        return deliberation;
    }

    @Test
    void whatWasSearchedInVainIsNotSearchedAgainAtRest() {
        int[] remembered = new int[1];
        walk((ocs, where) -> {
            Fruitless before = ocs.fruitless.get("spine");
            if (before == null || !without(ocs).fruitless().containsKey("spine")) {
                return;
            }
            ocs.now = ocs.now.plusSeconds(7);
            Deliberation again = FabricEngine.deliberate(ocs.world());
            assertThat(again.fruitless().get("spine")).as(where).isSameAs(before);
            assertThat(without(ocs).fruitless().get("spine"))
                    .as(where)
                    .isEqualTo(before)
                    .isNotSameAs(before);
            remembered[0]++;
        });
        assertThat(remembered[0]).isPositive();
    }

    @Test
    void memoryChangesNoDecision() {
        for (long seed = 1; seed <= WORLDS; seed++) {
            Random chance = new Random(seed);
            ToyOcs ocs = world(chance);
            for (int event = 0; event < EVENTS; event++) {
                OcsFairnessPropertyTest.happen(ocs, chance, event);
                for (int pass = 0; pass < 60; pass++) {
                    assertThat(FabricEngine.deliberate(ocs.world()).decision())
                            .as("seed %d, event %d, pass %d", seed, event, pass)
                            .isEqualTo(without(ocs).decision());
                    if (ocs.step().decision() instanceof Decision.Rest) {
                        break;
                    }
                }
                ocs.settleAfter(Duration.ofSeconds(40));
            }
        }
    }
}
