package dev.lightpath.driver.gnmi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.gnmi.proto.Notification;
import com.github.gnmi.proto.TypedValue;
import com.github.gnmi.proto.Update;
import dev.lightpath.driver.session.LostException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class RowsTest {
    static final String CIRCUITS = """
            {"sonic-ocs:OCS_CROSS_CONNECT": {"OCS_CROSS_CONNECT_LIST": [
              {"cross_connect_id": "1A-2B", "a_side": "1A", "b_side": "2B"},
              {"cross_connect_id": "2A-1B", "a_side": "2A", "b_side": "1B", "a_side_status": "tuned", "b_side_status": "tuning"}
            ]}}
            """;
    static final String PORTS = """
            {"OCS_PORT_LIST": [
              {"simplex_port_id": "1A", "status": "tuned", "target_simplex_port_id": "2B", "more": {"deep": [1, 2]}},
              {"simplex_port_id": "2B", "status": "failed", "connector_pin": 7, "label": null}
            ]}
            """;

    private static List<Map<String, String>> read(String json, String list) throws LostException {
        List<Map<String, String>> rows = new ArrayList<>();
        Rows.read(RowsFuzzTest.answer(json.getBytes(StandardCharsets.UTF_8)), list, rows::add);
        return rows;
    }

    private static void isRefused(String json, String line) {
        assertThatThrownBy(() -> read(json, "L"))
                .isInstanceOf(LostException.class)
                .hasMessageContaining(line);
    }

    @Test
    void findsTheListWhateverIsAroundIt() throws Exception {
        assertThat(read(CIRCUITS, "OCS_CROSS_CONNECT_LIST"))
                .extracting(row -> row.get("cross_connect_id"))
                .containsExactly("1A-2B", "2A-1B");
        assertThat(read(PORTS, "OCS_PORT_LIST"))
                .containsExactly(
                        Map.of("simplex_port_id", "1A", "status", "tuned", "target_simplex_port_id", "2B"),
                        Map.of("simplex_port_id", "2B", "status", "failed", "connector_pin", "7"));
        assertThat(read("{}", "OCS_PORT_LIST")).isEmpty();
    }

    @Test
    void saysInOneLineWhatCannotBeRead() {
        isRefused("[]", "JSON that is no object");
        isRefused("{\"L\":[1]}", "an entry of L is no JSON object");
        isRefused("{} {}", "more than one JSON value");
        isRefused("{\"L\":[{\"a\":", "cannot be read");
        isRefused("{\"L\":[{\"a\":\"1\",\"a\":\"2\"}]}", "cannot be read");
        isRefused("{\"a\":".repeat(100) + "1" + "}".repeat(100), "cannot be read");
        isRefused("{\"L\":[{\"a\":\"" + "x".repeat(100_000) + "\"}]}", "cannot be read");
        StringBuilder wide = new StringBuilder("{\"L\":[{\"a\":1");
        for (int leaf = 0; leaf < 100; leaf++) {
            wide.append(",\"a").append(leaf).append("\":1");
        }
        isRefused(wide + "}]}", "more than 64 leaves");
        isRefused("{\"L\":[" + "{},".repeat(1 << 20) + "{}]}", "more than 1048576 entries");
    }

    @Test
    void takesNoOtherEncoding() {
        List<Notification> text = List.of(Notification.newBuilder()
                .addUpdate(Update.newBuilder().setVal(TypedValue.newBuilder().setStringVal("tuned")))
                .build());
        assertThatThrownBy(() -> Rows.read(text, "L", row -> {}))
                .hasMessage("the device answers with a STRING_VAL where JSON is asked for");
    }

    @Test
    void namesOfPortsAreOrderedAndHaveAModuleOrNone() {
        assertThat(List.of("2-1A", "10A", "2A", "1B", "1A").stream()
                        .map(name -> PortName.of(name).orElseThrow())
                        .sorted())
                .extracting(PortName::toString)
                .containsExactly("1A", "2A", "10A", "2-1A", "1B");
        for (String other : List.of("", "A", "0A", "1C", "1a", "01A", "100000A", "1A-2B", "1-2-3A")) {
            assertThat(PortName.of(other)).as(other).isEmpty();
        }
    }
}
