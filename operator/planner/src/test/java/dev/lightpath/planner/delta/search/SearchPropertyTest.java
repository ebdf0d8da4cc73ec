package dev.lightpath.planner.delta.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.planner.delta.BruteForce;
import dev.lightpath.planner.delta.RandomInstances;
import dev.lightpath.planner.delta.model.DeltaInstance;
import dev.lightpath.planner.delta.simulation.FlowNetwork;
import dev.lightpath.planner.delta.simulation.Rates;
import dev.lightpath.planner.delta.simulation.Simulator;
import java.util.function.ObjLongConsumer;
import org.junit.jupiter.api.Test;

/** The searches by themselves, from the worst start, with budgets from nothing to enough. */
class SearchPropertyTest {
    private static final int ROUNDS = 300;
    private static final long[] BUDGETS = {1, 3, 10, 30, 100_000};
    private static final long ENOUGH = 100_000;
    private static final double EQUAL = 1e-9;

    @Test
    void jointSearchNeverClaimsABoundAboveThatOfATopology() {
        int asked = forEach((instance, nodes) -> {
            FlowNetwork network = new FlowNetwork(instance);
            JointSearch.Found found = new JointSearch(network, new Simulator(network), budget(nodes)).search();
            assertThat(network.fits(found.circuits())).isTrue();
            assertThat(found.lowerBound())
                    .isLessThanOrEqualTo(new BruteForce(instance).leastBoundSeconds() * (1 + EQUAL));
        });
        assertThat(asked).isGreaterThan(2 * ROUNDS);
    }

    @Test
    void fairSearchFindsTheBestOrSaysThatItMayNotHave() {
        forEach((instance, nodes) -> {
            FlowNetwork network = new FlowNetwork(instance);
            int[] start = Boxes.least(network);
            try (SimulatorPool pool = new SimulatorPool(network, 1)) {
                double seconds = new Simulator(network).makespan(start, Rates.FAIR);
                FairSearch.Found found = new FairSearch(network, pool, budget(nodes), start, seconds).search();
                double best = new BruteForce(instance).shortestSeconds(Rates.FAIR);
                assertThat(found.lowerBound()).isLessThanOrEqualTo(best * (1 + EQUAL));
                if (nodes == ENOUGH) {
                    assertThat(found.seconds()).isLessThanOrEqualTo(best * (1 + EQUAL));
                    assertThat(found.lowerBound()).isGreaterThanOrEqualTo(best * (1 - EQUAL));
                }
            }
        });
    }

    @Test
    void portMinimizerNeverClaimsMoreThanTheBoundsOfTopologiesAllow() {
        forEach((instance, nodes) -> {
            FlowNetwork network = new FlowNetwork(instance);
            BruteForce all = new BruteForce(instance);
            int[] known = all.shortest(Rates.JOINT);
            Simulator simulator = new Simulator(network);
            for (double longer : new double[] {1, 1.02, 1.2}) {
                double limit = simulator.makespan(known, Rates.JOINT) * longer;
                PortMinimizer.Found found =
                        new PortMinimizer(network, simulator, budget(nodes), Rates.JOINT, limit).minimize(known);
                assertThat(found.seconds()).isLessThanOrEqualTo(limit);
                assertThat(found.portBound()).isLessThanOrEqualTo(all.fewestPortsByBound(limit));
            }
        });
    }

    @Test
    void portMinimizerFindsTheFewestUnderFairSharing() {
        forEach((instance, nodes) -> {
            FlowNetwork network = new FlowNetwork(instance);
            BruteForce all = new BruteForce(instance);
            int[] known = all.shortest(Rates.FAIR);
            Simulator simulator = new Simulator(network);
            for (double longer : new double[] {1, 1.02, 1.2}) {
                double limit = simulator.makespan(known, Rates.FAIR) * longer;
                PortMinimizer.Found found =
                        new PortMinimizer(network, simulator, budget(nodes), Rates.FAIR, limit).minimize(known);
                int fewest = all.fewestPorts(Rates.FAIR, limit);
                assertThat(found.portBound()).isLessThanOrEqualTo(fewest);
                if (nodes == ENOUGH) {
                    assertThat(network.ports(found.circuits())).isEqualTo(fewest);
                    assertThat(found.portBound()).isEqualTo(fewest);
                }
            }
        });
    }

    private static Budget budget(long nodes) {
        return new Budget(SearchLimits.standard().withNodes(nodes));
    }

    /** Asks every random instance that has room for one circuit a pair with every budget; how many that were. */
    private static int forEach(ObjLongConsumer<DeltaInstance> question) {
        int asked = 0;
        for (long seed = 1; seed <= ROUNDS; seed++) {
            DeltaInstance instance = new RandomInstances(seed).next();
            FlowNetwork network = new FlowNetwork(instance);
            if (network.fits(Boxes.least(network))) {
                for (long nodes : BUDGETS) {
                    asked++;
                    try {
                        question.accept(instance, nodes);
                    } catch (AssertionError e) {
                        throw new AssertionError("seed " + seed + ", " + nodes + " nodes: " + e.getMessage(), e);
                    }
                }
            }
        }
        return asked;
    }
}
