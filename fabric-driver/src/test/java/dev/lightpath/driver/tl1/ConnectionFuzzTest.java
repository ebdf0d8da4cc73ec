package dev.lightpath.driver.tl1;

import dev.lightpath.driver.session.LostException;
import dev.lightpath.fuzz.Fuzz;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a Calient switch tells of its connections and ports. */
final class ConnectionFuzzTest {
    @Test
    void connections() throws Exception {
        Fuzz.read("tl1-connections", Fuzz.texts(ConnectionTest.ONE_WAY), LostException.class, bytes -> {
            Fields line = Fields.of(new String(bytes, StandardCharsets.US_ASCII));
            var unusedPorts = new CalientPorts(List.of(line.title()));
            var unusedConnection = Connection.read(line.values(), new CalientPorts(List.of("1.1.1", "1.1.2")));
        });
    }
}
