package dev.lightpath.planner.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.planner.engine.decision.Deliberation;
import dev.lightpath.planner.engine.decision.SliceVerdict.Placement;
import dev.lightpath.planner.light.SwitchedLight;
import dev.lightpath.planner.stripe.DeviceKind;
import dev.lightpath.planner.world.SliceId;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** When a job is worth placing anew, and what its old light may hold up. */
class OcsRelocationTest {
    private static final Duration HOLD = Duration.ofSeconds(2);

    /** Pods of one node with a port on each of two switches; every pod of the job talks to two others. */
    private static ToyOcs fabric(int pods) {
        return ToyOcs.logical(pods, 1, 2, DeviceKind.TWO_SIDED, 1);
    }

    private static Placement after(Deliberation rest, SliceId job) {
        return rest.slices().get(job).placement();
    }

    @Test
    void aJobThatFindsNoOtherPodsKeepsItsPlaceAndTheLightThatIsLeft() {
        ToyOcs ocs = fabric(4);
        SliceId job = ocs.wishTraffic("llm", ToyOcs.twoByTwo());
        ocs.settle();
        SwitchedLight before = ocs.light();
        ocs.silent.add("ocs-00");
        ocs.dark.add("ocs-00");
        Placement placement = after(ocs.settleAfter(HOLD), job);
        assertThat(placement).isInstanceOfSatisfying(Placement.Faulted.class, faulted -> {
            assertThat(faulted.degraded()).isTrue();
            assertThat(faulted.relocatable()).isFalse();
        });
        assertThat(ocs.light().on("ocs-01")).isEqualTo(before.on("ocs-01")).isNotEmpty();
    }

    @Test
    void whatARepairLeavesOnASilentSwitchIsToldToBeNobodysToTakeDown() {
        ToyOcs ocs = ToyOcs.logical(4, 1, 2, DeviceKind.TWO_SIDED, 2);
        SliceId job = ocs.wishTraffic("llm", ToyOcs.twoByTwo());
        assertThat(ocs.settle().slices().get(job).leftOnlySilence()).isFalse();
        ocs.silent.add("ocs-00");
        ocs.dark.add("ocs-00");
        Deliberation rest = ocs.settleAfter(HOLD);
        assertThat(after(rest, job)).isInstanceOf(Placement.Placed.class);
        assertThat(ocs.recorded(job).on("ocs-00")).isEmpty();
        assertThat(ocs.ledger.get(job).allocation().orElseThrow().darkening().on("ocs-00"))
                .isNotEmpty();
        assertThat(rest.slices().get(job).leftOnlySilence()).isTrue();
    }

    @Test
    void aJobWhosePodLostItsPortsMayMoveToPodsThatHaveThem() {
        ToyOcs ocs = fabric(8);
        SliceId job = ocs.wishTraffic("llm", ToyOcs.twoByTwo());
        ocs.settle();
        ocs.fail("ocs-00", "1");
        assertThat(after(ocs.settleAfter(HOLD), job)).isInstanceOfSatisfying(Placement.Faulted.class, faulted -> {
            assertThat(faulted.waitsFor())
                    .matches("pod-00 and pod-0[1-3] have no circuit left and no free ports to make one");
            assertThat(faulted.degraded()).isTrue();
            assertThat(faulted.relocatable()).isTrue();
        });
    }

    @Test
    void lightOnSilentSwitchesHoldsUpNoNewPlaceAndIsToldFromLightThatGoes() {
        ToyOcs ocs = fabric(4);
        SliceId job = ocs.wishTraffic("llm", ToyOcs.twoByTwo());
        ocs.settle();
        ocs.silent.add("ocs-00");
        ocs.dark.add("ocs-00");
        ocs.settleAfter(HOLD);
        ocs.unwish(job);
        // the pass that gives it up, and the one that knows what still burns
        ocs.step();
        assertThat(after(FabricEngine.deliberate(ocs.world()), job))
                .isInstanceOfSatisfying(
                        Placement.Releasing.class,
                        releasing -> assertThat(releasing.onlySilent()).isFalse());
        assertThat(after(ocs.settle(), job))
                .isInstanceOfSatisfying(
                        Placement.Releasing.class,
                        releasing -> assertThat(releasing.onlySilent()).isTrue());
        ocs.silent.clear();
        ocs.dark.clear();
        ocs.settle();
        assertThat(after(ocs.settleAfter(Duration.ofSeconds(40)), job)).isInstanceOf(Placement.Released.class);
    }

    /** Nobody is placed on a fabric that is being deleted. */
    @Test
    void aJobOnARetiringFabricIsNotSentElsewhereOnIt() {
        ToyOcs ocs = fabric(8);
        SliceId job = ocs.wishTraffic("llm", ToyOcs.twoByTwo());
        ocs.settle();
        ocs.retiring = true;
        ocs.fail("ocs-00", "1");
        assertThat(after(ocs.settleAfter(HOLD), job)).isInstanceOfSatisfying(Placement.Faulted.class, faulted -> {
            assertThat(faulted.degraded()).isTrue();
            assertThat(faulted.relocatable()).isFalse();
        });
    }
}
