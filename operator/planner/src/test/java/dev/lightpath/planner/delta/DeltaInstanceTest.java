package dev.lightpath.planner.delta;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lightpath.planner.delta.iteration.InstanceGenerator;
import dev.lightpath.planner.delta.iteration.Parallelism;
import dev.lightpath.planner.delta.iteration.Preset;
import dev.lightpath.planner.delta.iteration.TrainingWorkload;
import dev.lightpath.planner.delta.model.CircuitGroup;
import dev.lightpath.planner.delta.model.CommunicationTask;
import dev.lightpath.planner.delta.model.DeltaInstance;
import dev.lightpath.planner.delta.model.Dependency;
import dev.lightpath.planner.delta.model.Pod;
import dev.lightpath.planner.delta.model.PodPair;
import dev.lightpath.planner.delta.model.Topology;
import java.util.List;
import org.junit.jupiter.api.Test;

class DeltaInstanceTest {
    private static final List<Pod> PODS = List.of(new Pod(0, 4, true), new Pod(1, 4, true));
    private static final CommunicationTask FORTH = task(0, 0, 1);
    private static final CommunicationTask BACK = task(1, 1, 0);

    @Test
    void refusesACycle() {
        assertThatThrownBy(
                        () -> instance(List.of(FORTH, BACK), List.of(new Dependency(0, 1, 1), new Dependency(1, 0, 1))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("deps: a cycle keeps task 0 from starting, allowed: an acyclic graph");
    }

    @Test
    void refusesAnUnknownPod() {
        assertThatThrownBy(() -> instance(List.of(task(0, 0, 7)), List.of()))
                .hasMessage("tasks[0].dst: unknown pod 7, allowed: an id listed in pods");
    }

    @Test
    void refusesNegativeBytes() {
        assertThatThrownBy(() -> new CommunicationTask(0, "t", 0, 1, 1, -1, List.of(0), List.of(1)))
                .hasMessage("bytes: -1.0, allowed: a finite number, 0 or more");
    }

    @Test
    void refusesTimesBeyondTheRangeOfSums() {
        assertThatThrownBy(() -> instance(List.of(FORTH), List.of(new Dependency(-1, 0, 1e308))))
                .hasMessageStartingWith("tasks and deps: all delays");
    }

    @Test
    void neverWrapsPortsThatAreTooManyForAnInteger() {
        List<Pod> huge = List.of(new Pod(0, Integer.MAX_VALUE, true), new Pod(1, 4, true));
        DeltaInstance instance = DeltaInstance.withGroupPerPair("i", 10, huge, List.of(FORTH), List.of());
        Topology topology = new Topology(List.of(Integer.MAX_VALUE));
        assertThat(instance.portBudget()).isEqualTo(Integer.MAX_VALUE);
        assertThat(SolutionVerifier.ports(instance, topology)).isEqualTo(Integer.MAX_VALUE);
        assertThat(SolutionVerifier.fitsPorts(instance, topology)).isFalse();
    }

    @Test
    void refusesMoreMicroBatchesThanCanBeHeld() {
        TrainingWorkload workload = Preset.GPT_7B.workload(400, 2_000_000_000, 4096, false);
        assertThatThrownBy(() -> InstanceGenerator.generate(workload))
                .hasMessage("microBatches: 2000000000, allowed: at most 65536 with 4 stages");
    }

    @Test
    void refusesMoreGpusThanAReplicaCanNumber() {
        assertThatThrownBy(() -> new Parallelism(2_000_000_000, 1, 2_000_000_000, 1, 1, 1))
                .hasMessageContaining("allowed: at most 1000000 GPUs per replica");
    }

    @Test
    void refusesAnUnknownPredecessor() {
        assertThatThrownBy(() -> instance(List.of(FORTH), List.of(new Dependency(5, 0, 0))))
                .hasMessageContaining("deps[0].pre: unknown task 5");
    }

    @Test
    void refusesAnActivePairWithoutAGroup() {
        assertThatThrownBy(() -> new DeltaInstance("i", 10, PODS, List.of(), List.of(FORTH), List.of()))
                .hasMessageContaining("active pair [0,1] is in none");
    }

    @Test
    void refusesAPairInTwoGroups() {
        CircuitGroup group = new CircuitGroup(2, false, List.of(new PodPair(0, 1)));
        CircuitGroup again = new CircuitGroup(2, false, List.of(new PodPair(1, 0)));
        assertThatThrownBy(() -> new DeltaInstance("i", 10, PODS, List.of(group, again), List.of(FORTH), List.of()))
                .hasMessageContaining("groups[1].pairs[0]: 0,1 repeats");
    }

    @Test
    void decidesEachActivePairByItselfWithoutGroups() {
        DeltaInstance instance = instance(List.of(FORTH, BACK), List.of());
        assertThat(instance.groups()).containsExactly(new CircuitGroup(4, false, List.of(new PodPair(0, 1))));
        assertThat(instance.portBudget()).isEqualTo(8);
    }

    private static DeltaInstance instance(List<CommunicationTask> tasks, List<Dependency> dependencies) {
        return DeltaInstance.withGroupPerPair("i", 10, PODS, tasks, dependencies);
    }

    private static CommunicationTask task(int id, int source, int destination) {
        return new CommunicationTask(id, "t" + id, source, destination, 1, 10, List.of(source), List.of(destination));
    }
}
