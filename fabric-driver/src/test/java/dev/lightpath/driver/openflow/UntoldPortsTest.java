package dev.lightpath.driver.openflow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.driver.adapter.PortLayout;
import dev.lightpath.driver.config.AdapterConfig.OpenFlowSwitchConfig;
import dev.lightpath.driver.session.ToldOnce;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the device says by itself while it is asked for all ports. */
final class UntoldPortsTest {
    private static final List<Integer> WITHOUT_3 = List.of(1, 2, 4, 5, 6, 7, 8);
    private static final List<Integer> ALL = List.of(1, 2, 3, 4, 5, 6, 7, 8);

    private final UntoldPorts untold = new UntoldPorts(
            new OpenFlowSwitchConfig("ovs", 1, "4x4", "ovs", Duration.ofSeconds(1)),
            new PortLayout(4, 4),
            new ToldOnce());

    private boolean has(int port) {
        return untold.has(new Flow.Way(port, port));
    }

    @Test
    void newsOfAPortDoNotHideThatAnotherIsMissing() {
        long asked = untold.news();
        untold.heard(5, false);
        assertThat(untold.after(WITHOUT_3, asked)).contains("no port 3,");
        assertThat(has(3)).isTrue();
        assertThat(has(5)).isFalse();
    }

    @Test
    void newsOverruleTheAnswerForTheirPort() {
        long asked = untold.news();
        untold.heard(5, true);
        assertThat(untold.after(WITHOUT_3, asked)).contains("no port 3, 5,");
        assertThat(has(3)).isTrue();
        assertThat(has(5)).isTrue();
        untold.heard(3, false);
        untold.heard(5, false);
        assertThat(untold.after(WITHOUT_3, asked)).isEmpty();
        assertThat(has(3)).isFalse();
        assertThat(has(5)).isFalse();
    }

    @Test
    void anAnswerOverrulesWhatWasHeardBefore() {
        untold.heard(5, true);
        untold.heard(3, false);
        assertThat(untold.after(WITHOUT_3, untold.news())).contains("no port 3,");
        assertThat(has(3)).isTrue();
        assertThat(has(5)).isFalse();
    }

    /** Such as the one that a switch has for itself. */
    @Test
    void portsBeyondTheSizeAreNoNews() {
        long asked = untold.news();
        untold.heard(0, true);
        untold.heard(9, true);
        untold.heard(0xFFFFFFFE, true);
        assertThat(untold.after(ALL, asked)).isEmpty();
        assertThat(has(9)).isFalse();
        assertThat(has(0)).isFalse();
        assertThat(has(0xFFFFFFFE)).isFalse();
    }
}
