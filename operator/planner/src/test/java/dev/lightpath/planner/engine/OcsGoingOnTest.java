package dev.lightpath.planner.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.planner.Seeds;
import dev.lightpath.planner.engine.decision.Decision;
import dev.lightpath.planner.engine.decision.Deliberation;
import dev.lightpath.planner.engine.state.Forecasts;
import dev.lightpath.planner.stripe.DeviceKind;
import dev.lightpath.planner.world.Allocation;
import dev.lightpath.planner.world.SliceId;
import java.time.Duration;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** A search for better circuits that compares more than a pass may goes on in the next one, and finds the same. */
class OcsGoingOnTest {
    private static final int WORLDS = Seeds.of(60);
    private static final int EVENTS = 12;
    private static final int MOST_PASSES = 2000;

    private int wentOn;
    private int moved;

    private static ToyOcs world(long seed, int mostTransfers) {
        ToyOcs ocs = ToyOcs.logical(
                6, 3, 5, new Random(seed).nextBoolean() ? DeviceKind.ANY_TO_ANY : DeviceKind.TWO_SIDED, 2);
        ocs.mostTransfers = mostTransfers;
        return ocs;
    }

    /** Passes until nothing is left to do. */
    private void settle(ToyOcs ocs, String where) {
        boolean searching = false;
        for (int pass = 0; pass < MOST_PASSES; pass++) {
            Deliberation deliberation = ocs.step();
            var after = deliberation.remembered().get("spine");
            if (deliberation.agenda().goesOn(ocs.now)) {
                wentOn++;
                searching = true;
                assertThat(after.known(Forecasts.PREDICTIONS).workedOut())
                        .as(where)
                        .isEqualTo(1);
            } else if (deliberation.decision() instanceof Decision.Rest) {
                return;
            } else {
                moved += searching && deliberation.decision() instanceof Decision.Adopt ? 1 : 0;
                searching = false;
            }
        }
        throw new AssertionError(where + ": no rest after " + MOST_PASSES + " passes");
    }

    private void settleLong(ToyOcs ocs, String where) {
        settle(ocs, where);
        ocs.now = ocs.now.plus(Duration.ofSeconds(40));
        settle(ocs, where);
    }

    /** Predicted, of each slice that has circuits. */
    private static Map<SliceId, Double> seconds(ToyOcs ocs) {
        Map<SliceId, Double> seconds = new TreeMap<>();
        ocs.ledger.forEach((id, entry) -> entry.allocation()
                .flatMap(Allocation::prediction)
                .ifPresent(of -> seconds.put(id, of.iterationSeconds())));
        return seconds;
    }

    @Test
    void oneIterationAPassFindsWhatAllInOnePassFind() {
        for (long seed = 1; seed <= WORLDS; seed++) {
            ToyOcs whole = world(seed, Integer.MAX_VALUE);
            ToyOcs little = world(seed, 1);
            Random one = new Random(seed);
            Random other = new Random(seed);
            for (int event = 0; event < EVENTS; event++) {
                String where = "seed " + seed + ", event " + event;
                OcsFairnessPropertyTest.happen(whole, one, event);
                whole.settleAfter(Duration.ofSeconds(40));
                OcsFairnessPropertyTest.happen(little, other, event);
                settleLong(little, where);
                assertThat(seconds(little)).as(where).isEqualTo(seconds(whole));
            }
        }
        assertThat(wentOn).as("passes that went on").isPositive();
        assertThat(moved).as("moves that were found after some").isPositive();
    }
}
