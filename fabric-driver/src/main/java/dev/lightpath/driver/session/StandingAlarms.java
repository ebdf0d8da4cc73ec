package dev.lightpath.driver.session;

import com.google.protobuf.Timestamp;
import dev.lightpath.driver.adapter.DeviceReading;
import dev.lightpath.proto.driver.v1alpha1.Alarm;
import dev.lightpath.proto.driver.v1alpha1.AlarmKind;
import dev.lightpath.proto.driver.v1alpha1.AlarmSeverity;
import dev.lightpath.proto.driver.v1alpha1.PortStatus;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The alarms of light at ports that stand, by what a device told so far. They outlive a session: a device does not
 * repeat what it has told. Safe for use by many threads.
 */
public final class StandingAlarms {
    /** More kinds of alarms than a port has. */
    private static final int MOST_OF_A_PORT = 8;

    /** More ports than a device has: some are told that it has not. */
    private static final int MOST_PORTS = 1 << 16;

    /** A network may change the order of what is told within this time. More is a clock that was set back. */
    private static final Duration REORDERED = Duration.ofMinutes(1);

    /** Light that is so much stronger than the weakest since the alarm has come back: devices clear from 1 dB on. */
    private static final double BACK_DB = 2;

    /**
     * What was told last of one alarm.
     *
     * @param alarm empty when it is over
     * @param at when it was, if the device told: the driver's own clock says nothing of the order
     * @param earlier whether it was told in an earlier session: its end may have been missed
     * @param weakest power that was read at the port since, in dBm
     */
    private record Told(
            String port, Optional<Alarm> alarm, Optional<Instant> at, boolean earlier, OptionalDouble weakest) {
        /** Whether it was overtaken by what was told before. */
        boolean isOvertakenBy(Told other) {
            return at.isPresent()
                    && other.at().isPresent()
                    && at.get().isBefore(other.at().get())
                    && at.get().isAfter(other.at().get().minus(REORDERED));
        }

        Told ofEarlierSession() {
            return new Told(port, alarm, at, true, weakest);
        }

        /** After the power at its port was read. */
        Told read(double dbm) {
            boolean back = dbm > (weakest.isPresent() ? weakest.getAsDouble() + BACK_DB : DeviceReading.LIT_DBM);
            return earlier && back
                    ? new Told(port, Optional.empty(), at, false, OptionalDouble.empty())
                    : new Told(port, alarm, at, earlier, OptionalDouble.of(Math.min(dbm, weakest.orElse(dbm))));
        }
    }

    private final Clock clock;
    private final Map<String, Told> byKey = new TreeMap<>();
    private final Map<String, Integer> ofPort = new HashMap<>();
    private List<Alarm> measured = List.of();

    public StandingAlarms(Clock clock) {
        this.clock = clock;
    }

    /** A session begins: the end of an alarm may have been told in between, to nobody. */
    public synchronized void begin() {
        byKey.replaceAll((key, told) -> told.ofEarlierSession());
    }

    /**
     * It stands, from now on if it did not before.
     *
     * @param key of the alarm
     * @param port that the device has
     * @param warning whether light is only worse than it should be
     * @param text as the device says it
     * @param at when the device says that it began; empty: it does not say
     */
    public synchronized void raise(String key, String port, boolean warning, String text, Optional<Instant> at) {
        Instant now = clock.instant();
        Alarm alarm = Alarm.newBuilder()
                .setKind(warning ? AlarmKind.ALARM_KIND_DEGRADED : AlarmKind.ALARM_KIND_LOW_POWER)
                .setWhere(port)
                .setSeverity(warning ? AlarmSeverity.ALARM_SEVERITY_WARNING : AlarmSeverity.ALARM_SEVERITY_CRITICAL)
                .setSince(
                        Timestamp.newBuilder().setSeconds(now.getEpochSecond()).setNanos(now.getNano()))
                .setNativeText(text)
                .build();
        Optional<Alarm> stands = Optional.ofNullable(byKey.get(key)).flatMap(Told::alarm);
        put(key, new Told(port, Optional.of(stands.orElse(alarm)), at, false, OptionalDouble.empty()));
    }

    /** @param at when the device says that it ended; empty: it does not say */
    public synchronized void clear(String key, String port, Optional<Instant> at) {
        put(key, new Told(port, Optional.empty(), at, false, OptionalDouble.empty()));
    }

    private void put(String key, Told told) {
        Told before = byKey.get(key);
        if (before == null) {
            if (ofPort.size() >= MOST_PORTS && !ofPort.containsKey(told.port())) {
                return;
            }
            if (ofPort.merge(told.port(), 1, Integer::sum) > MOST_OF_A_PORT) {
                ofPort.merge(told.port(), -1, Integer::sum);
                return;
            }
        } else if (told.isOvertakenBy(before)) {
            return;
        }
        byKey.put(key, told);
    }

    /** Those that stand, with what was measured when the ports were read last. */
    public synchronized List<Alarm> all() {
        Map<String, Alarm> worse = new TreeMap<>();
        measured.stream().filter(StandingAlarms::isCritical).forEach(each -> worse.put(each.getWhere(), each));
        List<Alarm> all = new ArrayList<>();
        Set<String> told = new TreeSet<>();
        byKey.values().stream().flatMap(each -> each.alarm().stream()).forEach(alarm -> {
            Alarm same = isCritical(alarm) ? worse.get(alarm.getWhere()) : null;
            // the device does not tell whether there is too little light or too much
            all.add(
                    same == null
                            ? alarm
                            : alarm.toBuilder().setKind(same.getKind()).build());
            told.add(alarm.getWhere() + alarm.getSeverityValue());
        });
        measured.stream()
                .filter(alarm -> !told.contains(alarm.getWhere() + alarm.getSeverityValue()))
                .forEach(all::add);
        return all;
    }

    private static boolean isCritical(Alarm alarm) {
        return alarm.getSeverity() == AlarmSeverity.ALARM_SEVERITY_CRITICAL;
    }

    /** Those that stand, after the ports were read. */
    public List<Alarm> all(List<PortStatus> ports) {
        return all(ports, List.of());
    }

    /**
     * Those that stand, after the ports were read.
     *
     * @param found alarms that the reading itself shows, told or not. One that was told counts in their place
     */
    public synchronized List<Alarm> all(List<PortStatus> ports, List<Alarm> found) {
        measured = List.copyOf(found);
        Map<String, PortStatus> read = new HashMap<>();
        ports.forEach(port -> read.put(port.getPort(), port));
        byKey.replaceAll((key, told) -> {
            PortStatus port = read.get(told.port());
            return port != null && told.alarm().isPresent() && port.hasReceivePowerDbm()
                    ? told.read(port.getReceivePowerDbm())
                    : told;
        });
        return all();
    }
}
