package dev.lightpath.driver.gnmi;

import com.google.protobuf.Timestamp;
import dev.lightpath.driver.session.LostException;
import dev.lightpath.driver.session.OneLine;
import dev.lightpath.proto.driver.v1alpha1.Alarm;
import dev.lightpath.proto.driver.v1alpha1.AlarmKind;
import dev.lightpath.proto.driver.v1alpha1.AlarmSeverity;
import dev.lightpath.proto.driver.v1alpha1.PortAdminState;
import dev.lightpath.proto.driver.v1alpha1.PortOperState;
import dev.lightpath.proto.driver.v1alpha1.PortStatus;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What a device tells of its ports, in the contract's words. An alarm keeps the time at which it was first told. */
final class PortReport {
    private final OcsPorts ports;
    private Map<String, Alarm> standing = Map.of();

    PortReport(OcsPorts ports) {
        this.ports = ports;
    }

    /** All ports in order, and the alarms that stand. */
    record Told(List<PortStatus> ports, List<Alarm> alarms) {}

    /**
     * @param rows of the tables of ports, by name
     * @throws LostException when they name a port that the device does not have
     */
    synchronized Told of(Map<String, Map<String, String>> rows) throws LostException {
        for (String said : rows.keySet()) {
            var unused = ports.known(said, "the table of ports");
        }
        List<PortStatus> all = new ArrayList<>();
        Map<String, Alarm> alarms = new TreeMap<>();
        for (String name : ports.names()) {
            Map<String, String> row = rows.getOrDefault(name, Map.of());
            String word = row.getOrDefault("status", "");
            TuningStatus status = TuningStatus.of(word);
            all.add(status(name, row.getOrDefault("state", ""), status));
            if (status == TuningStatus.FAILED) {
                raise(alarms, name, AlarmKind.ALARM_KIND_PORT_FAILED, "status failed");
            } else if (status == TuningStatus.UNKNOWN && !word.isEmpty()) {
                raise(alarms, name, AlarmKind.ALARM_KIND_DEGRADED, "status '" + OneLine.of(word) + "' is unknown");
            }
        }
        standing = alarms;
        return new Told(all, List.copyOf(alarms.values()));
    }

    private static PortStatus status(String name, String override, TuningStatus status) {
        return PortStatus.newBuilder()
                .setPort(name)
                .setAdminState(
                        override.equals("force_blocked")
                                        || override.equals("powered_off")
                                        || status == TuningStatus.POWERED_OFF
                                ? PortAdminState.PORT_ADMIN_STATE_OUT_OF_SERVICE
                                : PortAdminState.PORT_ADMIN_STATE_IN_SERVICE)
                .setOperState(
                        switch (status) {
                            case BLOCKED, POWERED_OFF, TUNING, TUNED -> PortOperState.PORT_OPER_STATE_OK;
                            case FAILED -> PortOperState.PORT_OPER_STATE_FAILED;
                            case UNKNOWN -> PortOperState.PORT_OPER_STATE_UNSPECIFIED;
                        })
                .build();
    }

    private void raise(Map<String, Alarm> alarms, String port, AlarmKind kind, String text) {
        Alarm before = standing.get(port);
        if (before != null && before.getKind() == kind && before.getNativeText().equals(text)) {
            alarms.put(port, before);
            return;
        }
        Instant now = Instant.now();
        alarms.put(
                port,
                Alarm.newBuilder()
                        .setKind(kind)
                        .setWhere(port)
                        .setSeverity(
                                kind == AlarmKind.ALARM_KIND_PORT_FAILED
                                        ? AlarmSeverity.ALARM_SEVERITY_CRITICAL
                                        : AlarmSeverity.ALARM_SEVERITY_WARNING)
                        .setSince(Timestamp.newBuilder()
                                .setSeconds(now.getEpochSecond())
                                .setNanos(now.getNano()))
                        .setNativeText(text)
                        .build());
    }
}
