package dev.lightpath.app.job.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.app.job.facts.LightRequest;
import dev.lightpath.app.job.facts.PodFacts;
import dev.lightpath.app.job.facts.RankedNode;
import dev.lightpath.app.job.facts.SampleFabric;
import dev.lightpath.app.job.facts.SampleSlice;
import dev.lightpath.app.job.facts.SliceFacts;
import dev.lightpath.app.job.facts.WorkloadFacts;
import dev.lightpath.crds.ConditionType;
import dev.lightpath.crds.slice.Allocation;
import dev.lightpath.crds.slice.GroupAllocation;
import dev.lightpath.crds.slice.Releasing;
import dev.lightpath.crds.slice.SwitchCircuits;
import dev.lightpath.reading.pod.JobNames;
import io.fabric8.kubernetes.api.model.Condition;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** A job of 16 GPUs on a torus of two cubes, of two nodes each. */
class TorusJobTest {
    private final SampleJob sample = new SampleJob();

    TorusJobTest() {
        sample.chips = "4x4x8";
        sample.fabric = Optional.of(SampleFabric.tori("spine"));
    }

    private void placed(@org.jspecify.annotations.Nullable Releasing releasing, boolean lit) {
        List<Condition> conditions = new ArrayList<>();
        conditions.add(SampleJob.condition(ConditionType.ALLOCATED, "True", "Satisfied"));
        if (lit) {
            conditions.add(SampleJob.condition(ConditionType.READY, "True", "Satisfied"));
        }
        sample.slices.clear();
        sample.slices.add(SampleSlice.of(
                        JobNames.slice("train", "spine", 1, SampleJob.UID),
                        "spine",
                        1,
                        LightRequest.all(sample.job().getSpec(), java.util.Optional.empty()).stream()
                                .findFirst()
                                .orElseThrow()
                                .demand())
                .says(conditions)
                .recorded(new Allocation(
                        1,
                        1,
                        null,
                        List.of(
                                new GroupAllocation(0, List.of("a-0", "a-1"), List.of(7, 7)),
                                new GroupAllocation(1, List.of("b-0", "b-1"), List.of(3, 3))),
                        List.of(),
                        releasing))
                .facts());
    }

    @Test
    void ungatesCubeByCubeInRankOrderOnceTheLightBurns() {
        sample.own(SampleJob.gated(3), SampleJob.gated(1), SampleJob.gated(0), SampleJob.gated(2));
        placed(null, false);
        assertThat(sample.steps()).isEmpty();
        placed(null, true);
        SliceFacts lit = sample.slices.getFirst();
        sample.slices.set(0, SampleSlice.like(lit).toldOf(Optional.empty()).facts());
        assertThat(sample.steps()).as("of a version that told of no record").isEmpty();
        sample.slices.set(0, lit);
        assertThat(sample.steps())
                .containsExactly(
                        sample.ungate("p0", new RankedNode("a-0", 0, "0"), ""),
                        sample.ungate("p1", new RankedNode("a-1", 1, "0"), ""),
                        sample.ungate("p2", new RankedNode("b-0", 2, "1"), ""),
                        sample.ungate("p3", new RankedNode("b-1", 3, "1"), ""));
    }

    @Test
    void makesTheJobSetOfAllNodesOfTheCubes() {
        sample.own();
        sample.workload = new WorkloadFacts.Own(SampleJob.JOB_SET, Optional.empty(), List.of(), Optional.empty());
        placed(null, false);
        assertThat(sample.steps())
                .containsExactly(new JobStep.CreateJobSet(SampleJob.JOB_SET, 4, SampleJob.GPU_RESOURCE));
    }

    @Test
    void keepsAHangingPodWhileCircuitsOfAnEarlierRevisionMayBurn() {
        sample.own(new PodFacts(
                "p1", OptionalInt.of(1), "gone", false, PodFacts.Phase.RUNNING, true, true, Optional.empty(), ""));
        placed(new Releasing(List.of(), List.of(new SwitchCircuits("ocs-1", List.of("1-2")))), false);
        assertThat(sample.steps()).isEmpty();
        placed(null, false);
        assertThat(sample.steps()).containsExactly(new JobStep.ForceDeletePod("p1"));
    }

    @Test
    void refusesMoreGpusThanTheTorusHasChips() {
        sample.own();
        sample.chips = "4x4x4";
        sample.tensor = 64;
        assertThat(sample.says(ConditionType.ACCEPTED)).isEqualTo("False InvalidParallelism");
        assertThat(sample.message(ConditionType.READY))
                .isEqualTo("spec.parallelism asks for 128 GPUs; a torus of 4x4x4 has 64 chips: ask for a larger one in"
                        + " scaleOut.torus.chips, or for fewer GPUs");
    }
}
