package dev.lightpath.sim.core;

import dev.lightpath.sim.core.Chance.Draw;
import dev.lightpath.sim.core.fault.Fault;
import dev.lightpath.sim.core.fault.FaultKind;
import dev.lightpath.sim.core.fault.FaultRequest;
import dev.lightpath.sim.core.fault.FaultResolver;
import dev.lightpath.sim.core.plant.DeviceKind;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** What a fault does to the hardware when it comes and when it goes. */
final class FaultEffects {
    private static final long NANOS_PER_MILLI = 1_000_000;
    private static final long DRIFT_STEP_NANOS = 10_000 * NANOS_PER_MILLI;
    private static final long SHORTEST_DRIFT_NANOS = 100 * NANOS_PER_MILLI;
    private static final long SHORTEST_BLINK_NANOS = NANOS_PER_MILLI / 10;
    private static final long SHORTEST_REFRESH_NANOS = 10 * NANOS_PER_MILLI;
    private static final double NANOS_PER_HOUR = 3_600_000.0 * NANOS_PER_MILLI;
    private static final double DRIFT_STEP_DB = 0.1;
    private static final long RESTART_MILLIS = 2000;
    private static final double HOT_CELSIUS = 70;
    private static final double MOST_ATTENUATION_DB = 25;

    private final State state;
    private final Receivers receivers;
    private final ReportedState reported;
    private final Moves moves;
    private long count;

    FaultEffects(State state, Receivers receivers, ReportedState reported, Moves moves) {
        this.state = state;
        this.receivers = receivers;
        this.reported = reported;
        this.moves = moves;
    }

    /** @throws IllegalArgumentException when the request names nothing that can break that way */
    Fault inject(FaultRequest request) {
        Fault fault = new FaultResolver(state.plant, state.cabling).resolve(request, "f" + (count + 1), state.now());
        count++;
        int device = fault.device();
        if (fault.kind() == FaultKind.DEVICE_REPLACED) {
            losePower(device);
            state.chassis[device].replacements++;
            if (!state.faults.has(device, FaultKind.POWER_LOSS)) {
                powerOn(device);
            }
            return fault;
        }
        state.faults.add(fault);
        begin(fault);
        long millis = request.durationMillis();
        if (millis == 0 && fault.kind() == FaultKind.MANAGEMENT_RESTART) {
            millis = RESTART_MILLIS;
        }
        if (millis > 0) {
            long most = Long.MAX_VALUE / NANOS_PER_MILLI;
            state.timers.after(Math.min(millis, most) * NANOS_PER_MILLI, () -> clear(fault.id()));
        }
        return fault;
    }

    /** No fault, and it works as one that darkens the port. */
    void shutter(int port, boolean closed) {
        if (state.shut.get(port) != closed) {
            state.shut.set(port, closed);
            touchPort(port);
            reported.port(port);
        }
    }

    /** No fault either. */
    void attenuate(int port, double lossDb) {
        if (Double.isNaN(state.attenuationDb(port))) {
            throw new IllegalArgumentException(state.plant.fullName(port) + " has no attenuator");
        }
        if (!(lossDb >= 0 && lossDb <= MOST_ATTENUATION_DB)) {
            throw new IllegalArgumentException(
                    "an attenuation of " + lossDb + " dB, allowed are 0 to " + MOST_ATTENUATION_DB);
        }
        state.attenuate(port, lossDb);
        touchPort(port);
        reported.port(port);
        reported.loss(state.plant.deviceOf(port));
    }

    /** Ends a fault; false when it is not active. */
    boolean clear(String id) {
        Fault fault = state.faults.remove(id);
        if (fault != null) {
            end(fault);
        }
        return fault != null;
    }

    private void begin(Fault fault) {
        int device = fault.device();
        String where = fault.request().where();
        switch (fault.kind()) {
            case DEAD_ELEMENT, PORT_FAILED -> {
                reported.raise(device, AlarmKind.PORT_FAILED, where, failedText(fault));
                touchAndTell(fault);
            }
            case PORT_FAILED_SILENT, FIBRE_CUT, DIRTY_CONNECTOR, TRANSMITTER_FAILED, RECEIVER_FAILED -> touch(fault);
            case SWAPPED_PAIR -> swap(fault);
            case INTERMITTENT -> {
                for (int port : fault.ports()) {
                    blinkLater(fault, port, 0);
                }
            }
            case LOSS_DRIFT -> driftLater(fault);
            case POWER_LOSS -> losePower(device);
            case MANAGEMENT_RESTART, UNREACHABLE -> reported.reachability(device);
            case LIE_STALE_CACHE -> {
                reported.freeze(device);
                refreshLater(fault);
            }
            case CALL_DROP -> reported.dropped(device);
            case TEMPERATURE -> warm(device, fault.value());
            case POWER_SUPPLY -> reported.raise(device, AlarmKind.POWER_SUPPLY, "", "power supply failed");
            case FAN -> reported.raise(device, AlarmKind.FAN, "", "fan failed");
            case STUCK_ELEMENT,
                    DISCONNECT_IGNORED,
                    WRONG_ELEMENT,
                    SLOW_MOVES,
                    DEVICE_REPLACED,
                    LIE_OK_BEFORE_TUNED,
                    LIE_CONFIG_ECHO,
                    LIE_FALSE_OK,
                    CALL_DELAY,
                    CALL_HALF_OPEN,
                    CALL_DUPLICATE,
                    CALL_REFUSED -> {}
        }
    }

