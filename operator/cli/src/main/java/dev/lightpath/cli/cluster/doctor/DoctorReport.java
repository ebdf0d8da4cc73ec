package dev.lightpath.cli.cluster.doctor;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.lightpath.cli.Answer;
import dev.lightpath.console.text.Table;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** All checks of one run, in the order in which a person should mend what they found. */
record DoctorReport(List<Diagnosis> checks) {
    DoctorReport {
        checks = List.copyOf(checks);
    }

    /** The worst of all. */
    @JsonProperty
    Level result() {
        return checks.stream()
                .map(Diagnosis::result)
                .max(Comparator.naturalOrder())
                .orElse(Level.ok);
    }

    Answer answer() {
        List<List<String>> rows = new ArrayList<>();
        for (Diagnosis check : checks) {
            if (check.findings().isEmpty()) {
                rows.add(List.of("ok", check.check(), check.seen()));
            }
            for (Finding finding : check.findings()) {
                rows.add(List.of(
                        finding.level().name(),
                        check.check(),
                        finding.where() + ": " + finding.what() + "; " + finding.todo()));
            }
        }
        return new Answer(
                this, Table.of(List.of("RESULT", "CHECK", "SEEN"), rows).withNotes(List.of("", summary())));
    }

    private String summary() {
        long wrong = count(Level.wrong);
        long warnings = count(Level.warning);
        return wrong == 0 && warnings == 0
                ? "all " + checks.size() + " checks are ok"
                : wrong + " wrong, " + warnings + " with warnings, " + count(Level.ok) + " ok";
    }

    private long count(Level level) {
        return checks.stream().filter(check -> check.result() == level).count();
    }
}
