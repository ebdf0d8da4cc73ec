package dev.lightpath.planner.delta.iteration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import dev.lightpath.planner.delta.model.Dependency;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReductionTest {
    private static final long ANY = Long.MAX_VALUE;

    /** However long transfers take, each ends when it does in the graph that was not reduced. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20})
    void transfersEndAsInTheWholeGraph(long seed) {
        Random random = new Random(seed);
        int nodes = 5 + random.nextInt(60);
        IterationGraph graph = new IterationGraph(nodes);
        int tasks = 0;
        for (int node = 0; node < nodes; node++) {
            if (random.nextInt(3) == 0) {
                graph.transfer(tasks++);
            } else {
                graph.rigid(random.nextInt(4));
            }
            // one predecessor most often, sometimes the same twice
            for (int edges = random.nextInt(4) == 0 ? random.nextInt(6) : 1; node > 0 && edges > 0; edges--) {
                graph.edge(Math.max(0, node - 1 - random.nextInt(8)), node);
            }
        }
        List<Dependency> dependencies = Reduction.reduce(graph, tasks);
        for (int time = 0; time < 20; time++) {
            double[] seconds = random.doubles(tasks, 0, 5).toArray();
            assertThat(ends(dependencies, seconds)).containsExactly(ends(graph, seconds), within(1e-9));
        }
    }

    @Test
    void whatWaitsForOneStepIsComparedWithNothing() {
        IterationGraph graph = new IterationGraph(0);
        int step = exchange(graph, 0, 20, graph.rigid(0));
        for (int i = 0; i < 50; i++) {
            int next = graph.rigid(1);
            graph.edge(step, next);
            step = next;
        }
        graph.edge(step, graph.transfer(20));
        assertThat(Reduction.reduce(graph, 21, new TraceEffort(ANY, ANY, 20 * 20 + 20 * 19 / 2, ANY)))
                .hasSize(20 + 20);
    }

    @Test
    void nothingIsHeldBeyondTheDependenciesThatAreAllowed() {
        IterationGraph graph = new IterationGraph(0);
        exchange(graph, 20, 20, exchange(graph, 0, 20, graph.rigid(0)));
        assertThat(Reduction.reduce(graph, 40, new TraceEffort(ANY, ANY, ANY, 20 + 20 * 20)))
                .hasSize(20 + 20 * 20);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Reduction.reduce(graph, 40, new TraceEffort(ANY, ANY, ANY, 20 + 20 * 20 - 1)))
                .withMessageStartingWith("the iteration is too much, allowed: at most 419 dependencies of transfers");
    }

    /** 2^12 transfers, 2^20 times the same step: together as many as an int has none of. */
    @Test
    void transfersOfRepeatedStepsAreCountedInFull() {
        IterationGraph graph = new IterationGraph(0);
        int step = exchange(graph, 0, 1 << 12, graph.rigid(0));
        int next = graph.rigid(1);
        for (int i = 0; i < 1 << 20; i++) {
            graph.edge(step, next);
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Reduction.reduce(graph, 1 << 12, TraceEffort.BOUNDED))
                .withMessageStartingWith("the iteration is too much, allowed: at most 8388608 transfers");
    }

    /** Transfers that wait for a step, and a step that waits for all of them. */
    private static int exchange(IterationGraph graph, int first, int transfers, int before) {
        int after = graph.rigid(0);
        for (int i = 0; i < transfers; i++) {
            int node = graph.transfer(first + i);
            graph.edge(before, node);
            graph.edge(node, after);
        }
        return after;
    }

    /** Nodes are numbered in topological order. */
    private static double[] ends(IterationGraph graph, double[] seconds) {
        double[] starts = new double[graph.nodes()];
        double[] ends = new double[seconds.length];
        for (int node = 0; node < graph.nodes(); node++) {
            for (int edge = 0; edge < graph.edges(); edge++) {
                if (graph.to(edge) == node) {
                    int before = graph.from(edge);
                    double lasts = graph.task(before) < 0 ? graph.seconds(before) : seconds[graph.task(before)];
                    starts[node] = Math.max(starts[node], starts[before] + lasts);
                }
            }
            if (graph.task(node) >= 0) {
                ends[graph.task(node)] = starts[node] + seconds[graph.task(node)];
            }
        }
        return ends;
    }

    /** Tasks are numbered in topological order. */
    private static double[] ends(List<Dependency> dependencies, double[] seconds) {
        double[] starts = new double[seconds.length];
        double[] ends = new double[seconds.length];
        Arrays.setAll(ends, task -> {
            for (Dependency dependency : dependencies) {
                if (dependency.post() == task) {
                    double before = dependency.pre() == Dependency.START ? 0 : ends[dependency.pre()];
                    starts[task] = Math.max(starts[task], before + dependency.delaySeconds());
                }
            }
            return starts[task] + seconds[task];
        });
        return ends;
    }
}
