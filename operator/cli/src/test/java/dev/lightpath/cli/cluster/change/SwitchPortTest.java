package dev.lightpath.cli.cluster.change;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lightpath.console.text.BadInput;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SwitchPortTest {
    @Test
    void meansASwitchOrOneOfItsPorts() {
        assertThat(SwitchPort.parse("ocs-3")).isEqualTo(new SwitchPort("ocs-3", Optional.empty()));
        assertThat(SwitchPort.parse("switch/ocs-3")).isEqualTo(new SwitchPort("ocs-3", Optional.empty()));
        assertThat(SwitchPort.parse("osw/ocs-3/17")).isEqualTo(new SwitchPort("ocs-3", Optional.of("17")));
        assertThat(SwitchPort.parse("switch/ocs-3/1/1/7")).isEqualTo(new SwitchPort("ocs-3", Optional.of("1/1/7")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"node/n3/b0", "switch//17", "switch/ocs-3/"})
    void refusesWhatIsNone(String text) {
        assertThatThrownBy(() -> SwitchPort.parse(text))
                .isInstanceOf(BadInput.class)
                .hasMessage("'" + text + "': allowed is switch/NAME or switch/NAME/PORT");
    }
}
