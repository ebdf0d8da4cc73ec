package dev.lightpath.planner.delta;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.planner.Seeds;
import dev.lightpath.planner.delta.iteration.InstanceGenerator;
import dev.lightpath.planner.delta.iteration.Preset;
import dev.lightpath.planner.delta.model.DeltaInstance;
import dev.lightpath.planner.delta.search.Boxes;
import dev.lightpath.planner.delta.search.SearchLimits;
import dev.lightpath.planner.delta.simulation.FlowNetwork;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class DeltaPlannerPropertyTest {
    private static final int ROUNDS = Seeds.of(400);
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
                double brute = new BruteForce(instance).shortestSeconds(algorithm.rates());
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
                double limit = new BruteForce(instance).shortestSeconds(algorithm.rates()) * (1 + 1e-3);
                if (solution.proved()) {
                    assertThat(solution.makespanSeconds()).isLessThanOrEqualTo(limit * (1 + EQUAL));
                    assertThat(solution.ports())
                            .as("seed " + seed + " " + algorithm)
                            .isLessThanOrEqualTo(new BruteForce(instance).fewestPorts(algorithm.rates(), limit));
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
                double brute = new BruteForce(instance).shortestSeconds(algorithm.rates());
                int fewest = new BruteForce(instance).fewestPorts(algorithm.rates(), brute * (1 + 1e-3));
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

    @ParameterizedTest
    @EnumSource(names = {"MEGATRON_177B", "MIXTRAL_8X22B", "DEEPSEEK_671B"})
    void boundsTheOptimumFromBelowHoweverSmallTheBudget(Preset preset) {
        int unproved = 0;
        for (int perStage = 1; perStage <= 3; perStage++) {
            DeltaInstance instance =
                    InstanceGenerator.generate(preset.workload(400, perStage * preset.microBatches() / 8, 4096, false));
            DeltaSolution best = planner.solve(instance, Goal.shortest(Algorithm.JOINT), SearchLimits.standard());
            assertThat(best.proved()).isTrue();
            for (long nodes = 1; nodes <= 64; nodes *= 2) {
                DeltaSolution solution = planner.solve(
                        instance,
                        Goal.shortest(Algorithm.JOINT),
                        SearchLimits.standard().withNodes(nodes));
                assertThat(solution.lowerBoundSeconds())
                        .as(preset + " " + nodes)
                        .isLessThanOrEqualTo(best.makespanSeconds() * (1 + EQUAL));
                unproved += solution.proved() ? 0 : 1;
            }
        }
        assertThat(unproved).isPositive();
    }
}
