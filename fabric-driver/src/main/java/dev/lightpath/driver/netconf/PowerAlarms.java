package dev.lightpath.driver.netconf;

import com.google.protobuf.Timestamp;
import dev.lightpath.proto.driver.v1alpha1.Alarm;
import dev.lightpath.proto.driver.v1alpha1.AlarmKind;
import dev.lightpath.proto.driver.v1alpha1.AlarmSeverity;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The power alarms that stand, by the notifications {@code port-power-...} so far. */
final class PowerAlarms {
    private final Clock clock;
    private final Map<String, Alarm> standing = new TreeMap<>();

    PowerAlarms(Clock clock) {
        this.clock = clock;
    }

    /** Takes a notification; others than those about power change nothing. */
    synchronized void take(Element notification) {
        for (Element event : notification.children()) {
            if (!event.name().startsWith("port-power-")) {
                continue;
            }
            String port = event.text("port-id").isEmpty() ? event.text("port") : event.text("port-id");
            boolean warning = event.name().contains("warn");
            String key = port + (warning ? "/warning" : "");
            if (event.name().endsWith("-clear")) {
                standing.remove(key);
            } else {
                Instant now = clock.instant();
                standing.putIfAbsent(
                        key,
                        Alarm.newBuilder()
                                .setKind(warning ? AlarmKind.ALARM_KIND_DEGRADED : AlarmKind.ALARM_KIND_LOW_POWER)
                                .setWhere(Xml.oneLine(port))
                                .setSeverity(
                                        warning
                                                ? AlarmSeverity.ALARM_SEVERITY_WARNING
                                                : AlarmSeverity.ALARM_SEVERITY_CRITICAL)
                                .setSince(Timestamp.newBuilder()
                                        .setSeconds(now.getEpochSecond())
                                        .setNanos(now.getNano()))
                                .setNativeText(event.name())
                                .build());
            }
        }
    }

    synchronized List<Alarm> all() {
        return List.copyOf(standing.values());
    }
}
