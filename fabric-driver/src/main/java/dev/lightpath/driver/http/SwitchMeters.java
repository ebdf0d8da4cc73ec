package dev.lightpath.driver.http;

import dev.lightpath.driver.contract.ControlledDevice;
import dev.lightpath.driver.contract.Fleet;
import dev.lightpath.driver.contract.view.DeviceView;
import dev.lightpath.proto.driver.v1alpha1.AlarmSeverity;
import dev.lightpath.proto.driver.v1alpha1.Availability;
import dev.lightpath.proto.driver.v1alpha1.DeviceKind;
import dev.lightpath.proto.driver.v1alpha1.ItemAction;
import dev.lightpath.proto.driver.v1alpha1.LockState;
import dev.lightpath.proto.driver.v1alpha1.Operation;
import dev.lightpath.proto.driver.v1alpha1.PortOperState;
import dev.lightpath.proto.driver.v1alpha1.PortStatus;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.DoubleStream;

/**
 * The light of the devices: of each switch by name, at most {@link #MOST} of them, and of all receivers together.
 * Serves one scrape at a time.
 */
final class SwitchMeters {
    /** Switches that have series of their own, by name. */
    static final int MOST = 512;

    private static final String DEVICE = "device";
    private static final String STATISTIC = "statistic";
    private static final String RECEIVERS = "lightpath_driver_receivers";
    private static final String RECEIVE_POWER = "lightpath_driver_receive_power_dbm";
    private static final String LEFT_OUT = "lightpath_driver_switches_left_out";
    private static final String OF_A_SWITCH = "lightpath_driver_switch_";

    private final MeterRegistry registry;
    private final Fleet fleet;
    private final LossBaselines baselines;
    /** A gauge, and its rows as they are now. */
    private record Figure(MultiGauge gauge, List<MultiGauge.Row<?>> rows) {}

    private final Map<String, Figure> figures = new TreeMap<>();

    SwitchMeters(MeterRegistry registry, Fleet fleet, LossBaselines baselines) {
        this.registry = registry;
        this.fleet = fleet;
        this.baselines = baselines;
        gauge(OF_A_SWITCH + "answers", "1 while the switch answers, else 0");
        gauge(OF_A_SWITCH + "circuits", "Circuits of the switch");
        gauge(OF_A_SWITCH + "ports", "Ports of the switch by what it says of them");
        gauge(OF_A_SWITCH + "loss_db", "Insertion loss of the circuits of the switch, where it measures it");
        gauge(
                OF_A_SWITCH + "loss_rise_db",
                "Highest rise of the loss of a circuit of the switch since the circuit was first measured");
        gauge(OF_A_SWITCH + "receive_power_dbm", "Receive power at the ports of the switch, where it measures it");
        gauge(OF_A_SWITCH + "temperature_celsius", "Temperature of the switch");
        gauge(OF_A_SWITCH + "power_watts", "Electric power that the switch draws");
        gauge(
                OF_A_SWITCH + "power_cycles",
                "Times that the switch came back from a loss of power, in this run of the driver");
        gauge(OF_A_SWITCH + "alarms", "Alarms of the switch that stand");
        gauge(RECEIVERS, "Receivers of all devices by whether they hear their far end");
        gauge(RECEIVE_POWER, "Receive power of all devices that measure it");
        gauge(LEFT_OUT, "Switches beyond the most that have series of their own");
    }

    private void gauge(String name, String description) {
        MultiGauge gauge = MultiGauge.builder(name).description(description).register(registry);
        figures.put(name, new Figure(gauge, new ArrayList<>()));
    }

    /** Whether a device is a switch. */
    static boolean isSwitch(DeviceView view) {
        return view.description().device().getKind() == DeviceKind.DEVICE_KIND_SWITCH;
    }

    /** Takes what is known of all devices now. Linear in ports. */
    void measure() {
        figures.values().forEach(figure -> figure.rows().clear());
        Map<LockState, Integer> locks = new EnumMap<>(LockState.class);
        for (LockState state : LockState.values()) {
            if (state != LockState.LOCK_STATE_UNSPECIFIED && state != LockState.UNRECOGNIZED) {
                locks.put(state, 0);
            }
        }
        DoubleStream.Builder powers = DoubleStream.builder();
        int switches = 0;
        for (ControlledDevice device : fleet.devices().values()) {
            DeviceView view = device.view();
            for (PortStatus port : view.ports().values()) {
                locks.computeIfPresent(port.getLockState(), (state, count) -> count + 1);
                if (port.hasReceivePowerDbm()) {
                    powers.add(port.getReceivePowerDbm());
                }
            }
            if (isSwitch(view) && switches++ < MOST) {
                measure(view);
            }
        }
        locks.forEach((state, count) -> row(RECEIVERS, Tags.of("lock", word(state.name(), "LOCK_STATE_")), count));
        statistics(RECEIVE_POWER, Tags.empty(), powers);
        row(LEFT_OUT, Tags.empty(), Math.max(0, switches - MOST));
        figures.values().forEach(figure -> figure.gauge().register(List.copyOf(figure.rows()), true));
    }

