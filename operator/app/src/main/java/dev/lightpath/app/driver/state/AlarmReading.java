package dev.lightpath.app.driver.state;

import dev.lightpath.planner.light.DeviceState;
import dev.lightpath.planner.words.Words;
import dev.lightpath.proto.driver.v1alpha1.Alarm;
import dev.lightpath.proto.driver.v1alpha1.AlarmKind;
import dev.lightpath.proto.driver.v1alpha1.AlarmSeverity;
import dev.lightpath.proto.driver.v1alpha1.PortStatus;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** Which ports do not work, by the device's own alarms. */
final class AlarmReading {
    /** Of why a device does not answer, so much is told. */
    private static final int LONGEST_REASON = 300;

    private AlarmReading() {}

    /**
     * Ports with the reason of their failure, a CamelCase word. An alarm about a module concerns the ports whose names
     * begin with the module's name and a dot. An alarm without a place concerns the device as a whole; its name is
     * empty. An alarm about an unknown port is kept under its own name. A stuck port outweighs all other reasons.
     */
    static SortedMap<String, String> failures(Collection<Alarm> alarms, Collection<PortStatus> ports) {
        SortedMap<String, String> failures = new TreeMap<>();
        for (Alarm alarm : alarms) {
            reason(alarm)
                    .ifPresent(why -> concerned(alarm.getWhere(), ports)
                            .forEach(port -> failures.merge(
                                    port, why, (before, now) -> now.equals(DeviceState.STUCK) ? now : before)));
        }
        return failures;
    }

    /** Why the device does not answer, in one line. */
    static Optional<String> silence(Collection<Alarm> alarms) {
        return alarms.stream()
                .filter(alarm -> alarm.getKind() == AlarmKind.ALARM_KIND_DEVICE_SILENT)
                .map(alarm -> alarm.getNativeText()
                        .replaceAll("[\\s\\p{Cntrl}]+", " ")
                        .strip())
                .filter(why -> !why.isEmpty())
                .findFirst()
                .map(why -> Words.shortened(why, LONGEST_REASON));
    }

    private static List<String> concerned(String where, Collection<PortStatus> ports) {
        List<String> concerned = ports.stream()
                .map(PortStatus::getPort)
                .filter(port -> port.equals(where) || port.startsWith(where + "."))
                .toList();
        return concerned.isEmpty() ? List.of(where) : concerned;
    }

    /**
     * Empty for what is no failure of the part: missing light may be the far end's or our own doing and shows in what
     * ports receive, while light that arrives too weak has passed something that is bad; silence and lost circuits show
     * as such. An operation that was read back wrong does not condemn the whole device, whose next operation clears the
     * alarm.
     */
    private static Optional<String> reason(Alarm alarm) {
        boolean critical = alarm.getSeverity() == AlarmSeverity.ALARM_SEVERITY_CRITICAL;
        return switch (alarm.getKind()) {
            case ALARM_KIND_PORT_FAILED -> Optional.of("PortFailed");
            case ALARM_KIND_STUCK -> Optional.of(DeviceState.STUCK);
            case ALARM_KIND_DEGRADED -> when(critical, "Degraded");
            case ALARM_KIND_HIGH_POWER -> when(critical, "HighPower");
            case ALARM_KIND_POWER_SUPPLY -> when(critical, "PowerSupply");
            case ALARM_KIND_FAN -> when(critical, "Fan");
            case ALARM_KIND_TEMPERATURE -> when(critical, "Temperature");
            case ALARM_KIND_READ_BACK_DIFFERS ->
                when(critical && !alarm.getWhere().isEmpty(), "ReadBackDiffers");
            case ALARM_KIND_LOW_POWER -> when(!alarm.getWhere().isEmpty(), DeviceState.LOW_POWER);
            case ALARM_KIND_LOSS_OF_SIGNAL,
                    ALARM_KIND_POWER_CYCLED,
                    ALARM_KIND_DEVICE_SILENT,
                    ALARM_KIND_MANAGEMENT_RESTARTED,
                    ALARM_KIND_UNSPECIFIED,
                    UNRECOGNIZED -> Optional.empty();
        };
    }

    private static Optional<String> when(boolean so, String reason) {
        return so ? Optional.of(reason) : Optional.empty();
    }
}
