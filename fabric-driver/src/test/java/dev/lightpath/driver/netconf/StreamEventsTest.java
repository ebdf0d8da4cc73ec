package dev.lightpath.driver.netconf;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.driver.adapter.PortLayout;
import dev.lightpath.driver.session.StandingAlarms;
import dev.lightpath.proto.driver.v1alpha1.Alarm;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which notifications make the driver read the switch. */
final class StreamEventsTest {
    private static final String RFC6470 = "urn:ietf:params:xml:ns:yang:ietf-netconf-notifications";
    private static final String VENDOR = "http://www.polatis.com/yang/polatis-switch";

    private final StandingAlarms alarms = new StandingAlarms(Clock.systemUTC());
    private final AtomicInteger readings = new AtomicInteger();
    private final StreamEvents events = new StreamEvents(
            new PortLayout(16, 0),
            alarms,
            new Activities("admin", said -> said),
            said -> said.replace("hunter2", "***"),
            readings::incrementAndGet);

    private void hear(String namespace, String name, String content) throws Exception {
        events.accept(Xml.read(("<notification xmlns=\"urn:ietf:params:xml:ns:netconf:notification:1.0\">"
                        + "<eventTime>2026-01-01T00:00:00Z</eventTime><" + name + " xmlns=\"" + namespace + "\">"
                        + content + "</" + name + "></notification>")
                .getBytes(StandardCharsets.UTF_8)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "netconf-session-start",
                "netconf-session-end",
                "netconf-capability-change",
                "netconf-confirmed-commit"
            })
    void sessionsOfOthersAreNoReasonToReadTheSwitch(String name) throws Exception {
        events.areGeneral();
        hear(RFC6470, name, "<username>lab</username>");
        assertThat(readings).hasValue(0);
    }

    @ParameterizedTest
    @CsvSource({
        RFC6470 + ", netconf-config-change",
        VENDOR + ", activity-log-notification",
        VENDOR + ", port-power-alarm",
        OpticalSwitch.NAMESPACE + ", aps-notification"
    })
    void whatMayHaveChangedItIsReadAtOnce(String namespace, String name) throws Exception {
        events.areGeneral();
        hear(namespace, name, "");
        assertThat(readings).hasValue(1);
    }

    @Test
    void everyEventOfTheSwitchsOwnStreamIsAReasonToReadIt() throws Exception {
        hear("http://example.com/others", "surprise", "");
        assertThat(readings).hasValue(1);
    }

    @Test
    void whatTheDriverDidIsItsOwnUntilSomethingElseIsTold() throws Exception {
        String activity = "<notification-username>%s</notification-username>"
                + "<notification-protocol>NETCONF</notification-protocol>";
        assertThat(events.areOwn()).as("nothing was told").isFalse();
        hear(VENDOR, "activity-log-notification", activity.formatted("admin"));
        assertThat(events.areOwn()).isTrue();
        hear(VENDOR, "activity-log-notification", activity.formatted("lab"));
        hear(VENDOR, "activity-log-notification", activity.formatted("admin"));
        assertThat(events.areOwn()).as("somebody else changed it too").isFalse();
        events.beginReading();
        hear(VENDOR, "activity-log-notification", activity.formatted("admin"));
        assertThat(events.areOwn()).as("that was read").isTrue();
        hear(VENDOR, "port-power-alarm", "<port-id>3</port-id>");
        assertThat(events.areOwn()).as("a port is told of, too").isFalse();
        assertThat(readings).hasValue(5);
    }

    @Test
    void aPasswordInTheNameOfAnAlarmIsToldToNobody() throws Exception {
        hear(VENDOR, "port-power-hunter2", "<port-id>3</port-id>");
        assertThat(alarms.all())
                .singleElement()
                .extracting(Alarm::toString)
                .asString()
                .contains("port-power-***")
                .doesNotContain("hunter2");
    }
}