    private void end(Fault fault) {
        int device = fault.device();
        switch (fault.kind()) {
            case DEAD_ELEMENT, PORT_FAILED -> {
                if (!anotherAt(fault, FaultKind.DEAD_ELEMENT) && !anotherAt(fault, FaultKind.PORT_FAILED)) {
                    reported.clear(
                            device, AlarmKind.PORT_FAILED, fault.request().where());
                }
                touchAndTell(fault);
            }
            case STUCK_ELEMENT -> {
                for (int port : fault.ports()) {
                    reported.clear(device, AlarmKind.STUCK, state.plant.portName(port));
                }
            }
            case PORT_FAILED_SILENT,
                    FIBRE_CUT,
                    DIRTY_CONNECTOR,
                    TRANSMITTER_FAILED,
                    RECEIVER_FAILED,
                    INTERMITTENT,
                    LOSS_DRIFT -> touch(fault);
            case SWAPPED_PAIR -> swap(fault);
            case POWER_LOSS -> {
                if (!state.faults.has(device, FaultKind.POWER_LOSS)) {
                    powerOn(device);
                }
            }
            case MANAGEMENT_RESTART -> {
                reported.boot(device, BootReason.MANAGEMENT_RESTART);
                reported.reachability(device);
            }
            case UNREACHABLE -> reported.reachability(device);
            case TEMPERATURE -> {
                Fault other = state.faults.ofDevice(device, FaultKind.TEMPERATURE);
                warm(device, other == null ? Chassis.NORMAL_CELSIUS : other.value());
            }
            case POWER_SUPPLY -> clearUnlessAnother(device, FaultKind.POWER_SUPPLY, AlarmKind.POWER_SUPPLY);
            case FAN -> clearUnlessAnother(device, FaultKind.FAN, AlarmKind.FAN);
            case LIE_FALSE_OK, LIE_CONFIG_ECHO -> {
                moves.believeElements(device);
                tellAnew(device);
            }
            case LIE_STALE_CACHE -> {
                reported.thaw(device);
                tellAnew(device);
            }
            case DISCONNECT_IGNORED,
                    WRONG_ELEMENT,
                    SLOW_MOVES,
                    DEVICE_REPLACED,
                    LIE_OK_BEFORE_TUNED,
                    CALL_DELAY,
                    CALL_DROP,
                    CALL_HALF_OPEN,
                    CALL_DUPLICATE,
                    CALL_REFUSED -> {}
        }
    }

    private void tellAnew(int device) {
        if (state.chassis[device].reachable) {
            reported.answering(device);
        }
    }

    private void losePower(int device) {
        Chassis chassis = state.chassis[device];
        if (!chassis.powered) {
            return;
        }
        chassis.powered = false;
        reported.reachability(device);
        moves.losePower(device);
        chassis.alarms = null;
        touchAll(device);
    }

    private void powerOn(int device) {
        Chassis chassis = state.chassis[device];
        chassis.powered = true;
        chassis.powerCycles++;
        reported.boot(device, BootReason.POWER_ON);
        moves.loopBack(device);
        touchAll(device);
        for (Fault fault : List.copyOf(state.faults.all())) {
            if (fault.device() == device && fault.kind() != FaultKind.POWER_LOSS) {
                alarmAgain(fault);
            }
        }
        reported.reachability(device);
    }

    /** Alarms do not survive a loss of power; the faults behind them do. */
    private void alarmAgain(Fault fault) {
        int device = fault.device();
        switch (fault.kind()) {
            case DEAD_ELEMENT, PORT_FAILED ->
                reported.raise(device, AlarmKind.PORT_FAILED, fault.request().where(), failedText(fault));
            case TEMPERATURE -> warm(device, fault.value());
            case POWER_SUPPLY -> reported.raise(device, AlarmKind.POWER_SUPPLY, "", "power supply failed");
            case FAN -> reported.raise(device, AlarmKind.FAN, "", "fan failed");
            case STUCK_ELEMENT,
                    PORT_FAILED_SILENT,
                    DISCONNECT_IGNORED,
                    WRONG_ELEMENT,
                    INTERMITTENT,
                    DIRTY_CONNECTOR,
                    LOSS_DRIFT,
                    FIBRE_CUT,
                    SWAPPED_PAIR,
                    TRANSMITTER_FAILED,
                    RECEIVER_FAILED,
                    POWER_LOSS,
                    MANAGEMENT_RESTART,
                    UNREACHABLE,
                    DEVICE_REPLACED,
                    SLOW_MOVES,
                    LIE_OK_BEFORE_TUNED,
                    LIE_CONFIG_ECHO,
                    LIE_STALE_CACHE,
                    LIE_FALSE_OK,
                    CALL_DELAY,
                    CALL_DROP,
                    CALL_HALF_OPEN,
                    CALL_DUPLICATE,
                    CALL_REFUSED -> {}
        }
    }

