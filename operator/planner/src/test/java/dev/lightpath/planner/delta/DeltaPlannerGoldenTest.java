package dev.lightpath.planner.delta;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.lightpath.planner.delta.iteration.Batch;
import dev.lightpath.planner.delta.iteration.InstanceGenerator;
import dev.lightpath.planner.delta.iteration.Parallelism;
import dev.lightpath.planner.delta.iteration.Placement;
import dev.lightpath.planner.delta.iteration.Preset;
import dev.lightpath.planner.delta.iteration.TrainingWorkload;
import dev.lightpath.planner.delta.model.CommunicationTask;
import dev.lightpath.planner.delta.model.DeltaInstance;
import dev.lightpath.planner.delta.model.Dependency;
import dev.lightpath.planner.delta.model.Pod;
import dev.lightpath.planner.delta.search.InfeasibleBudget;
import dev.lightpath.planner.delta.search.SearchLimits;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class DeltaPlannerGoldenTest {
    private final DeltaPlanner planner = new DeltaPlanner();

    @ParameterizedTest
    @CsvSource({
        "JOINT, 1.0538, 11.8783102761, true",
        "TOPOLOGY, 1.1556, 11.9318197865, true",
        "FAST, 1.1556, 11.9318197865, false",
        "PROP, 1.2111, 0, false",
        "SQRT, 1.1696, 0, false",
        "ITER_HALVE, 1.2003, 0, false"
    })
    void findsThePublishedFiguresOfMegatron(Algorithm algorithm, double nct, double seconds, boolean proved) {
        DeltaSolution solution = solve(Golden.instance("megatron177b-400"), Goal.shortest(algorithm));
        assertThat(solution.nct()).isCloseTo(nct, within(5e-5));
        assertThat(solution.proved()).isEqualTo(proved);
        if (seconds > 0) {
            assertThat(solution.makespanSeconds()).isCloseTo(seconds, within(seconds * 1e-10));
        }
    }

    @ParameterizedTest
    @CsvSource({"8, JOINT, 0.764862895882", "8, TOPOLOGY, 0.776534088308", "32, JOINT, 2.266497296"})
    void findsTheOptimaOfGpt(int microBatches, Algorithm algorithm, double seconds) {
        DeltaSolution solution = solve(
                InstanceGenerator.generate(Preset.GPT_7B.workload(400, microBatches, 4096, false)),
                Goal.shortest(algorithm));
        assertThat(solution.makespanSeconds()).isCloseTo(seconds, within(seconds * 1e-9));
        assertThat(solution.proved()).isTrue();
    }

    @ParameterizedTest
    @EnumSource(Preset.class)
    void provesTheJointOptimumOfEveryWorkloadAtEveryBandwidth(Preset preset) {
        for (double gbps : new double[] {200, 400, 800, 1600}) {
            DeltaInstance instance =
                    InstanceGenerator.generate(preset.workload(gbps, preset.microBatches(), 4096, false));
            DeltaSolution joint = solve(instance, Goal.shortest(Algorithm.JOINT));
            DeltaSolution fast = solve(instance, Goal.shortest(Algorithm.FAST));
            assertThat(joint.gap()).as(preset + " " + gbps).isLessThan(1e-12);
            assertThat(joint.makespanSeconds()).isLessThanOrEqualTo(fast.makespanSeconds());
            for (Algorithm baseline : List.of(Algorithm.PROP, Algorithm.SQRT, Algorithm.ITER_HALVE)) {
                assertThat(fast.makespanSeconds())
                        .isLessThanOrEqualTo(
                                solve(instance, Goal.shortest(baseline)).makespanSeconds());
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"JOINT", "TOPOLOGY"})
    void provesTheFewestPortsOfMegatron(Algorithm algorithm) {
        DeltaSolution solution = solve(Golden.instance("megatron177b-400"), Goal.fewestPorts(algorithm, 1e-9));
        assertThat(solution.ports()).isEqualTo(44);
        assertThat(solution.portBudget()).isEqualTo(48);
        assertThat(solution.proved()).isTrue();
    }

    /** The proved optimum, three circuits of pipeline and many of data away from where traffic-matrix starts lead. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void findsTheFairOptimumByEvolutionWhateverTheSeed(long seed) {
        DeltaInstance instance = InstanceGenerator.generate(Preset.DEEPSEEK_671B.workload(200, 128, 2048, false));
        DeltaSolution fast = planner.solve(
                instance, Goal.shortest(Algorithm.FAST), SearchLimits.standard().withSeed(seed));
        assertThat(fast.makespanSeconds()).isCloseTo(6.5020617394764555, within(6.5e-9));
    }

    @ParameterizedTest
    @CsvSource({"g9, 2", "g10, 4", "g11, 13", "g7, 3", "g1, 3"})
    void findsTheBestOfHandCheckedCases(String name, double seconds) {
        assertThat(solve(Golden.instance(name), Goal.shortest(Algorithm.JOINT)).makespanSeconds())
                .isCloseTo(seconds, within(1e-9));
    }

    @ParameterizedTest
    @CsvSource({"1, false", "1, true", "2, false", "2, true"})
    void provesMakespanAndPortsOfEightAndSixteenPods(int stagesPerPod, boolean reversed) {
        TrainingWorkload wide = new TrainingWorkload(
                "wide",
                Preset.MEGATRON_462B.model(),
                new Parallelism(8, 16, 1, 1, 1, 8),
                new Batch(128, 1, 4096, true),
                new Placement(stagesPerPod, 16, 400, reversed));
        DeltaInstance instance = InstanceGenerator.generate(wide);
        assertThat(instance.portBudget()).isEqualTo(256 / stagesPerPod);
        assertThat(solve(instance, Goal.fewestPorts(Algorithm.JOINT, 1e-9)).proved())
                .isTrue();
    }

    @Test
    void provesFiveHundredTwelveMicroBatches() {
        DeltaInstance deep = InstanceGenerator.generate(Preset.DEEPSEEK_671B.workload(400, 512, 4096, false));
        assertThat(deep.tasks()).hasSize(2 * 3 * 512 + 16);
        assertThat(solve(deep, Goal.shortest(Algorithm.JOINT)).proved()).isTrue();
    }

    @Test
    void answersTheSameForAnyNumberOfThreads() {
        DeltaInstance instance = InstanceGenerator.generate(Preset.MIXTRAL_8X22B.workload());
        for (Algorithm algorithm : List.of(Algorithm.FAST, Algorithm.TOPOLOGY, Algorithm.JOINT)) {
            SearchLimits limits = SearchLimits.standard().withNodes(4000);
            DeltaSolution one = planner.solve(instance, Goal.shortest(algorithm), limits);
            DeltaSolution three = planner.solve(instance, Goal.shortest(algorithm), limits.withThreads(3));
            assertThat(three).isEqualTo(one);
        }
    }

    @Test
    void endsWithItsBestSoFarWhenStopped() {
        DeltaInstance instance = InstanceGenerator.generate(Preset.DEEPSEEK_671B.workload());
        AtomicInteger asked = new AtomicInteger();
        DeltaSolution solution = planner.solve(
                instance,
                Goal.shortest(Algorithm.TOPOLOGY),
                SearchLimits.standard().stoppingWhen(() -> asked.incrementAndGet() > 20));
        assertThat(SolutionVerifier.violations(instance, solution)).isEmpty();
        assertThat(solution.proved()).isFalse();
        assertThat(asked.get()).isLessThan(100);
    }

    @Test
    void provesTwoJobsThatShareTheirPods() {
        DeltaInstance one = InstanceGenerator.generate(Preset.MIXTRAL_8X22B.workload());
        DeltaInstance two = InstanceGenerator.generate(Preset.MIXTRAL_8X22B.workload(400, 64, 4096, true));
        DeltaInstance both = onSharedPods(one, two);
        DeltaSolution solution = solve(both, Goal.shortest(Algorithm.JOINT));
        assertThat(both.groups()).hasSize(3 + 4 + 4);
        assertThat(solution.proved()).isTrue();
        assertThat(solution.makespanSeconds())
                .isGreaterThan(solve(one, Goal.shortest(Algorithm.JOINT)).makespanSeconds());
    }

    /** The second job starts a tenth of a second later, on GPUs and peer pods of its own. */
    private static DeltaInstance onSharedPods(DeltaInstance one, DeltaInstance two) {
        List<Pod> pods = new ArrayList<>(one.pods());
        two.pods().stream()
                .filter(pod -> !pod.counted())
                .forEach(pod -> pods.add(new Pod(100 + pod.id(), pod.ports(), false)));
        int counted = (int) one.pods().stream().filter(Pod::counted).count();
        int shift = one.tasks().size();
        List<CommunicationTask> tasks = new ArrayList<>(one.tasks());
        for (CommunicationTask task : two.tasks()) {
            tasks.add(new CommunicationTask(
                    shift + task.id(),
                    "second." + task.name(),
                    task.source() < counted ? task.source() : 100 + task.source(),
                    task.destination() < counted ? task.destination() : 100 + task.destination(),
                    task.flows(),
                    task.bytes(),
                    task.sourceGpus().stream().map(gpu -> 5_000_000 + gpu).toList(),
                    task.destinationGpus().stream().map(gpu -> 5_000_000 + gpu).toList()));
        }
        List<Dependency> dependencies = new ArrayList<>(one.dependencies());
        for (Dependency dependency : two.dependencies()) {
            boolean first = dependency.pre() == Dependency.START;
            dependencies.add(new Dependency(
                    first ? Dependency.START : shift + dependency.pre(),
                    shift + dependency.post(),
                    dependency.delaySeconds() + (first ? 0.1 : 0)));
        }
        return DeltaInstance.withGroupPerPair("both", one.circuitBytesPerSecond(), pods, tasks, dependencies);
    }

    @Test
    void saysWhichPodHasTooFewPorts() {
        DeltaInstance instance = Golden.instance("g11").withPorts(List.of(1, 2, 2, 2));
        assertThatThrownBy(() -> solve(instance, Goal.shortest(Algorithm.JOINT)))
                .isInstanceOf(InfeasibleBudget.class)
                .hasMessageContaining("pod 0")
                .hasMessageContaining("which has 1");
    }

    @Test
    void reallocatesFreedPortsToTheTransposedTwin() {
        DeltaInstance model = InstanceGenerator.generate(Preset.MEGATRON_177B.workload());
        DeltaInstance twin = InstanceGenerator.generate(Preset.MEGATRON_177B.workload(400, 48, 4096, true));
        PortReallocation result =
                PortReallocation.between(model, twin, Algorithm.JOINT, 1e-9, planner, SearchLimits.standard());
        assertThat(result.freedPorts().values().stream()
                        .mapToInt(Integer::intValue)
                        .sum())
                .isEqualTo(4);
        assertThat(result.transposedBefore().makespanSeconds())
                .isCloseTo(result.modelBefore().makespanSeconds(), within(1e-9));
        assertThat(result.transposedAfter().makespanSeconds())
                .isLessThan(result.transposedBefore().makespanSeconds());
        assertThat(result.transposedAfter().portBudget()).isEqualTo(52);
    }

    private DeltaSolution solve(DeltaInstance instance, Goal goal) {
        return planner.solve(instance, goal, SearchLimits.standard());
    }
}
