package dev.lightpath.driver.tl1;

import dev.lightpath.driver.session.StandingAlarms;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The reports {@code REPT ALM} of ports (GR-833). */
final class PortAlarms {
    /** {@code 17:CR,LOS,SA,...}: where, how severe (CL: it is over), and what. */
    private static final Pattern ALARM = Pattern.compile("([^:,]+):([A-Z]{2}),([^,:]+).*");

    private PortAlarms() {}

    /** Takes a report; others than alarms change nothing. */
    static void take(Message.Report report, StandingAlarms standing) {
        if (!report.verb().startsWith("REPT ALM")) {
            return;
        }
        for (String line : report.lines()) {
            Matcher alarm = ALARM.matcher(line);
            if (!alarm.matches()) {
                continue;
            }
            String port = MessageReader.oneLine(alarm.group(1));
            String severity = alarm.group(2);
            String what = MessageReader.oneLine(alarm.group(3));
            String key = port + " " + what;
            if (severity.equals("CL")) {
                standing.clear(key);
            } else {
                boolean warning = !severity.equals("CR") && !severity.equals("MJ");
                standing.raise(key, port, warning, "REPT ALM " + severity + " " + what);
            }
        }
    }
}
