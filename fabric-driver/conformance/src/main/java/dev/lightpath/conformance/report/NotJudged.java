package dev.lightpath.conformance.report;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** What a run left out for want of an option: exit code 0 says nothing of it. */
public final class NotJudged {
    private static final List<String> OPTIONS = List.of("--restart-command", "--fault-command");

    private NotJudged() {}

    /** One line that names chapters and options; empty when no option was wanting. */
    public static Optional<String> of(List<Finding> findings) {
        Map<String, Integer> chapters = new TreeMap<>();
        TreeSet<String> wanting = new TreeSet<>();
        for (Finding finding : findings) {
            if (finding.verdict() instanceof Verdict.Skipped(String why)) {
                List<String> options = OPTIONS.stream().filter(why::contains).toList();
                if (!options.isEmpty()) {
                    chapters.merge(finding.requirement().chapter(), 1, Integer::sum);
                    wanting.addAll(options);
                }
            }
        }
        if (chapters.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of("NOT JUDGED for want of " + String.join(" and ", wanting.descendingSet()) + ": "
                + chapters.entrySet().stream()
                        .map(e -> e.getValue() + " of " + e.getKey())
                        .collect(Collectors.joining(", "))
                + "; a driver is not known to conform without it");
    }
}
