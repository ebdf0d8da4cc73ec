package dev.lightpath.solver;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Minimise a linear objective over bounded variables under linear constraints. Grows by {@link #variable} and
 * {@link #constraint}; variables and constraints are numbered from 0.
 */
final class MixedIntegerProgram {
    private final List<Variable> variables = new ArrayList<>();
    private final List<Constraint> constraints = new ArrayList<>();
    private Terms objective = new Terms();

    /** @param hint a value to start from, NaN for none */
    record Variable(double low, double high, boolean integer, double hint) {}

    /** low <= terms <= high. */
    record Constraint(double low, double high, Terms terms) {}

    /** A linear expression; a variable may come up several times. */
    static final class Terms {
        private final List<Integer> variables = new ArrayList<>();
        private final List<Double> factors = new ArrayList<>();

        Terms plus(double factor, int variable) {
            variables.add(variable);
            factors.add(factor);
            return this;
        }

        int size() {
            return variables.size();
        }

        int variable(int i) {
            return variables.get(i);
        }

        double factor(int i) {
            return factors.get(i);
        }
    }

    int variable(double low, double high, boolean integer, double hint) {
        variables.add(new Variable(low, high, integer, hint));
        return variables.size() - 1;
    }

    int binary(double hint) {
        return variable(0, 1, true, hint);
    }

    void constraint(double low, double high, Terms terms) {
        constraints.add(new Constraint(low, high, terms));
    }

    void atMost(double high, Terms terms) {
        constraint(Double.NEGATIVE_INFINITY, high, terms);
    }

    void atLeast(double low, Terms terms) {
        constraint(low, Double.POSITIVE_INFINITY, terms);
    }

    void minimize(Terms terms) {
        objective = terms;
    }

    List<Variable> variables() {
        return variables;
    }

    List<Constraint> constraints() {
        return constraints;
    }

    Terms objective() {
        return objective;
    }

    void write(DataOutputStream out) throws IOException {
        out.writeInt(variables.size());
        for (Variable variable : variables) {
            out.writeDouble(variable.low);
            out.writeDouble(variable.high);
            out.writeBoolean(variable.integer);
            out.writeDouble(variable.hint);
        }
        out.writeInt(constraints.size());
        for (Constraint constraint : constraints) {
            out.writeDouble(constraint.low);
            out.writeDouble(constraint.high);
            write(out, constraint.terms);
        }
        write(out, objective);
    }

    static MixedIntegerProgram read(DataInputStream in) throws IOException {
        MixedIntegerProgram program = new MixedIntegerProgram();
        int variables = in.readInt();
        for (int i = 0; i < variables; i++) {
            program.variable(in.readDouble(), in.readDouble(), in.readBoolean(), in.readDouble());
        }
        int constraints = in.readInt();
        for (int i = 0; i < constraints; i++) {
            program.constraint(in.readDouble(), in.readDouble(), readTerms(in));
        }
        program.minimize(readTerms(in));
        return program;
    }

    private static void write(DataOutputStream out, Terms terms) throws IOException {
        out.writeInt(terms.size());
        for (int i = 0; i < terms.size(); i++) {
            out.writeInt(terms.variable(i));
            out.writeDouble(terms.factor(i));
        }
    }

    private static Terms readTerms(DataInputStream in) throws IOException {
        Terms terms = new Terms();
        int size = in.readInt();
        for (int i = 0; i < size; i++) {
            int variable = in.readInt();
            terms.plus(in.readDouble(), variable);
        }
        return terms;
    }
}
