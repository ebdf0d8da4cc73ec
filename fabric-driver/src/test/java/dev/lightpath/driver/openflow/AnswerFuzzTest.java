package dev.lightpath.driver.openflow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.driver.session.LostException;
import dev.lightpath.fuzz.Fuzz;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** Whatever bytes a device answers with, they are read, or the connection is given up in one line. */
@Isolated("the heap that it measures is that of the whole process")
final class AnswerFuzzTest {
    /** A flow as Open vSwitch tells it. */
    private static byte[] flow(int from, int to) {
        byte[] match = Flow.matchOf(from);
        byte[] instructions = Flow.instructionsTo(to);
        return ByteBuffer.allocate(48 + match.length + instructions.length)
                .putShort((short) (48 + match.length + instructions.length))
                .put((byte) 0)
                .put((byte) 0)
                .putLong(0)
                .putShort((short) 1000)
                .putShort((short) 0)
                .putInt(0)
                .putInt(0)
                .putLong(7)
                .putLong(0)
                .putLong(0)
                .put(match)
                .put(instructions)
                .array();
    }

    @Test
    void aFlowIsReadAsItWasWritten() throws LostException {
        assertThat(Flow.parse(ByteBuffer.wrap(flow(3, 11)))).singleElement().satisfies(flow -> {
            assertThat(flow.way()).isEqualTo(Optional.of(new Flow.Way(3, 11)));
            assertThat(flow.priority()).isEqualTo(1000);
            assertThat(flow.cookie()).isEqualTo(7);
            assertThat(flow.match()).isEqualTo(Flow.matchOf(3));
        });
    }

    @Test
    void flows() throws Exception {
        Fuzz.read("openflow-flows", List.of(flow(1, 9), flow(8, 16)), LostException.class, bytes -> {
            for (Flow flow : Flow.parse(ByteBuffer.wrap(bytes))) {
                var unused = flow.takes(1);
            }
        });
    }

    @Test
    void ports() throws Exception {
        for (int version : new int[] {4, 5}) {
            byte[] port = ByteBuffer.allocate(64)
                    .putInt(3)
                    .putShort((short) (version < 5 ? 0 : 64))
                    .put(34, (byte) 1)
                    .array();
            Fuzz.read("openflow-ports-" + version, List.of(port), LostException.class, bytes -> {
                var unused = PortDescription.parse(ByteBuffer.wrap(bytes), version);
            });
        }
    }
}
