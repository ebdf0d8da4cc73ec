package dev.lightpath.planner.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.planner.stripe.DeviceKind;
import dev.lightpath.planner.world.Remembered;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
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
        var remembered = ocs.remembered;
        ocs.remembered = new TreeMap<>();
        Deliberation deliberation = FabricEngine.deliberate(ocs.world());
        ocs.remembered = remembered;
        return deliberation;
    }

    private static Optional<Record> read(Deliberation deliberation) {
        Remembered remembered = deliberation.remembered().get("spine");
        return remembered == null ? Optional.empty() : remembered.fruitless();
    }

    /** All that was concluded; what counts as a fault is in the verdicts of fabrics. */
    private static List<Object> conclusion(Deliberation of) {
        return List.of(
                of.decision(), of.slices(), of.fabrics(), of.remaining(), of.planner(), of.spines(), of.questions());
    }

    @Test
    void whatWasSearchedInVainIsNotSearchedAgainAtRest() {
        int[] remembered = new int[1];
        walk((ocs, where) -> {
            Remembered before = ocs.remembered.get("spine");
            if (before == null || read(without(ocs)).isEmpty()) {
                return;
            }
            ocs.now = ocs.now.plusSeconds(7);
            Deliberation again = FabricEngine.deliberate(ocs.world());
            assertThat(read(again)).as(where).containsSame(before.fruitless().orElseThrow());
            assertThat(again.remembered().get("spine").stripings()).as(where).isEqualTo(before.stripings());
            assertThat(again.remembered().get("spine").forecasts()).as(where).isEqualTo(before.forecasts());
            Record searchedAgain = read(without(ocs)).orElseThrow();
            assertThat(searchedAgain)
                    .as(where)
                    .isEqualTo(before.fruitless().orElseThrow())
                    .isNotSameAs(before.fruitless().orElseThrow());
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
                    assertThat(conclusion(FabricEngine.deliberate(ocs.world())))
                            .as("seed %d, event %d, pass %d", seed, event, pass)
                            .isEqualTo(conclusion(without(ocs)));
                    if (ocs.step().decision() instanceof Decision.Rest) {
                        break;
                    }
                }
                ocs.settleAfter(Duration.ofSeconds(40));
            }
        }
    }
}
