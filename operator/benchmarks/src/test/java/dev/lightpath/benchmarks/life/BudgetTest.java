package dev.lightpath.benchmarks.life;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class BudgetTest {
    /** Two jobs at first, and two Nodes that are broken already; a Node fails and is well again; a job goes and another comes. */
    private static final Played PLAYED = Played.of("""
            of 6 moments
            {
              "fromDay" : 30,
              "began" : "2026-01-01T00:00:00Z",
              "moments" : [
                {"atSeconds": 0, "day": 29.9, "event": "the beginning"},
                {"atSeconds": 1, "day": 29.9, "event": "job live-1 arrives (tensor 8, data 1), job live-2 arrives (tensor 8, data 1)"},
                {"atSeconds": 5, "day": 29.95, "event": "node at 3 fails (not ready), node at 4 fails (deleted)"},
                {"atSeconds": 10, "day": 30.1, "event": "node at 7 fails (not ready)"},
                {"atSeconds": 20, "day": 30.2, "event": "node at 7 recovers (not ready)"},
                {"atSeconds": 30, "day": 30.3, "event": "job live-1 leaves (tensor 8, data 1)"},
                {"atSeconds": 40, "day": 30.4, "event": "job live-3 arrives (tensor 8, data 1)"},
                {"atSeconds": 50, "day": 30.5, "event": "the end: all jobs leave, all faults clear"}
              ],
              "findings" : []
            }
            """);

    private final Requests requests = new Requests();

    private void asked(int second, String verb, String resource, String part) throws IOException {
        requests.add(new ObjectMapper().readTree("""
                {"verb": "%s", "objectRef": {"resource": "%s"%s}, "requestReceivedTimestamp": "2026-01-01T00:00:%02d.5Z"}
                """.formatted(
                        verb, resource, part.isEmpty() ? "" : ", \"subresource\": \"" + part + "\"", second)));
    }

    @Test
    void countsForEachFaultAndJobWhatWasAskedUntilTheNextMoment() throws IOException {
        asked(2, "create", "fabricslices", "");
        asked(3, "create", "fabricslices", "");
        asked(6, "patch", "fabricslices", "status");
        asked(12, "patch", "fabricslices", "status");
        asked(25, "patch", "fabricslices", "status");
        asked(33, "patch", "fabricslices", "status");
        asked(55, "patch", "fabricslices", "status");
        asked(12, "update", "leases", "");
        Budget budget = new Budget(requests, PLAYED);
        assertThat(budget.table())
                .contains("each of the first 2 jobs", "each of 1 faults", "each of 1 jobs")
                .contains("| CREATE fabricslices | 1.0 ")
                .containsPattern(
                        "\\| PATCH fabricslices/status \\| 0.0 [^|]*\\| 2.0 [^|]*\\| 1.0 [^|]*\\| [^|]*used 3 \\|")
                .doesNotContain("leases");
        assertThat(budget.over()).isEmpty();
    }

    @Test
    void saysWhatCostsMoreThanItsBudget() throws IOException {
        asked(12, "delete", "nodes", "");
        for (int request = 0; request < 1000; request++) {
            asked(12, "patch", "fabricslices", "status");
        }
        Budget budget = new Budget(requests, PLAYED);
        assertThat(budget.table()).contains("used 1000");
        assertThat(budget.over())
                .anyMatch(line -> line.matches("DELETE nodes of faults and jobs: budget 0, used 1"))
                .anyMatch(line -> line.matches("PATCH fabricslices/status of faults and jobs: budget \\d+, used 1000"));
    }
}
