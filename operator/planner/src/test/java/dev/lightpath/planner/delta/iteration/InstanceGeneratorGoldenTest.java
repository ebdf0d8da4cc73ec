package dev.lightpath.planner.delta.iteration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.lightpath.planner.delta.Golden;
import dev.lightpath.planner.delta.model.CommunicationTask;
import dev.lightpath.planner.delta.model.DeltaInstance;
import dev.lightpath.planner.delta.model.Dependency;
import dev.lightpath.planner.delta.simulation.Rates;
import dev.lightpath.planner.delta.simulation.Simulator;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class InstanceGeneratorGoldenTest {

    @ParameterizedTest
    @CsvSource({"gpt7b-400, GPT_7B, 8", "megatron177b-400, MEGATRON_177B, 48"})
    void generatesTheRecordedInstances(String file, Preset preset, int microBatches) {
        DeltaInstance expected = Golden.instance(file);
        DeltaInstance generated = InstanceGenerator.generate(preset.workload(400, microBatches, 4096, false));

        assertThat(generated.pods()).isEqualTo(expected.pods());
        assertThat(generated.groups()).isEqualTo(expected.groups());
        assertThat(generated.tasks()).isEqualTo(expected.tasks());
        List<Dependency> ours = sorted(generated.dependencies());
        List<Dependency> theirs = sorted(expected.dependencies());
        assertThat(ours).hasSameSizeAs(theirs);
        for (int i = 0; i < ours.size(); i++) {
            assertThat(ours.get(i).pre()).isEqualTo(theirs.get(i).pre());
            assertThat(ours.get(i).post()).isEqualTo(theirs.get(i).post());
            assertThat(ours.get(i).delaySeconds()).isCloseTo(theirs.get(i).delaySeconds(), within(1e-12));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "MEGATRON_177B, 198, 841",
        "MIXTRAL_8X22B, 392, 1755",
        "MEGATRON_462B, 784, 6477",
        "DEEPSEEK_671B, 784, 6477"
    })
    void reducesTheFourWorkloadsToTheRecordedSizes(Preset preset, int tasks, int dependencies) {
        DeltaInstance instance = InstanceGenerator.generate(preset.workload());
        assertThat(instance.tasks()).hasSize(tasks);
        assertThat(instance.dependencies()).hasSize(dependencies);
    }

    @ParameterizedTest
    @CsvSource({
        "GPT_7B, 0.020632337121280001, 33554432, 7661379584",
        "MEGATRON_177B, 0.071138962161330865, 100663296, 206713192448",
        "MIXTRAL_8X22B, 0.051671979786239997, 201326592, 70314688512",
        "MEGATRON_462B, 0.065058620898943251, 150994944, 201891981312",
        "DEEPSEEK_671B, 0.026698912563199999, 234881024, 167750000000"
    })
    void derivesTheStageConstants(Preset preset, double forward, double pipeline, double data) {
        TrainingWorkload workload = preset.workload();
        assertThat(workload.forwardSeconds()).isCloseTo(forward, within(forward * 1e-12));
        assertThat(workload.pipelineBytes()).isEqualTo(pipeline);
        assertThat(workload.dataBytes()).isCloseTo(data, within(data * 1e-12));
    }

    @Test
    void hasTheTasksOfFigureFiveWithThirtyTwoMicroBatches() {
        DeltaInstance instance = InstanceGenerator.generate(Preset.GPT_7B.workload(400, 32, 4096, false));
        assertThat(instance.tasks()).hasSize(68);
    }

    @Test
    void mirrorsPodsWhenReversed() {
        DeltaInstance straight = InstanceGenerator.generate(Preset.MEGATRON_177B.workload());
        DeltaInstance reversed = InstanceGenerator.generate(Preset.MEGATRON_177B.workload(400, 48, 4096, true));
        for (CommunicationTask task : straight.tasks()) {
            CommunicationTask twin = reversed.tasks().get(task.id());
            assertThat(twin.source()).isEqualTo(2 - task.source());
            assertThat(twin.destination())
                    .isEqualTo(task.destination() < 3 ? 2 - task.destination() : 8 - task.destination());
        }
    }

    @ParameterizedTest
    @CsvSource({"4, 1, 3", "4, 2, 3", "7, 2, 9", "2, 1, 1"})
    void countsWhatASingleReplicaComputesAfterItsLastGradient(int stages, int stagesPerPod, int microBatches) {
        IterationProfile profile = new IterationProfile(
                "single", stages, 8, 1, microBatches, 1, 2, 0, 0, new Placement(stagesPerPod, 16, 400, false));
        DeltaInstance instance = InstanceGenerator.generate(profile);
        double makespan = new Simulator(instance).simulateUnlimited(Rates.JOINT).makespanSeconds();
        assertThat(makespan).isEqualTo(3.0 * (microBatches + stages - 1));
    }

    private static List<Dependency> sorted(List<Dependency> dependencies) {
        List<Dependency> copy = new ArrayList<>(dependencies);
        copy.sort(Comparator.comparingInt(Dependency::post).thenComparingInt(Dependency::pre));
        return copy;
    }

    /**
     * Lists of its own for both ends of each transfer would take a gigabyte for the longest iteration of large stages.
     */
    @Test
    void transfersOfAStageShareItsGpus() {
        IterationProfile profile =
                new IterationProfile("wide", 4, 512, 2, 64, 1, 1, 1e9, 1e9, new Placement(1, 512, 400, false));
        DeltaInstance instance = InstanceGenerator.generate(profile);
        Set<List<Integer>> lists = Collections.newSetFromMap(new IdentityHashMap<>());
        instance.tasks().forEach(task -> {
            lists.add(task.sourceGpus());
            lists.add(task.destinationGpus());
        });
        assertThat(instance.tasks()).hasSize(2 * 3 * 64 + 4);
        assertThat(lists).hasSize(8);
    }
}
