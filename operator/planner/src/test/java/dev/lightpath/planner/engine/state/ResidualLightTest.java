package dev.lightpath.planner.engine.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.planner.engine.ToyOcs;
import dev.lightpath.planner.engine.allocation.SliceState;
import dev.lightpath.planner.engine.decision.Decision;
import dev.lightpath.planner.engine.decision.Deliberation;
import dev.lightpath.planner.engine.decision.SliceVerdict;
import dev.lightpath.planner.light.Circuit;
import dev.lightpath.planner.ocs.OcsWiring;
import dev.lightpath.planner.stripe.DeviceKind;
import dev.lightpath.planner.world.LedgerEntry;
import dev.lightpath.planner.world.OcsIntent;
import dev.lightpath.planner.world.SliceId;
import dev.lightpath.planner.world.Workload;
import dev.lightpath.planner.world.World;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Light that nobody plans any more: of switches that do not answer, and of which pods still tell. */
class ResidualLightTest {
    private static final Duration HOLD = Duration.ofSeconds(2);
    private static final Workload NOBODY = new Workload.LightOnly();

    private static ToyOcs fabric(boolean hinted) {
        ToyOcs ocs = ToyOcs.logical(4, 1, 8, DeviceKind.TWO_SIDED, 2);
        ocs.hinted = hinted;
        ocs.measuring = true;
        return ocs;
    }

    /** A job went while a switch did not answer. */
    private static SliceId leaveLightBehind(ToyOcs ocs) {
        SliceId old = ocs.wishTraffic("old", ToyOcs.twoByTwo());
        ocs.settle();
        ocs.silent.add("ocs-03");
        ocs.settleAfter(HOLD);
        ocs.unwish(old);
        ocs.settle();
        return old;
    }

    private static int heard(ToyOcs ocs, Circuit circuit) {
        World world = ocs.world();
        OcsIntent intent = world.ocsFabrics().get("spine");
        OcsWiring.Ends ends = OcsWiring.of(intent).ends("ocs-03", circuit).orElseThrow();
        return OcsState.of(world, intent, SliceState.of(world, intent), Forecasts.MOST_TRANSFERS)
                .residual()
                .heard(ends);
    }

    @Test
    void aReceivingPortIsCountedOnceHoweverManyFearItsLight() {
        ToyOcs ocs = fabric(true);
        SliceId old = leaveLightBehind(ocs);
        Circuit left = ocs.lit.get("ocs-03").first();
        int once = heard(ocs, left);
        assertThat(once).isPositive();
        SliceId twin = ocs.wishTraffic("twin", ToyOcs.twoByTwo(), 0, false, NOBODY);
        ocs.ledger.put(twin, new LedgerEntry(ocs.ledger.get(old).allocation(), "twin"));
        assertThat(heard(ocs, left)).isEqualTo(once);
    }

    @Test
    void lightThatAnotherRecordHoldsIsNoEcho() {
        ToyOcs ocs = fabric(true);
        SliceId job = ocs.wishTraffic("job", ToyOcs.twoByTwo());
        ocs.settle();
        Optional<dev.lightpath.planner.world.Allocation> holds =
                ocs.ledger.get(job).allocation();
        Circuit held = ocs.lit.get("ocs-03").first();
        ocs.silent.add("ocs-03");
        ocs.settleAfter(HOLD);
        ocs.unwish(job);
        ocs.settle();
        assertThat(heard(ocs, held)).isPositive();
        SliceId heir = ocs.wishTraffic("heir", ToyOcs.twoByTwo());
        ocs.ledger.put(heir, new LedgerEntry(holds, "heir"));
        assertThat(heard(ocs, held)).isZero();
    }

    @Test
    void whatIsFearedNamesWhoLeftItAndWhatAPersonCanDo() {
        ToyOcs ocs = fabric(false);
        leaveLightBehind(ocs);
        ocs.dark.add("ocs-03");
        SliceId job = ocs.wishTraffic("new", ToyOcs.twoByTwo());
        SliceVerdict.Light light = ocs.settle().slices().get(job).light();
        assertThat(light.qualified()).isFalse();
        assertThat(light.obstacle().orElseThrow().message())
                .contains("team/old")
                .contains("lightpath.dev/force-release")
                .doesNotContain("check the fibres");
    }

    @Test
    void staleVoicesAreLookedAtAgainWhenTheyCanBeBelieved() {
        ToyOcs ocs = fabric(true);
        SliceId first = ocs.wishTraffic("first", ToyOcs.twoByTwo());
        ocs.settle();
        ocs.delayNews();
        ocs.unwish(first);
        ocs.settle();
        ocs.forget(first);
        ocs.wishTraffic("second", ToyOcs.twoByTwo());
        Deliberation rest = ocs.settle();
        assertThat(rest.faults().get("spine").unproved()).isNotEmpty();
        Instant believed = ocs.now.plusSeconds(10);
        while (!rest.faults().get("spine").unproved().isEmpty()) {
            Instant wakeAt = ((Decision.Rest) rest.decision()).until().orElseThrow();
            assertThat(wakeAt).isAfter(ocs.now).isBeforeOrEqualTo(believed);
            ocs.now = wakeAt;
            rest = ocs.settle();
        }
        assertThat(ocs.now).isEqualTo(believed);
    }
}