    private void measure(DeviceView view) {
        Tags device = Tags.of(DEVICE, view.deviceId());
        row(OF_A_SWITCH + "answers", device, view.availability() == Availability.AVAILABILITY_PRESENT ? 1 : 0);
        row(OF_A_SWITCH + "circuits", device, view.circuits().size());
        ports(device, view.ports().values());
        DoubleStream.Builder losses = DoubleStream.builder();
        view.circuits().values().forEach(circuit -> {
            if (circuit.hasMeasuredLossDb()) {
                losses.add(circuit.getMeasuredLossDb());
            }
        });
        statistics(OF_A_SWITCH + "loss_db", device, losses);
        baselines.rises(view).values().stream()
                .max(Double::compare)
                .ifPresent(rise -> row(OF_A_SWITCH + "loss_rise_db", device, rise));
        if (view.environment().hasTemperatureCelsius()) {
            row(OF_A_SWITCH + "temperature_celsius", device, view.environment().getTemperatureCelsius());
        }
        if (view.environment().hasPowerWatts()) {
            row(OF_A_SWITCH + "power_watts", device, view.environment().getPowerWatts());
        }
        row(OF_A_SWITCH + "power_cycles", device, view.powerCycles());
        for (AlarmSeverity severity :
                List.of(AlarmSeverity.ALARM_SEVERITY_WARNING, AlarmSeverity.ALARM_SEVERITY_CRITICAL)) {
            row(
                    OF_A_SWITCH + "alarms",
                    device.and("severity", word(severity.name(), "ALARM_SEVERITY_")),
                    view.alarms().values().stream()
                            .filter(alarm -> alarm.getSeverity() == severity)
                            .count());
        }
    }

    private void ports(Tags device, Collection<PortStatus> ports) {
        SortedMap<PortOperState, Integer> states = new TreeMap<>();
        for (PortOperState state : PortOperState.values()) {
            if (state != PortOperState.UNRECOGNIZED) {
                states.put(state, 0);
            }
        }
        DoubleStream.Builder powers = DoubleStream.builder();
        for (PortStatus port : ports) {
            states.merge(port.getOperState(), 1, Integer::sum);
            if (port.hasReceivePowerDbm()) {
                powers.add(port.getReceivePowerDbm());
            }
        }
        states.forEach((state, count) -> row(
                OF_A_SWITCH + "ports",
                device.and(
                        "state",
                        state == PortOperState.PORT_OPER_STATE_UNSPECIFIED
                                ? "unknown"
                                : word(state.name(), "PORT_OPER_STATE_")),
                count));
        statistics(OF_A_SWITCH + "receive_power_dbm", device, powers);
    }

    /**
     * None where nothing is measured. O(n log n), on primitives: a ring of 10 000 nodes has some ten thousand
     * receivers.
     */
    private void statistics(String name, Tags tags, DoubleStream.Builder measured) {
        double[] values = measured.build().sorted().toArray();
        if (values.length > 0) {
            row(name, tags.and(STATISTIC, "lowest"), values[0]);
            row(name, tags.and(STATISTIC, "median"), values[values.length / 2]);
            row(name, tags.and(STATISTIC, "highest"), values[values.length - 1]);
        }
    }

    private void row(String name, Tags tags, double value) {
        Objects.requireNonNull(figures.get(name)).rows().add(MultiGauge.Row.of(tags, value));
    }

    private static String word(String name, String prefix) {
        return name.replace(prefix, "").toLowerCase(Locale.ROOT);
    }

    /** Counts the circuits that an operation made on a switch. */
    void moved(Operation operation) {
        boolean isSwitch = fleet.find(operation.getDeviceId())
                .filter(device -> isSwitch(device.view()))
                .isPresent();
        if (isSwitch) {
            moves(operation.getDeviceId())
                    .increment(operation.getItemsList().stream()
                            .filter(item -> item.getAction() == ItemAction.ITEM_ACTION_CONNECT)
                            .count());
        }
    }

    private Counter moves(String device) {
        return Counter.builder("lightpath_driver_switch_moves")
                .description("Circuits that operations of this run of the driver made on the switch")
                .tag(DEVICE, device)
                .register(registry);
    }
}
