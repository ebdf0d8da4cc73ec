package dev.lightpath.planner.delta;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class DeltaPlannerPropertyTest {
    private static final int ROUNDS = 400;
    private static final double EQUAL = 1e-9;

    private final DeltaPlanner planner = new DeltaPlanner();

    @Test
    void neverClaimsAProofThatBruteForceRefutes() {
        int proofs = 0;
        int solvable = 0;
        for (long seed = 1; seed <= ROUNDS; seed++) {
            DeltaInstance instance = new RandomInstances(seed).next();
            FlowNetwork network = new FlowNetwork(instance);
            if (!network.fits(Boxes.least(network))) {
                continue;
            }
            solvable++;
            for (Algorithm algorithm : new Algorithm[] {Algorithm.JOINT, Algorithm.TOPOLOGY, Algorithm.FAST}) {
                DeltaSolution solution = planner.solve(instance, Goal.shortest(algorithm), SearchLimits.standard());
                double brute = shortest(instance, network, algorithm.rates());
                assertThat(solution.lowerBoundSeconds())
                        .as("seed " + seed + " " + algorithm)
                        .isLessThanOrEqualTo(brute * (1 + EQUAL));
                if (solution.proved()) {
                    assertThat(solution.makespanSeconds())
                            .as("seed " + seed + " " + algorithm)
                            .isLessThanOrEqualTo(brute * (1 + EQUAL));
                    proofs++;
                }
                if (algorithm == Algorithm.TOPOLOGY) {
                    assertThat(solution.proved()).as("seed " + seed).isTrue();
                }
            }
        }
        assertThat(proofs).as("proofs of " + solvable + " instances").isGreaterThan(2 * solvable);
    }

    @Test
    void neverClaimsFewestPortsWhereBruteForceFindsFewer() {
        int proofs = 0;
        for (long seed = 1; seed <= ROUNDS; seed++) {
            DeltaInstance instance = new RandomInstances(seed).next();
            FlowNetwork network = new FlowNetwork(instance);
            if (!network.fits(Boxes.least(network))) {
                continue;
            }
            for (Algorithm algorithm : new Algorithm[] {Algorithm.JOINT, Algorithm.TOPOLOGY}) {
                DeltaSolution solution =
                        planner.solve(instance, Goal.fewestPorts(algorithm, 1e-3), SearchLimits.standard());
                double limit = shortest(instance, network, algorithm.rates()) * (1 + 1e-3);
                if (solution.proved()) {
                    assertThat(solution.makespanSeconds()).isLessThanOrEqualTo(limit * (1 + EQUAL));
                    assertThat(solution.ports())
                            .as("seed " + seed + " " + algorithm)
                            .isLessThanOrEqualTo(fewest(instance, network, algorithm.rates(), limit));
                    proofs++;
                }
            }
        }
        assertThat(proofs).isGreaterThan(ROUNDS / 2);
    }

    /** A search that ends early must say so, in seconds and in ports. */
    @Test
    void neverClaimsWhatItsBudgetWasTooSmallToProve() {
        int unproved = 0;
        for (long seed = 1; seed <= ROUNDS / 2; seed++) {
            DeltaInstance instance = new RandomInstances(seed).next();
            FlowNetwork network = new FlowNetwork(instance);
            if (!network.fits(Boxes.least(network))) {
                continue;
            }
            for (Algorithm algorithm : Algorithm.values()) {
                double brute = shortest(instance, network, algorithm.rates());
                int fewest = fewest(instance, network, algorithm.rates(), brute * (1 + 1e-3));
                for (long nodes : new long[] {1, 2, 4, 8, 16}) {
                    SearchLimits limits = SearchLimits.standard().withNodes(nodes);
                    DeltaSolution solution = planner.solve(instance, Goal.fewestPorts(algorithm, 1e-3), limits);
                    String where = "seed " + seed + " " + algorithm + " " + nodes + " nodes";
                    assertThat(solution.lowerBoundSeconds()).as(where).isLessThanOrEqualTo(brute * (1 + EQUAL));
                    assertThat(solution.portBound()).as(where).isLessThanOrEqualTo(fewest);
                    if (solution.proved()) {
                        assertThat(solution.makespanSeconds())
                                .as(where)
                                .isLessThanOrEqualTo(brute * (1 + 1e-3) * (1 + EQUAL));
                        assertThat(solution.ports()).as(where).isLessThanOrEqualTo(fewest);
                    } else {
                        unproved++;
                    }
                }
            }
        }
        assertThat(unproved).isGreaterThan(ROUNDS);
    }

    @Test
    void neverSpeaksOfABetterAnswerWithoutHavingOne() {
        DeltaInstance instance = InstanceGenerator.generate(Preset.MIXTRAL_8X22B.workload());
        for (long nodes : new long[] {1, 5, 20, 100, 1000}) {
            for (Algorithm algorithm : Algorithm.values()) {
                DeltaSolution solution = planner.solve(
                        instance,
                        Goal.shortest(algorithm),
                        SearchLimits.standard().withNodes(nodes));
                assertThat(SolutionVerifier.violations(instance, solution)).isEmpty();
            }
        }
    }

    private static double shortest(DeltaInstance instance, FlowNetwork network, Rates rates) {
        double[] best = {Double.POSITIVE_INFINITY};
        Simulator simulator = new Simulator(instance);
        forEachTopology(network, circuits -> best[0] = Math.min(best[0], simulator.makespan(circuits, rates)));
        return best[0];
    }

    private static int fewest(DeltaInstance instance, FlowNetwork network, Rates rates, double limit) {
        int[] best = {Integer.MAX_VALUE};
        Simulator simulator = new Simulator(instance);
        forEachTopology(network, circuits -> {
            if (network.ports(circuits) < best[0] && simulator.makespan(circuits, rates) <= limit) {
                best[0] = network.ports(circuits);
            }
        });
        return best[0];
    }

    private static void forEachTopology(FlowNetwork network, Consumer<int[]> visitor) {
        visit(network, Boxes.least(network), 0, visitor);
    }

    private static void visit(FlowNetwork network, int[] circuits, int group, Consumer<int[]> visitor) {
        if (!network.fits(circuits)) {
            return;
        }
        if (group == network.groups) {
            visitor.accept(circuits);
            return;
        }
        for (int count = 1; count <= network.groupLimit[group]; count++) {
            circuits[group] = count;
            visit(network, circuits, group + 1, visitor);
        }
        circuits[group] = 1;
    }
}
