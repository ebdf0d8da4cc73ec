package dev.lightpath.sim.core;

import dev.lightpath.sim.core.move.ConnectionState;
import dev.lightpath.sim.core.plant.Plant;
import java.util.Comparator;
import java.util.List;

/**
 * A device's report about itself. Ports are numbers of the {@link Plant}, times nanoseconds since the emulation began.
 *
 * @param connections its connections, ordered by ingress
 * @param ports its ports in order
 * @param alarms present alarms, ordered by kind, then place
 * @param temperatureCelsius temperature
 * @param powerWatts electric power drawn
 */
public record Report(
        List<ConnectionView> connections,
        List<PortView> ports,
        List<AlarmView> alarms,
        double temperatureCelsius,
        double powerWatts) {
    /** Copies the lists. */
    public Report {
        connections = List.copyOf(connections);
        ports = List.copyOf(ports);
        alarms = List.copyOf(alarms);
    }

    /**
     * A connection.
     *
     * @param ingress where light enters
     * @param egress where it leaves
     * @param state its state
     * @param sinceNanos since when
     */
    public record ConnectionView(int ingress, int egress, ConnectionState state, long sinceNanos) {}

    /**
     * A port.
     *
     * @param port the port
     * @param health whether it works
     * @param receivePowerDbm power of the light that enters here, NaN without light or monitor
     * @param lock state of its receiver
     * @param heard port whose light is received, -1 unless locked
     * @param sinceNanos when lock or neighbour last changed, -1 never
     * @param bitErrorRatio share of wrong bits before error correction, NaN unless locked
     * @param shut whether its shutter is closed
     * @param temperatureCelsius of its module, NaN where ports have none
     * @param attenuationDb what its attenuator takes away, NaN where it has none
     * @param returnLossDb how much weaker what its connector throws back is, NaN where no fibre is plugged in
     */
    public record PortView(
            int port,
            PortHealth health,
            double receivePowerDbm,
            LockState lock,
            int heard,
            long sinceNanos,
            double bitErrorRatio,
            boolean shut,
            double temperatureCelsius,
            double attenuationDb,
            double returnLossDb) {}

    /**
     * An alarm.
     *
     * @param kind kind of alarm
     * @param where port or module, empty for the device
     * @param sinceNanos since when
     * @param text the device's own words
     */
    public record AlarmView(AlarmKind kind, String where, long sinceNanos, String text) {}

    /**
     * Names an alarm within a device.
     *
     * @param kind kind of alarm
     * @param where port or module, empty for the device
     */
    public record AlarmKey(AlarmKind kind, String where) implements Comparable<AlarmKey> {
        private static final Comparator<AlarmKey> ORDER =
                Comparator.comparing(AlarmKey::kind).thenComparing(AlarmKey::where);

        @Override
        public int compareTo(AlarmKey other) {
            return ORDER.compare(this, other);
        }
    }
}
