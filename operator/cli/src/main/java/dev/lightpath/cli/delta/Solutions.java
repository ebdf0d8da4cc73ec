package dev.lightpath.cli.delta;

import dev.lightpath.cli.Table;
import dev.lightpath.planner.delta.DeltaSolution;
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
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("algorithm", algorithm);
        document.put("topology", solution.topology().circuits());
        document.put("makespanSeconds", solution.makespanSeconds());
        document.put("lowerBoundSeconds", solution.lowerBoundSeconds());
        document.put("gap", solution.gap());
        document.put("proved", solution.proved());
        document.put("nct", nct(solution.nct()));
        document.put("ports", solution.ports());
        document.put("portBudget", solution.portBudget());
        return document;
    }

    static Table table(Map<String, Object> document) {
        Object[] facts = document.entrySet().stream()
                .flatMap(entry -> Stream.of(entry.getKey(), entry.getValue()))
                .toArray();
        return Table.facts(facts);
    }
}
