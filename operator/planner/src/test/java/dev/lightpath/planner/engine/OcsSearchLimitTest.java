package dev.lightpath.planner.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.planner.ask.Asked;
import dev.lightpath.planner.delta.Algorithm;
import dev.lightpath.planner.delta.Goal;
import dev.lightpath.planner.engine.decision.Deliberation;
import dev.lightpath.planner.engine.decision.SliceVerdict.Placement;
import dev.lightpath.planner.stripe.DeviceKind;
import dev.lightpath.planner.world.Demand;
import dev.lightpath.planner.world.SliceId;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** How long circuits are searched for, for whom, and what is said of it. */
class OcsSearchLimitTest {
    private static Demand.Traffic asking(Duration limit) {
        Demand.Traffic usual = ToyOcs.twoByTwo();
        return new Demand.Traffic(
                usual.iteration(),
                usual.parallelism(),
                usual.stagesPerPod(),
                Goal.fewestPorts(Algorithm.JOINT, 1e-9),
                limit);
    }

    private static ToyOcs allowing(Duration longest) {
        ToyOcs ocs = ToyOcs.logical(4, 1, 4, DeviceKind.ANY_TO_ANY, 1);
        ocs.policy = Policies.searching(ocs.policy, longest);
        ocs.answering = false;
        return ocs;
    }

    private static Asked only(Deliberation deliberation) {
        assertThat(deliberation.questions()).hasSize(1);
        return deliberation.questions().firstEntry().getValue();
    }

    @Test
    void aJobIsSearchedForNoLongerThanItsFabricAllowsAndTold() {
        ToyOcs ocs = allowing(Duration.ofSeconds(30));
        SliceId job = ocs.wishTraffic("llm", asking(Duration.ofHours(1)));
        Deliberation asking = ocs.settle();
        assertThat(only(asking).question().timeLimit()).isEqualTo(Duration.ofSeconds(30));
        assertThat(((Placement.Unplaced) asking.slices().get(job).placement()).message())
                .isEqualTo(
                        "circuits are being chosen for its traffic, searched for at most 30 s (policy.search.maxSeconds of"
                                + " fabric spine), not 3600 s (spec.scaleOut.timeLimitSeconds)");
    }

    @Test
    void whoAsksForLessIsGivenThat() {
        ToyOcs ocs = allowing(Duration.ofSeconds(30));
        SliceId job = ocs.wishTraffic("llm", asking(Duration.ofSeconds(30)));
        Deliberation asking = ocs.settle();
        assertThat(only(asking).question().timeLimit()).isEqualTo(Duration.ofSeconds(30));
        assertThat(((Placement.Unplaced) asking.slices().get(job).placement()).message())
                .isEqualTo("circuits are being chosen for its traffic");
    }

    @Test
    void aQuestionSaysForWhomItIsAskedAndWhetherItRepairs() {
        ToyOcs ocs = ToyOcs.logical(4, 1, 8, DeviceKind.TWO_SIDED, 2);
        ocs.answering = false;
        ocs.wishTraffic("llm", ToyOcs.twoByTwo());
        Asked first = only(ocs.settle());
        assertThat(first.namespaces()).containsExactly("team");
        assertThat(first.repairs()).isFalse();
        ocs.answering = true;
        ocs.settle();
        ocs.answering = false;
        ocs.fail("ocs-00", "1");
        Asked second = only(ocs.settleAfter(Duration.ofSeconds(2)));
        assertThat(second.namespaces()).containsExactly("team");
        assertThat(second.repairs()).isTrue();
    }
}
