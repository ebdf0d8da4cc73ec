package dev.lightpath.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lightpath.cli.BadInput;
import dev.lightpath.planner.fault.Subject;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FaultNameTest {
    @Test
    void namesWhatStatusesNameAndSwitches() {
        assertThat(FaultName.parse("n3")).isEqualTo(new Subject.OfNode("n3"));
        assertThat(FaultName.parse("node/n3")).isEqualTo(new Subject.OfNode("n3"));
        assertThat(FaultName.parse("device/n3")).isEqualTo(new Subject.OfDevice("n3"));
        assertThat(FaultName.parse("port/n3/b0.path1")).isEqualTo(new Subject.OfPort("n3", "b0.path1"));
        assertThat(FaultName.parse("switch/ocs-3")).isEqualTo(new Subject.OfDevice("ocs-3"));
        assertThat(FaultName.parse("osw/ocs-3/17")).isEqualTo(new Subject.OfPort("ocs-3", "17"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "node/", "switch//17", "port/n3", "node/n3/b0", "pod/n3", "switch/ocs-3/17/18"})
    void refusesOtherWordsInOneLine(String text) {
        assertThatThrownBy(() -> FaultName.parse(text))
                .isInstanceOf(BadInput.class)
                .hasMessage("'" + text + "': allowed is node/NAME, device/NODE, port/NODE/BUNDLE (b0, b0.path1 ...),"
                        + " switch/NAME or switch/NAME/PORT");
    }
}
