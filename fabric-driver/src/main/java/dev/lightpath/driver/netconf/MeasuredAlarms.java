package dev.lightpath.driver.netconf;

import com.google.protobuf.Timestamp;
import dev.lightpath.driver.adapter.DeviceReading;
import dev.lightpath.driver.netconf.PowerLimits.Limits;
import dev.lightpath.proto.driver.v1alpha1.Alarm;
import dev.lightpath.proto.driver.v1alpha1.AlarmKind;
import dev.lightpath.proto.driver.v1alpha1.AlarmSeverity;
import dev.lightpath.proto.driver.v1alpha1.PortStatus;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * Alarms by the switch's own limits, from the power that its meters show. A switch tells of an alarm once: one that
 * began before the driver came, or that it tells nobody, is found so. A port without light has no such alarm: nothing
 * may be connected there. Not safe for use by many threads.
 */
final class MeasuredAlarms {
    private final Clock clock;
    private Map<String, Alarm> standing = Map.of();

    MeasuredAlarms(Clock clock) {
        this.clock = clock;
    }

    /** Those that stand after the ports were read, at most one for each port. */
    List<Alarm> after(PowerLimits limits, List<PortStatus> ports) {
        Map<String, Alarm> now = new TreeMap<>();
        for (PortStatus port : ports) {
            Limits own = limits.ofPorts().get(port.getPort());
            if (own != null && port.hasReceivePowerDbm() && port.getReceivePowerDbm() >= DeviceReading.LIT_DBM) {
                judge(port.getPort(), port.getReceivePowerDbm(), own, limits.hysteresisDb(), now);
            }
        }
        standing = now;
        return List.copyOf(now.values());
    }

    private void judge(String port, double dbm, Limits limits, double hysteresisDb, Map<String, Alarm> now) {
        if (dbm < limits.lowDbm() + kept(port, AlarmKind.ALARM_KIND_LOW_POWER, hysteresisDb)) {
            raise(now, port, AlarmKind.ALARM_KIND_LOW_POWER, "below", limits.lowDbm());
        } else if (dbm > limits.highDbm() - kept(port, AlarmKind.ALARM_KIND_HIGH_POWER, hysteresisDb)) {
            raise(now, port, AlarmKind.ALARM_KIND_HIGH_POWER, "above", limits.highDbm());
        } else if (dbm < limits.degradeDbm() + kept(port, AlarmKind.ALARM_KIND_DEGRADED, hysteresisDb)) {
            raise(now, port, AlarmKind.ALARM_KIND_DEGRADED, "below", limits.degradeDbm());
        }
    }

    /** An alarm that stands ends a little inside its limit. */
    private double kept(String port, AlarmKind kind, double hysteresisDb) {
        Alarm before = standing.get(port);
        return before != null && before.getKind() == kind ? hysteresisDb : 0;
    }

    private void raise(Map<String, Alarm> now, String port, AlarmKind kind, String side, double limitDbm) {
        String text = String.format(Locale.ROOT, "receive power %s %.2f dBm, by opm-alarm-config", side, limitDbm);
        Alarm before = standing.get(port);
        if (before != null && before.getKind() == kind && before.getNativeText().equals(text)) {
            now.put(port, before);
            return;
        }
        Instant at = clock.instant();
        now.put(
                port,
                Alarm.newBuilder()
                        .setKind(kind)
                        .setWhere(port)
                        .setSeverity(
                                kind == AlarmKind.ALARM_KIND_DEGRADED
                                        ? AlarmSeverity.ALARM_SEVERITY_WARNING
                                        : AlarmSeverity.ALARM_SEVERITY_CRITICAL)
                        .setSince(Timestamp.newBuilder()
                                .setSeconds(at.getEpochSecond())
                                .setNanos(at.getNano()))
                        .setNativeText(text)
                        .build());
    }
}
