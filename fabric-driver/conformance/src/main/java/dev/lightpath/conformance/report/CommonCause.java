package dev.lightpath.conformance.report;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/** One cause that most failures name. */
public final class CommonCause {
    private static final int LEAST = 5;
    private static final Map<String, String> HINTS = Map.of(
            "READ_BACK_DIFFERS",
            "what the device took is not what is read back; look at how circuits are read",
            "NOT_SETTLED",
            "moves did not end in time, or the device gave up; look at max_switch_time and at the states it reports",
            "DEVICE_SILENT",
            "the device did not answer; look at the driver's log");

    private CommonCause() {}

    /** One line, if more than half of at least five failures name the same reason. */
    public static Optional<String> of(List<Finding> findings) {
        List<String> failures = findings.stream()
                .map(Finding::verdict)
                .filter(Verdict.Failed.class::isInstance)
                .map(verdict -> ((Verdict.Failed) verdict).seen())
                .toList();
        return HINTS.entrySet().stream()
                .filter(hint -> isCommon(failures, hint.getKey()))
                .sorted(Map.Entry.comparingByKey())
                .map(hint -> count(failures, hint.getKey()) + " of " + failures.size() + " failures say "
                        + hint.getKey() + ": " + hint.getValue())
                .findFirst();
    }

    private static boolean isCommon(List<String> failures, String reason) {
        long count = count(failures, reason);
        return count >= LEAST && 2 * count > failures.size();
    }

    private static long count(List<String> failures, String reason) {
        return failures.stream().filter(seen -> seen.contains(reason)).count();
    }
}
