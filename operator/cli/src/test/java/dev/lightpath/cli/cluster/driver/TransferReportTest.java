package dev.lightpath.cli.cluster.driver;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lightpath.console.text.BadInput;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The second run of a transfer, while the agents that the first one missed are still away. */
class TransferReportTest {
    private static final String OLD = "old-cluster/ring-a";
    private static final String OWN = "new-cluster/ring-a";

    private static TransferReport report(SortedMap<String, String> away) {
        return new TransferReport(
                "ring-a", OWN, 1, 0, List.of(new TransferReport.Holding("n0:9440", OWN, 1, 1, 1)), away);
    }

    @Test
    void doesNotSayThatNothingIsLeftWhileAgentsAreAway() {
        TransferReport left = report(new TreeMap<>(Map.of("n1:9440", "driver n1:9440: UNAVAILABLE")));
        assertThatThrownBy(() -> left.refuse(OLD, false))
                .isInstanceOf(BadInput.class)
                .hasMessage("--from: no device is held by '" + OLD + "'; they are held by " + OWN
                        + "; agents that did not answer (1) may hold some: driver n1:9440: UNAVAILABLE");
        TransferReport done = report(new TreeMap<>());
        assertThatThrownBy(() -> done.refuse(OLD, false))
                .isInstanceOf(BadInput.class)
                .hasMessage("--from: no device is held by '" + OLD + "'; they are held by " + OWN);
    }
}
