package dev.lightpath.console.forecast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lightpath.console.text.BadInput;
import dev.lightpath.planner.fault.Subject;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FaultNameTest {
    @Test
    void namesWhatStatusesNameAndSwitches() {
        says("n3", FaultName.Type.NODE, new Subject.OfNode("n3"));
        says("node/n3", FaultName.Type.NODE, new Subject.OfNode("n3"));
        says("device/n3", FaultName.Type.DEVICE, new Subject.OfDevice("n3"));
        says("port/n3/b0.path1", FaultName.Type.PORT, new Subject.OfPort("n3", "b0.path1"));
        says("switch/ocs-3", FaultName.Type.SWITCH, new Subject.OfDevice("ocs-3"));
        says("osw/ocs-3/17", FaultName.Type.SWITCH, new Subject.OfPort("ocs-3", "17"));
    }

    private static void says(String text, FaultName.Type type, Subject subject) {
        assertThat(FaultName.parse(text)).isEqualTo(new FaultName(text, type, subject));
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
