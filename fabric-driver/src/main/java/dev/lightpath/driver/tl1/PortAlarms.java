package dev.lightpath.driver.tl1;

import com.google.protobuf.Timestamp;
import dev.lightpath.proto.driver.v1alpha1.Alarm;
import dev.lightpath.proto.driver.v1alpha1.AlarmKind;
import dev.lightpath.proto.driver.v1alpha1.AlarmSeverity;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The alarms of ports that stand, by the reports {@code REPT ALM} so far (GR-833). */
final class PortAlarms {
    /** {@code 17:CR,LOS,SA,...}: where, how severe (CL: it is over), and what. */
    private static final Pattern ALARM = Pattern.compile("([^:,]+):([A-Z]{2}),([^,:]+).*");

    private final Clock clock;
    private final Map<String, Alarm> standing = new TreeMap<>();

    PortAlarms(Clock clock) {
        this.clock = clock;
    }

    /** Takes a report; others than alarms change nothing. */
    synchronized void take(Message.Report report) {
        if (!report.verb().startsWith("REPT ALM")) {
            return;
        }
        for (String line : report.lines()) {
            Matcher alarm = ALARM.matcher(line);
            if (alarm.matches()) {
                take(MessageReader.oneLine(alarm.group(1)), alarm.group(2), MessageReader.oneLine(alarm.group(3)));
            }
        }
    }

    private void take(String where, String severity, String what) {
        String key = where + " " + what;
        if (severity.equals("CL")) {
            standing.remove(key);
            return;
        }
        boolean critical = severity.equals("CR") || severity.equals("MJ");
        Instant now = clock.instant();
        standing.putIfAbsent(
                key,
                Alarm.newBuilder()
                        .setKind(critical ? AlarmKind.ALARM_KIND_LOW_POWER : AlarmKind.ALARM_KIND_DEGRADED)
                        .setWhere(where)
                        .setSeverity(
                                critical ? AlarmSeverity.ALARM_SEVERITY_CRITICAL : AlarmSeverity.ALARM_SEVERITY_WARNING)
                        .setSince(Timestamp.newBuilder()
                                .setSeconds(now.getEpochSecond())
                                .setNanos(now.getNano()))
                        .setNativeText("REPT ALM " + severity + " " + what)
                        .build());
    }

    synchronized List<Alarm> all() {
        return List.copyOf(standing.values());
    }
}
