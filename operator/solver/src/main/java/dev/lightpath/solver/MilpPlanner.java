package dev.lightpath.solver;

import dev.lightpath.planner.delta.Algorithm;
import dev.lightpath.planner.delta.DeltaPlanner;
import dev.lightpath.planner.delta.DeltaSolution;
import dev.lightpath.planner.delta.Goal;
import dev.lightpath.planner.delta.model.DeltaInstance;
import dev.lightpath.planner.delta.model.Topology;
import dev.lightpath.planner.delta.search.IntervalPruning;
import dev.lightpath.planner.delta.search.SearchLimits;
import dev.lightpath.planner.delta.simulation.Schedule;
import dev.lightpath.planner.delta.simulation.Simulator;
import java.time.Duration;

/**
 * Solves the paper's MILPs (Eqs. 3 to 18, Appendix A) with a hot start from DELTA-Fast; a cross-check on small
 * instances, never the way to production. Anytime: what the solver has when its time ends is the answer, and never one
 * that is worse than the hot start.
 */
public final class MilpPlanner {
    /** Tasks with successors keep the intervals of the baseline, as Algorithm 1 says. */
    private static final int ANCHOR_SLACK = 0;

    private static final int FIXED_STEP_SLICES = 96;
    private static final long FAST_NODES = 20_000;
    private static final double MILP_TOLERANCE = 1e-6;

    /** Part of the time that is kept back for the solver's way out of its search. */
    private static final int MARGIN_DIVISOR = 10;

    private static final Duration LONGEST_MARGIN = Duration.ofSeconds(1);

    private final MilpProcess process;

    MilpPlanner(MilpProcess process) {
        this.process = process;
    }

    /** A planner whose solver runs in a child with the same Java and class path. */
    public MilpPlanner() {
        this(MilpProcess.likeThis());
    }

    /**
     * Asks a MILP. Figures of the answer are seconds; the time is exponential in the number of tasks, which is why it
     * has a limit.
     *
     * @param minimizePorts whether a second program saves ports (Eq. 4) within (1 + tolerance) of the first one's
     *     makespan; not with {@link Formulation#FIXED_STEP}
     * @param portTolerance relative, 0 or more
     * @param limit of the whole answer; the search of the solver ends a little earlier, and a solver that does not end
     *     is killed a few seconds later
     * @param limits of the searches before it; its nodes also bound those of the solver
     * @throws dev.lightpath.planner.delta.search.InfeasibleBudget when one circuit per active pair does not fit the
     *     ports
     */
    public MilpAnswer solve(
            DeltaInstance instance,
            Formulation formulation,
            boolean minimizePorts,
            double portTolerance,
            Duration limit,
            SearchLimits limits) {
        Deadline deadline = Deadline.in(limit);
        DeltaSolution fast =
                new DeltaPlanner().solve(instance, Goal.shortest(Algorithm.FAST), limits.withNodes(FAST_NODES));
        Algorithm counterpart = formulation.counterpart();
        Goal goal = minimizePorts ? Goal.fewestPorts(counterpart, portTolerance) : Goal.shortest(counterpart);
        Yardstick yardstick = Yardstick.of(instance, goal, limits.withNodes(Math.min(FAST_NODES, limits.nodes())));
        if (deadline.isOver()) {
            return new MilpAnswer.None(yardstick.measure(fast.topology()), reason(new MilpOutcome.Undecided()));
        }
        return switch (formulation) {
            case FIXED_STEP -> fixedStep(instance, fast, yardstick, deadline, limits);
            case JOINT, TOPOLOGY -> intervals(instance, formulation, fast, yardstick, deadline, limits);
        };
    }

    private MilpAnswer intervals(
            DeltaInstance instance,
            Formulation formulation,
            DeltaSolution fast,
            Yardstick yardstick,
            Deadline deadline,
            SearchLimits limits) {
        Schedule baseline = new Simulator(instance)
                .simulate(fast.topology(), formulation.counterpart().rates());
        IntervalPruning windows = IntervalPruning.of(instance, baseline, ANCHOR_SLACK);
        boolean fair = formulation == Formulation.TOPOLOGY;
        IntervalFormulation shortest = new IntervalFormulation(instance, windows, baseline, fast.topology(), fair);
        DeltaSolution best = yardstick.measure(fast.topology());
        MilpOutcome outcome = ask(shortest.program(), Backend.SCIP, deadline, limits);
        if (!(outcome instanceof MilpOutcome.Solved solved)) {
            return new MilpAnswer.None(best, reason(outcome));
        }
        best = shorter(best, yardstick.measure(shortest.topology(solved)));
        double objective = shortest.seconds(solved.objective());
        boolean closed = solved.optimal();
        Goal goal = yardstick.goal();
        if (goal.minimizePorts()) {
            IntervalFormulation fewest = new IntervalFormulation(instance, windows, baseline, fast.topology(), fair);
            double tolerance = goal.portTolerance() + MILP_TOLERANCE;
            fewest.minimizePorts(objective * (1 + tolerance));
            if (ask(fewest.program(), Backend.SCIP, deadline, limits) instanceof MilpOutcome.Solved saved) {
                DeltaSolution fewer = yardstick.measure(fewest.topology(saved));
                closed &= saved.optimal();
                if (fewer.ports() < best.ports()
                        && fewer.makespanSeconds() <= best.makespanSeconds() * (1 + tolerance)) {
                    best = fewer;
                }
            } else {
                closed = false;
            }
        }
        return new MilpAnswer.Found(
                best,
                objective,
                shortest.seconds(solved.bound()),
                closed,
                shortest.program().variables().size());
    }

    private MilpAnswer fixedStep(
            DeltaInstance instance, DeltaSolution fast, Yardstick yardstick, Deadline deadline, SearchLimits limits) {
        // Rounding every delay up lengthens the paths, so the horizon is twice the makespan of DELTA-Fast.
        double slice = fast.makespanSeconds() / FIXED_STEP_SLICES;
        FixedStepFormulation formulation = new FixedStepFormulation(instance, 2 * FIXED_STEP_SLICES, slice);
        MilpOutcome outcome = ask(formulation.program(), Backend.CP_SAT, deadline, limits);
        DeltaSolution hotStart = yardstick.measure(fast.topology());
        if (!(outcome instanceof MilpOutcome.Solved solved)) {
            return new MilpAnswer.None(hotStart, reason(outcome));
        }
        Topology topology = formulation.topology(solved);
        return new MilpAnswer.Found(
                shorter(hotStart, yardstick.measure(topology)),
                formulation.seconds(solved.objective()),
                formulation.seconds(solved.bound()),
                solved.optimal(),
                formulation.program().variables().size());
    }

    private MilpOutcome ask(MixedIntegerProgram program, Backend backend, Deadline deadline, SearchLimits limits) {
        Duration left = deadline.left();
        Duration margin = left.dividedBy(MARGIN_DIVISOR);
        Duration time = left.minus(margin.compareTo(LONGEST_MARGIN) < 0 ? margin : LONGEST_MARGIN);
        return process.solve(new MilpQuestion(program, backend, time, limits.nodes()), limits.stop());
    }

    private static DeltaSolution shorter(DeltaSolution hotStart, DeltaSolution found) {
        return found.makespanSeconds() <= hotStart.makespanSeconds() ? found : hotStart;
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
