package dev.lightpath.planner.ocs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.planner.stripe.DeviceKind;
import java.util.List;
import org.junit.jupiter.api.Test;

class WiringCheckTest {
    @Test
    void aFabricHasAtMost1024Switches() {
        assertThat(findings(1024)).noneMatch(finding -> finding.contains("switches"));
        assertThat(findings(1025)).contains("the fabric has 1025 switches: at most 1024");
    }

    private static List<String> findings(int switches) {
        return WiringCheck.findings(OcsWiring.of(Spine.striped(DeviceKind.ANY_TO_ANY, 2, switches, 1)));
    }
}
