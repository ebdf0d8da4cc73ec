package dev.lightpath.planner.delta.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.lightpath.planner.delta.RandomInstances;
import dev.lightpath.planner.delta.SolutionVerifier;
import dev.lightpath.planner.delta.iteration.InstanceGenerator;
import dev.lightpath.planner.delta.iteration.Preset;
import dev.lightpath.planner.delta.model.CommunicationTask;
import dev.lightpath.planner.delta.model.DeltaInstance;
import dev.lightpath.planner.delta.model.Pod;
import dev.lightpath.planner.delta.model.Topology;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class BuiltIterationTest {
    private static final int CASES = 200;

    @Test
    void saysWhatTheInstanceSaysWhateverItsPorts() {
        for (long seed = 1; seed <= CASES; seed++) {
            DeltaInstance instance = new RandomInstances(seed).next();
            BuiltIteration built = BuiltIteration.of(
                    instance.withPorts(Collections.nCopies(instance.pods().size(), 1)));
            for (int circuits = 1; circuits <= 3; circuits++) {
                Topology topology =
                        new Topology(Collections.nCopies(instance.groups().size(), circuits));
                for (Rates rates : Rates.values()) {
                    double seconds = new Simulator(instance).makespanSeconds(topology, rates);
                    assertThat(built.makespanSeconds(topology, rates))
                            .as("seed %d, %s", seed, rates)
                            .isEqualTo(seconds);
                    assertThat(built.nct(seconds))
                            .as("seed %d", seed)
                            .isEqualTo(
                                    Double.valueOf(NormalizedTime.of(instance).nct(seconds)));
                }
                assertThat(built.ports(topology))
                        .as("seed %d", seed)
                        .isEqualTo(SolutionVerifier.ports(instance, topology));
            }
            assertThat(built.tasks()).isEqualTo(instance.tasks().size());
            assertThat(built.bytes()).isPositive();
        }
    }

    @Test
    void wantsOneCountPerGroup() {
        BuiltIteration built = BuiltIteration.of(new RandomInstances(1).next());
        assertThatIllegalArgumentException()
                .isThrownBy(() -> built.makespanSeconds(new Topology(List.of()), Rates.FAIR))
                .withMessageContaining("0 counts, allowed: ");
    }

    @Test
    void costsItsTransfersWhereFewAreUnderWayAtOnce() {
        BuiltIteration built = BuiltIteration.of(InstanceGenerator.generate(Preset.MEGATRON_462B.workload()));
        assertThat(built.isHeavy()).isFalse();
        assertThat(built.cost()).isEqualTo(built.tasks());
    }

    @Test
    void costsMoreWhereManyAre() {
        BuiltIteration some = BuiltIteration.of(atOnce(100));
        assertThat(some.isHeavy()).isFalse();
        assertThat(some.cost()).isGreaterThan(5 * some.tasks());
        assertThat(some.exceeds(0)).as("asked of heavy ones only").isFalse();
    }

    @Test
    void isHeavyWhereATransferMeetsHundreds() {
        BuiltIteration built = BuiltIteration.of(atOnce(400));
        assertThat(built.isHeavy()).isTrue();
        assertThat(built.exceeds(1L << 25)).isTrue();
        assertThat(built.exceeds(1L << 30)).isFalse();
    }

    /** Transfers between two pods of which none waits for another, each of other bytes. */
    private static DeltaInstance atOnce(int transfers) {
        List<CommunicationTask> tasks = IntStream.range(0, transfers)
                .mapToObj(m -> new CommunicationTask(m, "t" + m, 0, 1, 1, 1e6 + m * 1e3, List.of(0), List.of(1)))
                .toList();
        return DeltaInstance.withGroupPerPair(
                "at once", 5e10, List.of(new Pod(0, 4, true), new Pod(1, 4, true)), tasks, List.of());
    }
}
