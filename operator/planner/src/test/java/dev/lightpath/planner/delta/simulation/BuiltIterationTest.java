package dev.lightpath.planner.delta.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.lightpath.planner.delta.RandomInstances;
import dev.lightpath.planner.delta.SolutionVerifier;
import dev.lightpath.planner.delta.model.DeltaInstance;
import dev.lightpath.planner.delta.model.Topology;
import java.util.Collections;
import java.util.List;
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
}
