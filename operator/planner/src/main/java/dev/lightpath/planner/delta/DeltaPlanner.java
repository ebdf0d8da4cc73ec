package dev.lightpath.planner.delta;

import dev.lightpath.planner.delta.model.DeltaInstance;
import dev.lightpath.planner.delta.model.Topology;
import dev.lightpath.planner.delta.search.Baselines;
import dev.lightpath.planner.delta.search.Boxes;
import dev.lightpath.planner.delta.search.Budget;
import dev.lightpath.planner.delta.search.CircuitBounds;
import dev.lightpath.planner.delta.search.FairSearch;
import dev.lightpath.planner.delta.search.GeneticSearch;
import dev.lightpath.planner.delta.search.JointSearch;
import dev.lightpath.planner.delta.search.PortMinimizer;
import dev.lightpath.planner.delta.search.SearchLimits;
import dev.lightpath.planner.delta.search.SimulatorPool;
import dev.lightpath.planner.delta.simulation.FlowNetwork;
import dev.lightpath.planner.delta.simulation.NormalizedTime;
import dev.lightpath.planner.delta.simulation.Rates;
import dev.lightpath.planner.delta.simulation.Simulator;
import dev.lightpath.planner.delta.simulation.TimeWindows;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * DELTA in pure Java: every algorithm but the MILPs, each answer checked by {@link SolutionVerifier} before it is
 * given.
 */
public final class DeltaPlanner implements TopologyPlanner {
    /** Between and beyond the square root and proportion of the baselines: starts that are good in different ways. */
    private static final double[] STARTING_EXPONENTS = {0, 0.25, 0.6, 0.75, 0.9, 1.5};

    /**
     * {@inheritDoc}
     *
     * <p>Baselines take O(ports * groups), each other algorithm at most {@code limits.nodes()} bounds or simulations of
     * O((tasks + dependencies) log tasks) each; minimising ports as many again. Memory O(tasks + dependencies + open
     * nodes * groups). Sections IV-B (Algorithms 2, 3, 5, 6) and V-A2; the exact searches go beyond the paper.
     */
    @Override
    public DeltaSolution solve(DeltaInstance instance, Goal goal, SearchLimits limits) {
        FlowNetwork network = new FlowNetwork(instance);
        if (!network.fits(Boxes.least(network))) {
            throw JointSearch.infeasible(network);
        }
        Budget budget = new Budget(limits);
        try (SimulatorPool pool = new SimulatorPool(network, limits.threads())) {
            Simulator simulator = new Simulator(network);
            Found found = find(instance, network, goal.algorithm(), limits, budget, pool, simulator);
            int[] circuits = found.circuits;
            double seconds = found.seconds;
            int portBound = network.ports(circuits);
            boolean proved = seconds - found.bound <= DeltaSolution.PROOF_TOLERANCE * seconds;
            if (goal.minimizePorts()) {
                PortMinimizer.Found fewest = new PortMinimizer(
                                network,
                                simulator,
                                new Budget(limits),
                                goal.algorithm().rates(),
                                seconds * (1 + goal.portTolerance()))
                        .minimize(circuits);
                circuits = fewest.circuits();
                seconds = fewest.seconds();
                portBound = fewest.portBound();
                proved &= portBound == network.ports(circuits);
            }
            DeltaSolution solution = new DeltaSolution(
                    goal,
                    Topology.of(circuits),
                    seconds,
                    Math.min(found.bound, seconds),
                    proved,
                    NormalizedTime.of(network).nct(seconds),
                    network.ports(circuits),
                    portBound,
                    instance.portBudget());
            SolutionVerifier.require(instance, solution);
            return solution;
        }
    }

    private record Found(int[] circuits, double seconds, double bound) {}

    private static Found find(
            DeltaInstance instance,
            FlowNetwork network,
            Algorithm algorithm,
            SearchLimits limits,
            Budget budget,
            SimulatorPool pool,
            Simulator simulator) {
        Baselines baselines = new Baselines(instance, network);
        return switch (algorithm) {
            case JOINT -> {
                JointSearch.Found joint = new JointSearch(network, simulator, budget).search(baselines.squareRoot());
                yield new Found(joint.circuits(), joint.seconds(), joint.lowerBound());
            }
            case PROP -> bounded(network, simulator, budget, baselines.proportional());
            case SQRT -> bounded(network, simulator, budget, baselines.squareRoot());
            case ITER_HALVE -> bounded(network, simulator, budget, baselines.iterativeHalving());
            case FAST -> {
                GeneticSearch.Found fast = genetic(network, baselines, pool, budget, limits.seed());
                yield bounded(network, simulator, budget, fast.circuits());
            }
            case TOPOLOGY -> {
                GeneticSearch.Found fast = genetic(network, baselines, pool, budget, limits.seed());
                Found start = bounded(network, simulator, budget, fast.circuits());
                FairSearch.Found fair = new FairSearch(network, pool, budget, start.circuits, start.seconds).search();
                yield new Found(fair.circuits(), fair.seconds(), Math.max(start.bound, fair.lowerBound()));
            }
        };
    }

    private static GeneticSearch.Found genetic(
            FlowNetwork network, Baselines baselines, SimulatorPool pool, Budget budget, long seed) {
        List<int[]> starts = new ArrayList<>(
                List.of(baselines.proportional(), baselines.squareRoot(), baselines.iterativeHalving()));
        for (double exponent : STARTING_EXPONENTS) {
            starts.add(baselines.power(exponent));
        }
        double limit = Arrays.stream(pool.makespans(starts, Rates.FAIR)).min().orElseThrow();
        int[] most = CircuitBounds.estimate(network, TimeWindows.of(network, limit), budget);
        return new GeneticSearch(network, pool, budget, most, seed).search(starts);
    }

    /** A topology under fair rates beside the bound for any rates. */
    private static Found bounded(FlowNetwork network, Simulator simulator, Budget budget, int[] circuits) {
        double seconds = simulator.makespan(circuits, Rates.FAIR);
        double bound =
                new JointSearch(network, simulator, budget).search(circuits).lowerBound();
        return new Found(circuits, seconds, Math.min(seconds, bound));
    }
}
