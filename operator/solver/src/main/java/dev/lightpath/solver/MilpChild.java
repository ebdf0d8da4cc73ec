package dev.lightpath.solver;

import com.google.ortools.Loader;
import com.google.ortools.linearsolver.MPConstraint;
import com.google.ortools.linearsolver.MPObjective;
import com.google.ortools.linearsolver.MPSolver;
import com.google.ortools.linearsolver.MPSolverParameters;
import com.google.ortools.linearsolver.MPVariable;
import com.google.ortools.sat.CpModel;
import com.google.ortools.sat.CpSolver;
import com.google.ortools.sat.CpSolverStatus;
import com.google.ortools.sat.IntVar;
import com.google.ortools.sat.LinearExpr;
import com.google.ortools.sat.LinearExprBuilder;
import com.google.ortools.util.Domain;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The process that loads the native library. It reads the question from one file and writes the outcome to another. A
 * crash ends only this process. Both solvers search on one thread, so that a program has one answer.
 */
public final class MilpChild {
    private static final long LARGEST_CP_SAT_BOUND = 1L << 40;

    private MilpChild() {}

    /**
     * Answers one question; the end of standard input requests the best answer so far.
     *
     * @param arguments the file with the question, and the file that takes the outcome
     */
    public static void main(String[] arguments) throws IOException {
        long start = System.nanoTime();
        MilpQuestion question;
        try (DataInputStream in =
                new DataInputStream(new BufferedInputStream(Files.newInputStream(Path.of(arguments[0]))))) {
            question = MilpQuestion.read(in);
        }
        Deadline deadline = new Deadline(start + question.limit().toNanos());
        Loader.loadNativeLibraries();
        MilpOutcome outcome = switch (question.backend()) {
            case SCIP -> scip(question.program(), question.nodes(), deadline);
            case CP_SAT -> cpSat(question.program(), question.nodes(), deadline);
        };
        try (DataOutputStream out =
                new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(Path.of(arguments[1]))))) {
            Outcomes.write(out, outcome);
        }
    }

    private static MilpOutcome scip(MixedIntegerProgram program, long nodes, Deadline deadline) {
        MPSolver solver = MPSolver.createSolver("SCIP");
        List<MPVariable> variables = new ArrayList<>();
        List<MPVariable> hinted = new ArrayList<>();
        List<Double> hints = new ArrayList<>();
        for (MixedIntegerProgram.Variable variable : program.variables()) {
            MPVariable made =
                    solver.makeVar(variable.low(), variable.high(), variable.integer(), "v" + variables.size());
            variables.add(made);
            if (!Double.isNaN(variable.hint())) {
                hinted.add(made);
                hints.add(variable.hint());
            }
        }
        int number = 0;
        for (MixedIntegerProgram.Constraint constraint : program.constraints()) {
            MPConstraint made = solver.makeConstraint(constraint.low(), constraint.high(), "c" + number++);
            MixedIntegerProgram.Terms terms = constraint.terms();
            for (int i = 0; i < terms.size(); i++) {
                MPVariable variable = variables.get(terms.variable(i));
                made.setCoefficient(variable, made.getCoefficient(variable) + terms.factor(i));
            }
        }
        MPObjective objective = solver.objective();
        MixedIntegerProgram.Terms goal = program.objective();
        for (int i = 0; i < goal.size(); i++) {
            objective.setCoefficient(variables.get(goal.variable(i)), goal.factor(i));
        }
        objective.setMinimization();
        if (!hinted.isEmpty()) {
            solver.setHint(
                    hinted.toArray(MPVariable[]::new),
                    hints.stream().mapToDouble(Double::doubleValue).toArray());
        }
        MPSolverParameters parameters = new MPSolverParameters();
        parameters.setDoubleParam(MPSolverParameters.DoubleParam.RELATIVE_MIP_GAP, 1e-9);
        solver.setSolverSpecificParametersAsString("limits/totalnodes = " + nodes + "\n");
        Interruption.atEndOf(System.in, solver::interruptSolve);
        solver.setTimeLimit(deadline.left().toMillis());
        MPSolver.ResultStatus status = solver.solve(parameters);
        return switch (status) {
            case OPTIMAL, FEASIBLE ->
                new MilpOutcome.Solved(
                        status == MPSolver.ResultStatus.OPTIMAL,
                        objective.value(),
                        objective.bestBound(),
                        variables.stream().map(MPVariable::solutionValue).toList());
            case INFEASIBLE -> new MilpOutcome.Infeasible();
            case UNBOUNDED, ABNORMAL, MODEL_INVALID, NOT_SOLVED -> new MilpOutcome.Undecided();
        };
    }

    private static MilpOutcome cpSat(MixedIntegerProgram program, long nodes, Deadline deadline) {
        CpModel model = new CpModel();
        List<IntVar> variables = new ArrayList<>();
        for (MixedIntegerProgram.Variable variable : program.variables()) {
            IntVar made = model.newIntVar((long) variable.low(), (long) variable.high(), "v" + variables.size());
            variables.add(made);
            if (!Double.isNaN(variable.hint())) {
                model.addHint(made, Math.round(variable.hint()));
            }
        }
        for (MixedIntegerProgram.Constraint constraint : program.constraints()) {
            long low = (long) Math.max(-LARGEST_CP_SAT_BOUND, Math.ceil(constraint.low()));
            long high = (long) Math.min(LARGEST_CP_SAT_BOUND, Math.floor(constraint.high()));
            model.addLinearExpressionInDomain(sum(constraint.terms(), variables), new Domain(low, high));
        }
        model.minimize(sum(program.objective(), variables));
        CpSolver solver = new CpSolver();
        solver.getParameters().setNumWorkers(1);
        solver.getParameters().setMaxNumberOfConflicts(nodes);
        Interruption.atEndOf(System.in, solver::stopSearch);
        solver.getParameters().setMaxTimeInSeconds(deadline.left().toMillis() / 1000.0);
        CpSolverStatus status = solver.solve(model);
        return switch (status) {
            case OPTIMAL, FEASIBLE ->
                new MilpOutcome.Solved(
                        status == CpSolverStatus.OPTIMAL,
                        solver.objectiveValue(),
                        solver.bestObjectiveBound(),
                        variables.stream().map(v -> (double) solver.value(v)).toList());
            case INFEASIBLE -> new MilpOutcome.Infeasible();
            case UNKNOWN, MODEL_INVALID, UNRECOGNIZED -> new MilpOutcome.Undecided();
        };
    }

    private static LinearExpr sum(MixedIntegerProgram.Terms terms, List<IntVar> variables) {
        LinearExprBuilder sum = LinearExpr.newBuilder();
        for (int i = 0; i < terms.size(); i++) {
            sum.addTerm(variables.get(terms.variable(i)), Math.round(terms.factor(i)));
        }
        return sum.build();
    }
}
