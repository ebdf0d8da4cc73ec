package dev.lightpath.driver.tl1;

import dev.lightpath.driver.session.LostException;
import dev.lightpath.driver.session.StandingAlarms;
import dev.lightpath.fuzz.Fuzz;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.time.Clock;
import org.junit.jupiter.api.Test;

/** What a device sends by TL1. */
final class MessageFuzzTest {
    @Test
    void messages() throws Exception {
        Fuzz.read(
                "tl1-messages",
                Fuzz.texts(MessageReaderTest.PATCHES, MessageReaderTest.ALARM),
                LostException.class,
                bytes -> {
                    try {
                        MessageReader reader = new MessageReader(new ByteArrayInputStream(bytes));
                        while (true) {
                            if (reader.read() instanceof Message.Report report) {
                                new PortAlarms(new StandingAlarms(Clock.systemUTC())).take(report);
                            }
                        }
                    } catch (EOFException end) {
                        // all of it was read
                    }
                });
    }
}
