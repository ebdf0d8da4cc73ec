package dev.lightpath.solver;

import dev.lightpath.planner.delta.Algorithm;
import dev.lightpath.planner.delta.DeltaInstance;
import dev.lightpath.planner.delta.DeltaPlanner;
import dev.lightpath.planner.delta.DeltaSolution;
import dev.lightpath.planner.delta.Goal;
import dev.lightpath.planner.delta.IntervalPruning;
import dev.lightpath.planner.delta.NormalizedTime;
import dev.lightpath.planner.delta.Schedule;
import dev.lightpath.planner.delta.SearchLimits;
import dev.lightpath.planner.delta.Simulator;
import dev.lightpath.planner.delta.SolutionVerifier;
import dev.lightpath.planner.delta.Topology;
import java.time.Duration;
import java.util.List;

/** Solves the paper's MILPs with a hot start from DELTA-Fast; a cross-check on small instances, never the way to production. */
public final class MilpPlanner {
    /** Tasks with successors keep the intervals of the baseline, as Algorithm 1 says. */
    private static final int ANCHOR_SLACK = 0;

    private static final int FIXED_STEP_SLICES = 96;
    private static final long FAST_NODES = 20_000;
    private static final double MILP_TOLERANCE = 1e-6;

    private final MilpProcess process;

    MilpPlanner(MilpProcess process) {
        this.process = process;
    }

    /** A planner whose solver runs in a child with the same Java and class path. */
    public MilpPlanner() {
        this(MilpProcess.likeThis());
    }

    /**
     * Asks a MILP.
     *
     * @param minimizePorts whether a second program saves ports within (1 + tolerance) of the first one's makespan; not with
     *     {@link Formulation#FIXED_STEP}
     * @param limit of each program
     * @throws dev.lightpath.planner.delta.InfeasibleBudget when one circuit per active pair does not fit the ports
     */
    public MilpAnswer solve(
            DeltaInstance instance,
            Formulation formulation,
            boolean minimizePorts,
            double portTolerance,
            Duration limit,
            SearchLimits limits) {
        DeltaPlanner exact = new DeltaPlanner();
        DeltaSolution fast = exact.solve(instance, Goal.shortest(Algorithm.FAST), limits.withNodes(FAST_NODES));
        return switch (formulation) {
            case FIXED_STEP -> fixedStep(instance, fast, limit, limits);
            case JOINT, TOPOLOGY -> intervals(instance, formulation, fast, minimizePorts, portTolerance, limit, limits);
        };
    }

    private MilpAnswer intervals(
            DeltaInstance instance,
            Formulation formulation,
            DeltaSolution fast,
            boolean minimizePorts,
            double portTolerance,
            Duration limit,
            SearchLimits limits) {
        Schedule baseline = new Simulator(instance)
                .simulate(fast.topology(), formulation.counterpart().rates());
        IntervalPruning windows = IntervalPruning.of(instance, baseline, ANCHOR_SLACK);
        boolean fair = formulation == Formulation.TOPOLOGY;
        IntervalFormulation shortest = new IntervalFormulation(instance, windows, baseline, fast.topology(), fair);
        MilpOutcome outcome = process.solve(shortest.program(), Backend.SCIP, limit, limits.threads(), limits.stop());
        if (!(outcome instanceof MilpOutcome.Solved solved)) {
            return none(instance, formulation, fast, reason(outcome), limits);
        }
        Topology topology = shortest.topology(solved);
        double objective = shortest.seconds(solved.objective());
        boolean closed = solved.optimal();
        if (minimizePorts) {
            IntervalFormulation fewest = new IntervalFormulation(instance, windows, baseline, fast.topology(), fair);
            fewest.minimizePorts(objective * (1 + portTolerance + MILP_TOLERANCE));
            MilpOutcome second = process.solve(fewest.program(), Backend.SCIP, limit, limits.threads(), limits.stop());
            if (second instanceof MilpOutcome.Solved saved) {
                topology = fewest.topology(saved);
                closed &= saved.optimal();
            }
        }
        return found(
                instance,
                formulation,
                topology,
                objective,
                shortest.seconds(solved.bound()),
                closed,
                shortest.program().variables().size(),
                limits);
    }

    private MilpAnswer fixedStep(DeltaInstance instance, DeltaSolution fast, Duration limit, SearchLimits limits) {
        // Rounding every delay up lengthens the paths, so the horizon is twice the makespan of DELTA-Fast.
        double slice = fast.makespanSeconds() / FIXED_STEP_SLICES;
        FixedStepFormulation formulation = new FixedStepFormulation(instance, 2 * FIXED_STEP_SLICES, slice);
        MilpOutcome outcome =
                process.solve(formulation.program(), Backend.CP_SAT, limit, limits.threads(), limits.stop());
        if (!(outcome instanceof MilpOutcome.Solved solved)) {
            return none(instance, Formulation.FIXED_STEP, fast, reason(outcome), limits);
        }
        return found(
                instance,
                Formulation.FIXED_STEP,
                formulation.topology(solved),
                formulation.seconds(solved.objective()),
                formulation.seconds(solved.bound()),
                solved.optimal(),
                formulation.program().variables().size(),
                limits);
    }

    private static MilpAnswer found(
            DeltaInstance instance,
            Formulation formulation,
            Topology topology,
            double objectiveSeconds,
            double boundSeconds,
            boolean closed,
            int variables,
            SearchLimits limits) {
        DeltaSolution solution = judged(instance, formulation, topology, limits);
        List<String> wrong = SolutionVerifier.violations(instance, solution);
        if (!wrong.isEmpty()) {
            throw new IllegalStateException(formulation + " on " + instance.name() + ": " + String.join("; ", wrong));
        }
        return new MilpAnswer.Found(solution, objectiveSeconds, boundSeconds, closed, variables);
    }

    private static MilpAnswer none(
            DeltaInstance instance, Formulation formulation, DeltaSolution fast, String reason, SearchLimits limits) {
        return new MilpAnswer.None(judged(instance, formulation, fast.topology(), limits), reason);
    }

    /** A topology with its simulated makespan beside the bound of the exact search. */
    private static DeltaSolution judged(
            DeltaInstance instance, Formulation formulation, Topology topology, SearchLimits limits) {
        Algorithm algorithm = formulation.counterpart();
        double makespan = new Simulator(instance).makespanSeconds(topology, algorithm.rates());
        double bound = new DeltaPlanner()
                .solve(instance, Goal.shortest(Algorithm.JOINT), limits)
                .lowerBoundSeconds();
        int ports = SolutionVerifier.ports(instance, topology);
        return new DeltaSolution(
                Goal.shortest(algorithm),
                topology,
                makespan,
                Math.min(bound, makespan),
                makespan - bound <= DeltaSolution.PROOF_TOLERANCE * makespan,
                NormalizedTime.of(instance).nct(makespan),
                ports,
                ports,
                instance.portBudget());
    }

    private static String reason(MilpOutcome outcome) {
        return switch (outcome) {
            case MilpOutcome.Solved solved -> "solved with objective " + solved.objective();
            case MilpOutcome.Infeasible none -> "the program has no solution within its windows";
            case MilpOutcome.Undecided none -> "the limit came before a solution";
            case MilpOutcome.Failed failed -> failed.reason();
        };
    }
}
