package dev.lightpath.driver.gnmi;

import com.github.gnmi.proto.Notification;
import com.github.gnmi.proto.TypedValue;
import com.github.gnmi.proto.Update;
import com.google.protobuf.ByteString;
import dev.lightpath.driver.session.LostException;
import dev.lightpath.fuzz.Fuzz;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** What a device answers by gNMI. */
final class RowsFuzzTest {
    static List<Notification> answer(byte[] json) {
        return List.of(Notification.newBuilder()
                .addUpdate(
                        Update.newBuilder().setVal(TypedValue.newBuilder().setJsonIetfVal(ByteString.copyFrom(json))))
                .build());
    }

    @Test
    void tables() throws Exception {
        Fuzz.read("gnmi-rows", Fuzz.texts(RowsTest.CIRCUITS, RowsTest.PORTS), LostException.class, bytes -> {
            Map<String, Map<String, String>> rows = new TreeMap<>();
            Rows.read(
                    answer(bytes),
                    "OCS_PORT_LIST",
                    row -> rows.put(
                            PortName.read(row.getOrDefault("simplex_port_id", ""), "a port")
                                    .toString(),
                            row));
            OcsPorts ports = OcsPorts.of(List.of("1A", "2A", "1B", "2B"), "");
            var unused = new PortReport(ports).of(rows);
            Rows.read(answer(bytes), "OCS_CROSS_CONNECT_LIST", row -> {
                var unusedPort = ports.known(row.getOrDefault("a_side", ""), "a cross-connect");
            });
        });
    }
}