    private void warm(int device, double celsius) {
        state.chassis[device].temperatureCelsius = celsius;
        reported.environment(device);
        if (state.plant.device(device).kind() == DeviceKind.TRANSCEIVERS) {
            for (int port = state.plant.firstPort(device); port < state.plant.endPort(device); port++) {
                reported.port(port);
            }
        }
        if (celsius > HOT_CELSIUS) {
            reported.raise(device, AlarmKind.TEMPERATURE, "", "above " + HOT_CELSIUS + " degrees Celsius");
        } else {
            reported.clear(device, AlarmKind.TEMPERATURE, "");
        }
    }

    private void swap(Fault fault) {
        if (fault.otherPort() < 0) {
            touch(fault);
            return;
        }
        // one that ends is not undone on top of those that came later: pairs may have a port in common
        List<int[]> standing = state.faults.all().stream()
                .filter(each -> each.kind() == FaultKind.SWAPPED_PAIR && each.otherPort() >= 0)
                .map(each -> new int[] {each.ports().getFirst(), each.otherPort()})
                .toList();
        state.cabling.exchanged(standing).stream().forEach(this::touchPort);
    }

    private void blinkLater(Fault fault, int port, long blinks) {
        double nanos = state.chance.between(Draw.INTERMITTENT, port, blinks, 0.5 * fault.value(), 1.5 * fault.value())
                * NANOS_PER_MILLI;
        state.timers.after(Math.max((long) nanos, SHORTEST_BLINK_NANOS), () -> {
            if (state.faults.stands(fault.id())) {
                state.faults.blink(port);
                touchPort(port);
                blinkLater(fault, port, blinks + 1);
            }
        });
    }

    private void refreshLater(Fault fault) {
        if (fault.value() <= 0) {
            return;
        }
        state.timers.after(Math.max((long) (fault.value() * NANOS_PER_MILLI), SHORTEST_REFRESH_NANOS), () -> {
            if (state.faults.stands(fault.id())) {
                reported.freeze(fault.device());
                tellAnew(fault.device());
                refreshLater(fault);
            }
        });
    }

    private void driftLater(Fault fault) {
        // small steps, however fast it drifts
        double nanos = DRIFT_STEP_DB / Math.max(1e-6, Math.abs(fault.value())) * NANOS_PER_HOUR;
        state.timers.after(Math.clamp((long) nanos, SHORTEST_DRIFT_NANOS, DRIFT_STEP_NANOS), () -> {
            if (state.faults.stands(fault.id())) {
                touch(fault);
                driftLater(fault);
            }
        });
    }

    private void touch(Fault fault) {
        for (int port : fault.ports()) {
            touchPort(port);
        }
        if (fault.kind() == FaultKind.DIRTY_CONNECTOR || fault.kind() == FaultKind.LOSS_DRIFT) {
            reported.loss(fault.device());
        }
    }

    private void touchAndTell(Fault fault) {
        touch(fault);
        for (int port : fault.ports()) {
            reported.port(port);
        }
    }

    private void touchAll(int device) {
        for (int port = state.plant.firstPort(device); port < state.plant.endPort(device); port++) {
            touchPort(port);
        }
    }

    /**
     * A port's fault or shutter changed: updates its circuit, its own receiver, its light, and the receiver at the
     * other end of the fibre.
     */
    void touchPort(int port) {
        state.elements.refresh(port);
        int ingress = state.elements.circuitAt(port);
        if (ingress >= 0 && state.plant.kindOf(port) == DeviceKind.TRANSCEIVERS) {
            receivers.touch(ingress, reported);
        }
        receivers.touch(port, reported);
    }

    private boolean anotherAt(Fault gone, FaultKind kind) {
        return state.faults.all().stream()
                .anyMatch(fault -> fault.kind() == kind
                        && fault.device() == gone.device()
                        && fault.request().where().equals(gone.request().where()));
    }

    private void clearUnlessAnother(int device, FaultKind kind, AlarmKind alarm) {
        if (!state.faults.has(device, kind)) {
            reported.clear(device, alarm, "");
        }
    }

    private static String failedText(Fault fault) {
        return fault.kind() == FaultKind.DEAD_ELEMENT ? "element is dead" : "port has failed";
    }

    /** Ids of standing faults that a condition picks, in order of injection. */
    List<String> idsWhere(Predicate<Fault> condition) {
        List<String> ids = new ArrayList<>();
        for (Fault fault : state.faults.all()) {
            if (condition.test(fault)) {
                ids.add(fault.id());
            }
        }
        return ids;
    }
}
