package dev.lightpath.cli.cluster.doctor;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Comparator;
import java.util.List;

/**
 * What one check found.
 *
 * @param check its name
 * @param seen what there is, for a person
 * @param findings empty when all is well
 */
record Diagnosis(String check, String seen, List<Finding> findings) {
    Diagnosis {
        findings = List.copyOf(findings);
    }

    /** The worst of its findings. */
    @JsonProperty
    Level result() {
        return findings.stream()
                .map(Finding::level)
                .max(Comparator.naturalOrder())
                .orElse(Level.ok);
    }
}
