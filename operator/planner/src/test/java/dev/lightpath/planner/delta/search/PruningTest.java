package dev.lightpath.planner.delta.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.lightpath.planner.delta.RandomInstances;
import dev.lightpath.planner.delta.iteration.InstanceGenerator;
import dev.lightpath.planner.delta.iteration.Preset;
import dev.lightpath.planner.delta.model.CommunicationTask;
import dev.lightpath.planner.delta.model.DeltaInstance;
import dev.lightpath.planner.delta.model.Pod;
import dev.lightpath.planner.delta.model.Topology;
import dev.lightpath.planner.delta.simulation.FlowNetwork;
import dev.lightpath.planner.delta.simulation.Rates;
import dev.lightpath.planner.delta.simulation.Schedule;
import dev.lightpath.planner.delta.simulation.Simulator;
import dev.lightpath.planner.delta.simulation.TimeWindows;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PruningTest {

    @Test
    void findsTheHeaviestAntichainThatBruteForceFinds() {
        for (long seed = 1; seed <= 500; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            int n = 1 + random.nextInt(9);
            boolean[][] before = new boolean[n][n];
            long[] weight = new long[n];
            for (int i = 0; i < n; i++) {
                weight[i] = 1 + random.nextInt(9);
                for (int j = i + 1; j < n; j++) {
                    before[i][j] = random.nextInt(3) == 0;
                }
            }
            for (int k = 0; k < n; k++) {
                for (int i = 0; i < n; i++) {
                    for (int j = 0; j < n; j++) {
                        before[i][j] |= before[i][k] && before[k][j];
                    }
                }
            }
            assertThat(Antichain.heaviest(weight, (i, j) -> before[i][j]))
                    .as("seed " + seed)
                    .isEqualTo(bruteForce(weight, before));
        }
    }

    private static long bruteForce(long[] weight, boolean[][] before) {
        long best = 0;
        for (int set = 1; set < 1 << weight.length; set++) {
            long sum = 0;
            boolean free = true;
            for (int i = 0; i < weight.length; i++) {
                if ((set & (1 << i)) != 0) {
                    sum += weight[i];
                    for (int j = 0; j < weight.length; j++) {
                        free &= !((set & (1 << j)) != 0 && before[i][j]);
                    }
                }
            }
            if (free) {
                best = Math.max(best, sum);
            }
        }
        return best;
    }

    @Test
    void capsCircuitsOnlyWhereNoneIsOfUse() {
        int capped = 0;
        for (long seed = 1; seed <= 500; seed++) {
            RandomInstances random = new RandomInstances(seed);
            DeltaInstance instance = random.next();
            int[] circuits = random.topology(new FlowNetwork(instance));
            Simulator simulator = new Simulator(instance);
            double seconds = simulator.makespan(circuits, Rates.FAIR);
            List<Integer> most = CircuitBounds.of(instance, seconds);
            int[] fewer = circuits.clone();
            for (int g = 0; g < fewer.length; g++) {
                fewer[g] = Math.min(fewer[g], most.get(g));
                capped += circuits[g] - fewer[g];
            }
            assertThat(simulator.makespan(fewer, Rates.FAIR))
                    .as("seed " + seed)
                    .isCloseTo(seconds, within(1e-9 * Math.max(1, seconds)));
        }
        assertThat(capped).isGreaterThan(100);
    }

    @Test
    void countsTheIntervalsOfFigureFive() {
        DeltaInstance instance = InstanceGenerator.generate(Preset.GPT_7B.workload(400, 32, 4096, false));
        Schedule baseline = new Simulator(instance).simulate(Topology.of(new int[] {1, 3, 3}), Rates.FAIR);
        IntervalPruning anchored = IntervalPruning.of(instance, baseline, 0);
        IntervalPruning ordered = IntervalPruning.of(instance, baseline, -1);
        assertThat(anchored.first()).hasSize(68);
        assertThat(anchored.intervals()).isEqualTo(77);
        assertThat(anchored.remainingPairs()).isLessThan(ordered.remainingPairs());
        assertThat(ordered.remainingPairs()).isLessThan(ordered.pairs());
    }

    @Test
    void keepsTheBaselineItselfInsideTheWindows() {
        DeltaInstance instance = InstanceGenerator.generate(Preset.GPT_7B.workload(400, 8, 4096, false));
        Schedule baseline = new Simulator(instance).simulateUnlimited(Rates.FAIR);
        IntervalPruning anchored = IntervalPruning.of(instance, baseline, 0);
        for (int m = 0; m < anchored.first().size(); m++) {
            assertThat(anchored.first().get(m))
                    .isLessThanOrEqualTo(anchored.last().get(m));
        }
        TimeWindows windows = TimeWindows.of(instance, baseline.makespanSeconds());
        for (int m = 0; m < windows.earliestStartSeconds().size(); m++) {
            assertThat(baseline.tasks().get(m).startSeconds())
                    .isGreaterThanOrEqualTo(windows.earliestStartSeconds().get(m) - 1e-12);
            assertThat(baseline.tasks().get(m).endSeconds())
                    .isLessThanOrEqualTo(windows.latestEndSeconds().get(m) + 1e-12);
        }
    }

    @Test
    void boundsManyTasksThatNobodyWaitsFor() {
        FlowNetwork network = new FlowNetwork(onOneLink(1500));
        double seconds = new Simulator(network).makespan(new int[] {2}, Rates.JOINT);
        assertThat(new LowerBound(network).seconds(new int[] {2}))
                .isCloseTo(750, within(1e-6))
                .isLessThanOrEqualTo(seconds);
    }

    /** The bits of 200 000 would take 5 GB. */
    @Test
    void boundsCircuitsOfManyTransfersByTheirCardsAlone() {
        FlowNetwork network = new FlowNetwork(onOneLink(200_000));
        Budget budget = new Budget(SearchLimits.standard());
        assertThat(CircuitBounds.estimate(network, TimeWindows.of(network, 1e9), budget))
                .containsExactly(network.usefulCircuits());
    }

    private static DeltaInstance onOneLink(int transfers) {
        List<CommunicationTask> tasks = IntStream.range(0, transfers)
                .mapToObj(m -> new CommunicationTask(m, "t" + m, 0, 1, 1, 10, List.of(m), List.of(m)))
                .toList();
        return DeltaInstance.withGroupPerPair(
                "one link", 10, List.of(new Pod(0, 4, true), new Pod(1, 4, true)), tasks, List.of());
    }
}
