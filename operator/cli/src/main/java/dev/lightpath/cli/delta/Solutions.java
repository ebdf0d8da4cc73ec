package dev.lightpath.cli.delta;

import dev.lightpath.console.text.Table;
import dev.lightpath.planner.delta.DeltaSolution;
import dev.lightpath.planner.delta.Goal;
import dev.lightpath.planner.delta.model.CircuitGroup;
import dev.lightpath.planner.delta.simulation.Rates;
import dev.lightpath.planner.words.Words;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;

/** How an answer of the optimiser is shown. */
final class Solutions {
    private Solutions() {}

    /** JSON knows no NaN: when even an ideal network adds no time, any makespan equal to it scores 1. */
    static double nct(double value) {
        return Double.isNaN(value) ? 1 : value;
    }

    static Map<String, Object> document(String algorithm, DeltaSolution solution) {
        Goal goal = solution.goal();
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("algorithm", algorithm);
        document.put("rates", word(goal.algorithm().rates()));
        document.put("topology", solution.topology().circuits());
        document.put("makespanSeconds", solution.makespanSeconds());
        document.put("lowerBoundSeconds", solution.lowerBoundSeconds());
        document.put("gap", solution.gap());
        document.put("proved", solution.proved());
        document.put("nct", nct(solution.nct()));
        document.put("ports", solution.ports());
        document.put("portBudget", solution.portBudget());
        if (goal.minimizePorts()) {
            document.put("portBound", solution.portBound());
            document.put("portTolerance", goal.portTolerance());
        }
        document.put("claim", claim(solution));
        return document;
    }

    /** Under which rates a figure is given, as {@code --rates} takes it. */
    static String word(Rates rates) {
        return switch (rates) {
            case FAIR -> "fair";
            case JOINT -> "joint";
        };
    }

    /** The pairs of pods that share a decision: {@code 0-1, 4-5 and 14 more}. */
    static String pairs(CircuitGroup group) {
        return Words.first(
                3,
                group.pairs().stream()
                        .map(pair -> pair.first() + "-" + pair.second())
                        .toList());
    }

    /** What {@code proved} says of an answer, or what stays open. */
    static String claim(DeltaSolution solution) {
        Goal goal = solution.goal();
        String under = " under " + word(goal.algorithm().rates()) + " rates";
        if (!goal.minimizePorts()) {
            return solution.proved()
                    ? "no topology within the ports is faster" + under
                    : "not proved the fastest" + under + ": a gap of " + Table.cell(100 * solution.gap())
                            + " % to the bound is open";
        }
        String within = " for an iteration at most " + goal.portTolerance() + " (relative) longer than the ";
        if (solution.proved()) {
            return solution.ports() + " ports are the fewest" + within + "fastest" + under;
        }
        String bound = solution.portBound() == solution.ports()
                ? solution.ports() + " ports are the fewest" + within + "best found" + under
                : "between " + solution.portBound() + " and " + solution.ports() + " ports are the fewest" + within
                        + "best found" + under;
        return bound + "; not proved";
    }

    static Table table(Map<String, Object> document) {
        Object[] facts = document.entrySet().stream()
                .flatMap(entry -> Stream.of(entry.getKey(), entry.getValue()))
                .toArray();
        return Table.facts(facts);
    }
}
