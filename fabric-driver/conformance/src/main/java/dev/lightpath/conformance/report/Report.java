package dev.lightpath.conformance.report;

import java.util.List;

/**
 * All that a run found.
 *
 * @param driver name and version, as the driver says
 * @param device what was tested, in words
 * @param notes what is not as it was found, and other things to know
 */
public record Report(String driver, String endpoint, String device, List<Finding> findings, List<String> notes) {
    public Report {
        findings = List.copyOf(findings);
        notes = List.copyOf(notes);
    }

    public long passed() {
        return findings.stream()
                .filter(f -> f.verdict() instanceof Verdict.Passed)
                .count();
    }

    public long failed() {
        return findings.stream()
                .filter(f -> f.verdict() instanceof Verdict.Failed)
                .count();
    }

    public long skipped() {
        return findings.size() - passed() - failed();
    }

    public boolean isConforming() {
        return failed() == 0;
    }
}
