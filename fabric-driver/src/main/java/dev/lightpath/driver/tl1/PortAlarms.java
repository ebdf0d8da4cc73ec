package dev.lightpath.driver.tl1;

import dev.lightpath.driver.session.StandingAlarms;
import dev.lightpath.proto.driver.v1alpha1.Alarm;
import dev.lightpath.proto.driver.v1alpha1.PortStatus;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The reports {@code REPT ALM PORT} of a device (GR-833). Those of other things than ports are not understood. */
final class PortAlarms {
    private static final Set<String> VERBS = Set.of("REPT ALM PORT", "REPT ALM OPT");
    /** {@code 17:CR,LOS,SA,...}: where, how severe (CL: it is over), and what. */
    private static final Pattern ALARM = Pattern.compile("([A-Za-z0-9_.-]{1,32})(?:,[^:,]*)?:([A-Z]{2}),([^,:]+).*");

    private final StandingAlarms standing;

    PortAlarms(StandingAlarms standing) {
        this.standing = standing;
    }

    /** A session begins. */
    void begin() {
        standing.begin();
    }

    /** Takes a report; others than alarms of ports change nothing. */
    void take(Message.Report report) {
        if (!VERBS.contains(report.verb())) {
            return;
        }
        for (String line : report.lines()) {
            Matcher alarm = ALARM.matcher(line);
            if (!alarm.matches()) {
                continue;
            }
            String port = alarm.group(1);
            String severity = alarm.group(2);
            String what = MessageReader.oneLine(alarm.group(3));
            String key = port + " " + what;
            if (severity.equals("CL")) {
                standing.clear(key, port, Optional.empty());
            } else {
                boolean warning = !severity.equals("CR") && !severity.equals("MJ");
                standing.raise(key, port, warning, "REPT ALM " + severity + " " + what, Optional.empty());
            }
        }
    }

    /**
     * Those that stand at ports that the device has.
     *
     * @param read the ports as they are now; empty: they were not read
     */
    List<Alarm> all(Set<String> ports, List<PortStatus> read) {
        return standing.all(read).stream()
                .filter(alarm -> ports.contains(alarm.getWhere()))
                .toList();
    }
}
