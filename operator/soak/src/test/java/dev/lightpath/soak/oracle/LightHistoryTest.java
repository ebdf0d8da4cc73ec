package dev.lightpath.soak.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class LightHistoryTest {
    private static final Beam ONE = new Beam("ocs-0", "1", "9");
    private static final Beam SAME_EGRESS = new Beam("ocs-0", "2", "9");
    private static final Beam SAME_INGRESS = new Beam("ocs-0", "1", "10");

    private static LightHistory.Entry lit(Beam beam) {
        return new LightHistory.Entry(beam, true);
    }

    private static LightHistory.Entry dark(Beam beam) {
        return new LightHistory.Entry(beam, false);
    }

    @Test
    void playsTheLogOverTheLightBefore() {
        LightHistory history = LightHistory.of(List.of(ONE), List.of(dark(ONE), lit(SAME_EGRESS)));
        assertThat(history.light()).containsExactly(SAME_EGRESS);
        assertThat(history.darkened()).containsOnlyKeys(ONE);
        assertThat(history.began()).isEqualTo(1);
        assertThat(history.doubled()).isEmpty();
    }

    @Test
    void findsAPortThatTwoCircuitsUsedForAMoment() {
        List<LightHistory.Entry> made = List.of(lit(SAME_EGRESS), dark(ONE));
        assertThat(LightHistory.of(List.of(ONE), made).doubled())
                .singleElement()
                .asString()
                .contains("ocs-0/9 (out)");
        assertThat(LightHistory.of(List.of(), List.of(lit(ONE), lit(SAME_INGRESS), dark(ONE)))
                        .doubled())
                .singleElement()
                .asString()
                .contains("ocs-0/1 (in)");
    }

    @Test
    void takesPortsOfTwoDevicesForTwo() {
        Beam elsewhere = new Beam("ocs-1", "1", "9");
        assertThat(LightHistory.of(List.of(ONE), List.of(lit(elsewhere))).doubled())
                .isEmpty();
    }
}
