package dev.lightpath.driver.netconf;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Who changed a switch beside the driver. */
final class ActivitiesTest {
    private static final String ACTIVITY =
            "<activity-log-notification><notification-username>%s</notification-username>"
                    + "<notification-protocol>%s</notification-protocol><notification-activity>%s</notification-activity>"
                    + "</activity-log-notification>";

    private static String told(String password, String event) throws Exception {
        Activities activities = new Activities("admin", said -> said.replace(password, "***"));
        activities.take(
                Xml.read(("<notification><eventTime>2026-01-01T00:00:00Z</eventTime>" + event + "</notification>")
                        .getBytes(StandardCharsets.UTF_8)));
        return String.join("; ", activities.take());
    }

    @ParameterizedTest
    @CsvSource({
        "lab, TL1, set hunter2 in the candidate, user 'lab' by TL1: set *** in the candidate",
        "hunter2, NETCONF, OXC, user '***' by NETCONF: OXC",
    })
    void aPasswordInThemIsToldToNobody(String user, String protocol, String activity, String line) throws Exception {
        assertThat(told("hunter2", ACTIVITY.formatted(user, protocol, activity)))
                .isEqualTo(line);
        assertThat(told(
                        "hunter2",
                        "<aps-notification><notification-details>hunter2</notification-details></aps-notification>"))
                .isEqualTo("the switch itself, which protects circuits: ***");
        assertThat(told(
                        "hunter2",
                        "<netconf-config-change><username>lab</username><edit><target>/cross-connects/hunter2</target>"
                                + "<operation>create</operation></edit></netconf-config-change>"))
                .isEqualTo("user 'lab' by NETCONF: create /cross-connects/***");
    }

    /** Else what somebody else did would be read late. */
    @ParameterizedTest
    @CsvSource({
        "admin, admin, true",
        "admin, lab, false",
        "lab, admin, false",
    })
    void aNotificationIsOfTheDriverAloneIfAllOfItsEventsAre(String first, String second, boolean own) throws Exception {
        Activities activities = new Activities("admin", said -> said);
        String events = ACTIVITY.formatted(first, "NETCONF", "OXC") + ACTIVITY.formatted(second, "NETCONF", "OXC");

        boolean isOwn = activities.take(
                Xml.read(("<notification>" + events + "</notification>").getBytes(StandardCharsets.UTF_8)));

        assertThat(isOwn).isEqualTo(own);
    }

    /** A driver with a password that is part of its user's name would else report itself. */
    @ParameterizedTest
    @CsvSource({"admin", "adm", "NETCONF"})
    void whatTheDriverDoesIsItsOwnWhateverThePasswordIs(String password) throws Exception {
        assertThat(told(password, ACTIVITY.formatted("admin", "NETCONF", "OXC")))
                .isEmpty();
    }
}
