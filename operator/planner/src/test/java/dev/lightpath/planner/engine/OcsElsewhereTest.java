package dev.lightpath.planner.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.planner.delta.iteration.Batch;
import dev.lightpath.planner.delta.iteration.Parallelism;
import dev.lightpath.planner.engine.decision.Deliberation;
import dev.lightpath.planner.engine.decision.SliceVerdict.Placement;
import dev.lightpath.planner.stripe.DeviceKind;
import dev.lightpath.planner.world.Demand;
import dev.lightpath.planner.world.SliceId;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Where a job might go instead, and what is said where it cannot. */
class OcsElsewhereTest {

    /** Replicas of stages of eight GPUs. */
    private static Demand.Traffic stages(int stages, int replicas, int stagesPerPod) {
        return Gpt7b.traffic(
                Parallelism.ofDegrees(8, stages, replicas, 1, 1), new Batch(4, 1, 1024, true), stagesPerPod);
    }

    private static ToyOcs wired(int pods, List<List<Integer>> podsOfSwitch) {
        ToyOcs ocs = ToyOcs.logical(pods, 1, podsOfSwitch.size(), DeviceKind.ANY_TO_ANY, 1);
        ocs.wiring.wireOnly(podsOfSwitch);
        return ocs;
    }

    /** Pods with ports enough, of which no switch joins any two, are not worth a move. */
    @Test
    void podsThatNoSwitchJoinsAreNoBetterThanItsOwn() {
        ToyOcs ocs = wired(3, List.of(List.of(0, 1), List.of(2)));
        SliceId job = ocs.wishTraffic("pair", stages(1, 2, 1));
        ocs.settle();
        assertThat(ocs.cubes(job)).containsExactly("pod-00", "pod-01");
        ocs.fail("ocs-00", ocs.lit.get("ocs-00").first().ingress());
        Deliberation rest = ocs.settleAfter(Duration.ofSeconds(2));
        assertThat(rest.slices().get(job).placement()).isInstanceOfSatisfying(Placement.Faulted.class, faulted -> {
            assertThat(faulted.waitsFor()).contains("pod-00 and pod-01 have no circuit left");
            assertThat(faulted.relocatable())
                    .as("no switch joins pod-01 and pod-02")
                    .isFalse();
        });
    }

    @Test
    void podsThatASwitchJoinsAreWorthAMove() {
        ToyOcs ocs = wired(4, List.of(List.of(0, 1), List.of(2, 3)));
        SliceId job = ocs.wishTraffic("pair", stages(1, 2, 1));
        ocs.settle();
        ocs.wiring.close(1, true);
        ocs.fail("ocs-00", ocs.lit.get("ocs-00").first().ingress());
        Deliberation rest = ocs.settleAfter(Duration.ofSeconds(2));
        assertThat(rest.slices().get(job).placement())
                .isInstanceOfSatisfying(
                        Placement.Faulted.class,
                        faulted -> assertThat(faulted.relocatable()).isTrue());
    }

    /** Three stages, two in a pod: the second pod of a replica holds one, and half a pod is enough for it. */
    @Test
    void countsPodsByWhatEachPlaceNeeds() {
        ToyOcs ocs = ToyOcs.logical(4, 2, 6, DeviceKind.ANY_TO_ANY, 1);
        ocs.wishTraffic("halves", stages(1, 3, 1));
        ocs.settle();
        SliceId job = ocs.wishTraffic("uneven", stages(3, 2, 2));
        Deliberation rest = ocs.settle();
        assertThat(((Placement.Unplaced) rest.slices().get(job).placement()).message())
                .isEqualTo(
                        "wanted 48 GPUs as 2 pods with 16 free GPUs and 2 free ports each, usable 1, and 2 pods with 8"
                                + " free GPUs and 2 free ports each, usable 4; usable for any of them 4: for 16 GPUs and 2 ports 3 pods lack GPUs or healthy free nodes, 0 lack ports");
    }

    /** Each of four pods talks to two others: one pod has fibres enough for that, the others have one. */
    @Test
    void whatMorePodsThanOneNeedFibresForNeverFits() {
        List<Integer> all = List.of(0, 1, 2, 3, 4, 5);
        ToyOcs ocs = wired(6, List.of(all, List.of(0), List.of(0), List.of(0)));
        SliceId job = ocs.wishTraffic("wide", stages(2, 2, 1));
        Deliberation rest = ocs.settle();
        assertThat(((Placement.Unplaced) rest.slices().get(job).placement()).message())
                .isEqualTo("wanted 32 GPUs as 4 pods with 8 GPUs and 2 ports each, of which fabric spine has 1; "
                        + Placement.Unplaced.NEVER_FITS);
    }
}
