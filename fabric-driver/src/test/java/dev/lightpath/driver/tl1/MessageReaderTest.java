package dev.lightpath.driver.tl1;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lightpath.driver.adapter.PortLayout;
import dev.lightpath.driver.session.LostException;
import dev.lightpath.driver.session.StandingAlarms;
import dev.lightpath.proto.driver.v1alpha1.AlarmKind;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages as devices send them, and as none should. */
final class MessageReaderTest {
    static final String PATCHES = """

           LAB SWITCH 26-11-28 10:00:00\r
        M  7 COMPLD\r
           "1,17"\r
           "2,18"\r
        ;\r
        """;
    private static final Set<String> PORTS = new HashSet<>(new PortLayout(16, 16).names());

    static final String ALARM = """
           LAB 26-11-28 10:00:00
        *C 12 REPT ALM PORT
           "17:CR,LOS,SA,,,:\\"Optical power\\""
        ;
        """;

    private static final String LONG = "x".repeat(1_000) + "\n";

    private static MessageReader reader(String text) {
        return new MessageReader(new ByteArrayInputStream(text.getBytes(StandardCharsets.ISO_8859_1)));
    }

    private static Message read(String text) throws IOException, LostException {
        return reader(text).read();
    }

    @Test
    void anAnswer() throws Exception {
        assertThat(read(PATCHES)).isEqualTo(new Message.Answer("LAB SWITCH", "7", "COMPLD", List.of("1,17", "2,18")));
    }

    /** What else is said before a message may be long: with time that grew as its square, this took minutes. */
    @Test
    @Timeout(120)
    void linesOfBlanksBeforeAnAnswer() throws Exception {
        String line = "x" + " ".repeat(16_000) + "y\n";
        assertThat(read(line.repeat(250) + PATCHES)).isInstanceOf(Message.Answer.class);
    }

    @Test
    void anAnswerOfADeviceWithoutAName() throws Exception {
        assertThat(read("\r\n   ( nil ) 2026-11-28 10:00:00\r\nM  1 DENY\r\n   PICC\r\n;\r\n"))
                .isEqualTo(new Message.Answer("", "1", "DENY", List.of("PICC")));
    }

    @Test
    void whatATerminalRepeatsIsPassedOver() throws Exception {
        assertThat(read("RTRV-PATCH:\"LAB\"::7:;\r\nIP 7\r\n<" + PATCHES)).isEqualTo(read(PATCHES));
        assertThat(read("< LAB SWITCH 26-11-28 10:00:00\nM 7 COMPLD\n;\n"))
                .isEqualTo(new Message.Answer("LAB SWITCH", "7", "COMPLD", List.of()));
    }

    @Test
    void anAnswerInSeveralBlocks() throws Exception {
        String head = "   LAB 26-11-28 10:00:00\nM  7 COMPLD\n";
        MessageReader reader = reader(head + "   \"1,17\"\n>\n" + head + "   \"2,18\"\n;\n" + PATCHES);
        assertThat(reader.read()).isEqualTo(new Message.Answer("LAB", "7", "COMPLD", List.of("1,17", "2,18")));
        assertThat(reader.read()).isEqualTo(read(PATCHES));
    }

    @Test
    void aReportRaisesAnAlarmAndClearsIt() throws Exception {
        PortAlarms alarms = new PortAlarms(new StandingAlarms(Clock.systemUTC()));
        alarms.take((Message.Report) read(ALARM));
        assertThat(alarms.all(PORTS, List.of())).singleElement().satisfies(alarm -> {
            assertThat(alarm.getWhere()).isEqualTo("17");
            assertThat(alarm.getKind()).isEqualTo(AlarmKind.ALARM_KIND_LOW_POWER);
            assertThat(alarm.getNativeText()).isEqualTo("REPT ALM CR LOS");
        });
        alarms.take((Message.Report) read(ALARM.replace("*C", "A ").replace(":CR,", ":CL,")));
        assertThat(alarms.all(PORTS, List.of())).isEmpty();
    }

    /** Slot 1 is not port 1, and port 33 is not of this device. */
    @Test
    void aReportOfSomethingElseThanAPortOfTheDeviceIsNoAlarmOfAPort() throws Exception {
        PortAlarms alarms = new PortAlarms(new StandingAlarms(Clock.systemUTC()));
        alarms.take((Message.Report) read(ALARM.replace("ALM PORT", "ALM EQPT")));
        alarms.take((Message.Report) read(ALARM.replace("17:", "33:")));
        assertThat(alarms.all(PORTS, List.of())).isEmpty();
    }

    @Test
    void alarmsOfOnePortAreBounded() throws Exception {
        PortAlarms alarms = new PortAlarms(new StandingAlarms(Clock.systemUTC()));
        for (int i = 0; i < 100; i++) {
            alarms.take((Message.Report) read(ALARM.replace("LOS", "LOS" + i)));
        }
        assertThat(alarms.all(PORTS, List.of())).hasSizeLessThan(10);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"HTTP/1.1 400 Bad Request\r\n\r\n", "", "   LAB 26-11-28 10:00:00\nM  7 COMPLD\n   \"1,17\""})
    void anEndWithoutAMessageIsAnEnd(String text) {
        assertThatThrownBy(() -> read(text)).isInstanceOf(EOFException.class);
    }

    @Test
    void whatIsNoMessageIsOneLine() {
        assertThatThrownBy(() -> read("   LAB 26-11-28 10:00:00\nwhat\u0007 is this\n;\n"))
                .isInstanceOf(LostException.class)
                .hasMessage("the device sent 'what? is this' where TL1 says what a message is");
        String head = "   LAB 26-11-28 10:00:00\nM  7 COMPLD\n";
        assertThatThrownBy(() -> read(head + ">\n" + head.replace(" 7 ", " 8 ") + ";\n"))
                .isInstanceOf(LostException.class)
                .hasMessageContaining("another message in the middle of one");
    }

    @Test
    void longAnswersAreBounded() {
        assertThatThrownBy(() -> read("x".repeat(100_000)))
                .isInstanceOf(LostException.class)
                .hasMessageContaining("a line of more than 16384 characters");
        assertThatThrownBy(() -> read(LONG.repeat(4_300)))
                .isInstanceOf(LostException.class)
                .hasMessageContaining("speaks no TL1");
        String head = "   LAB 26-11-28 10:00:00\nM  7 COMPLD\n";
        assertThatThrownBy(() -> read(head + LONG.repeat(4_300) + ";\n"))
                .isInstanceOf(LostException.class)
                .hasMessageContaining("more than 4194304 characters");
        assertThatThrownBy(() -> read((head + LONG + ">\n").repeat(4_300)))
                .isInstanceOf(LostException.class)
                .hasMessageContaining("more than 4194304 characters");
    }
}
