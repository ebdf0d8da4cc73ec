package dev.lightpath.planner.delta.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.lightpath.planner.delta.RandomInstances;
import dev.lightpath.planner.delta.iteration.InstanceGenerator;
import dev.lightpath.planner.delta.iteration.Preset;
import dev.lightpath.planner.delta.model.DeltaInstance;
import dev.lightpath.planner.delta.model.Topology;
import dev.lightpath.planner.delta.search.LowerBound;
import org.junit.jupiter.api.Test;

class SimulatorPropertyTest {
    private static final int ROUNDS = 3000;

    @Test
    void agreesWithTheSlowSimulatorUnderFairSharing() {
        for (long seed = 1; seed <= ROUNDS; seed++) {
            RandomInstances random = new RandomInstances(seed);
            DeltaInstance instance = random.next();
            int[] circuits = random.topology(new FlowNetwork(instance));
            double[] expected = new SlowSimulator(instance, circuits).fairEnds();
            Schedule schedule = new Simulator(instance).simulate(Topology.of(circuits), Rates.FAIR);
            for (int m = 0; m < expected.length; m++) {
                assertThat(schedule.tasks().get(m).endSeconds())
                        .as("seed " + seed + " task " + m)
                        .isCloseTo(expected[m], within(1e-8 * Math.max(1, expected[m])));
            }
        }
    }

    @Test
    void agreesWithTheSlowSimulatorUnderCriticalPathFirst() {
        for (long seed = 1; seed <= ROUNDS; seed++) {
            RandomInstances random = new RandomInstances(seed);
            DeltaInstance instance = random.next();
            int[] circuits = random.topology(new FlowNetwork(instance));
            double expected = new SlowSimulator(instance, circuits).urgentMakespan();
            assertThat(new Simulator(instance).makespan(circuits, Rates.JOINT))
                    .as("seed " + seed)
                    .isCloseTo(expected, within(1e-8 * Math.max(1, expected)));
        }
    }

    @Test
    void neverSchedulesWhatNetworkOrGraphForbid() {
        for (long seed = 1; seed <= ROUNDS; seed++) {
            RandomInstances random = new RandomInstances(seed);
            DeltaInstance instance = random.next();
            int[] circuits = random.topology(new FlowNetwork(instance));
            for (Rates rates : Rates.values()) {
                Schedule schedule = new Simulator(instance).simulate(Topology.of(circuits), rates);
                assertThat(new SlowSimulator(instance, circuits).impossibilities(schedule))
                        .as("seed " + seed + " " + rates)
                        .isEmpty();
            }
        }
    }

    @Test
    void neverEndsBeforeTheLowerBound() {
        for (long seed = 1; seed <= ROUNDS; seed++) {
            RandomInstances random = new RandomInstances(seed);
            DeltaInstance instance = random.next();
            FlowNetwork network = new FlowNetwork(instance);
            int[] circuits = random.topology(network);
            double bound = new LowerBound(network).seconds(circuits);
            for (Rates rates : Rates.values()) {
                assertThat(new Simulator(instance).makespan(circuits, rates))
                        .as("seed " + seed + " " + rates)
                        .isGreaterThanOrEqualTo(bound * (1 - 1e-12));
            }
        }
    }

    @Test
    void boundsNoTopologyHigherWhenACircuitIsAdded() {
        for (long seed = 1; seed <= ROUNDS; seed++) {
            RandomInstances random = new RandomInstances(seed);
            FlowNetwork network = new FlowNetwork(random.next());
            int[] circuits = random.topology(network);
            LowerBound bound = new LowerBound(network);
            double before = bound.seconds(circuits);
            for (int g = 0; g < network.groups; g++) {
                int[] more = circuits.clone();
                more[g]++;
                assertThat(bound.seconds(more))
                        .as("seed " + seed + " group " + g)
                        .isLessThanOrEqualTo(before * (1 + 1e-12));
            }
        }
    }

    @Test
    void simulatesTheSameAgainInAUsedWorkspace() {
        DeltaInstance instance = InstanceGenerator.generate(Preset.GPT_7B.workload(400, 8, 4096, false));
        Simulator used = new Simulator(instance);
        int[] first = {1, 3, 3};
        int[] second = {2, 2, 2};
        double fresh = new Simulator(instance).makespan(first, Rates.JOINT);
        used.makespan(second, Rates.FAIR);
        used.makespan(second, Rates.JOINT);
        assertThat(used.makespan(first, Rates.JOINT)).isEqualTo(fresh);
    }
}
