package dev.lightpath.driver.session;

import com.google.protobuf.Timestamp;
import dev.lightpath.proto.driver.v1alpha1.Alarm;
import dev.lightpath.proto.driver.v1alpha1.AlarmKind;
import dev.lightpath.proto.driver.v1alpha1.AlarmSeverity;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The alarms of light at ports that stand, by what a device told so far. Safe for use by many threads. */
public final class StandingAlarms {
    private final Clock clock;
    private final Map<String, Alarm> standing = new TreeMap<>();

    public StandingAlarms(Clock clock) {
        this.clock = clock;
    }

    /**
     * It stands, from now on if it did not before.
     *
     * @param key of the alarm
     * @param warning whether light is only worse than it should be
     * @param text as the device says it
     */
    public synchronized void raise(String key, String port, boolean warning, String text) {
        Instant now = clock.instant();
        var unused = standing.putIfAbsent(
                key,
                Alarm.newBuilder()
                        .setKind(warning ? AlarmKind.ALARM_KIND_DEGRADED : AlarmKind.ALARM_KIND_LOW_POWER)
                        .setWhere(port)
                        .setSeverity(
                                warning ? AlarmSeverity.ALARM_SEVERITY_WARNING : AlarmSeverity.ALARM_SEVERITY_CRITICAL)
                        .setSince(Timestamp.newBuilder()
                                .setSeconds(now.getEpochSecond())
                                .setNanos(now.getNano()))
                        .setNativeText(text)
                        .build());
    }

    public synchronized void clear(String key) {
        standing.remove(key);
    }

    public synchronized List<Alarm> all() {
        return List.copyOf(standing.values());
    }
}
