package dev.lightpath.sim.core.fault;

import dev.lightpath.sim.core.plant.Cabling;
import dev.lightpath.sim.core.plant.DeviceKind;
import dev.lightpath.sim.core.plant.DeviceSpec;
import dev.lightpath.sim.core.plant.Plant;
import dev.lightpath.sim.core.plant.PortSide;
import java.util.ArrayList;
import java.util.List;

/** Turns the names of a fault request into devices and ports, or says why they are wrong. */
public final class FaultResolver {
    private final Plant plant;
    private final Cabling cabling;

    public FaultResolver(Plant plant, Cabling cabling) {
        this.plant = plant;
        this.cabling = cabling;
    }

    public Fault resolve(FaultRequest request, String id, long nowNanos) {
        FaultKind kind = request.kind();
        if (request.durationMillis() < 0) {
            throw new IllegalArgumentException("duration " + request.durationMillis() + " ms, it must not be negative");
        }
        if (!(request.value() >= 0) || Double.isInfinite(request.value())) {
            throw new IllegalArgumentException("value " + request.value() + ", it must be finite and not negative");
        }
        int device = request.deviceId().isEmpty() ? -1 : plant.findDevice(request.deviceId());
        if (device < 0 && (!request.deviceId().isEmpty() || kind.place() != FaultKind.Place.CALL)) {
            throw new IllegalArgumentException("unknown device '" + request.deviceId() + "'");
        }
        if (kind.place() != FaultKind.Place.PORT && !request.where().isEmpty()) {
            throw new IllegalArgumentException(
                    kind + " concerns a whole device, but port, path or module '" + request.where() + "' is given");
        }
        if (kind != FaultKind.SWAPPED_PAIR && !request.otherPort().isEmpty()) {
            throw new IllegalArgumentException("other_port belongs to SWAPPED_PAIR only");
        }
        List<Integer> ports = kind.place() == FaultKind.Place.PORT ? ports(device, request) : List.of();
        int other = request.otherPort().isEmpty() ? -1 : otherPort(device, request.otherPort());
        if (other >= 0 && (ports.size() != 1 || ports.getFirst() == other)) {
            throw new IllegalArgumentException("SWAPPED_PAIR exchanges two different ports");
        }
        double value = request.value() == 0 ? kind.defaultValue() : request.value();
        return new Fault(id, request, device, ports, other, value, nowNanos);
    }

    private List<Integer> ports(int device, FaultRequest request) {
        DeviceSpec spec = plant.device(device);
        String where = request.where();
        if (where.isEmpty()) {
            throw new IllegalArgumentException(request.kind() + " needs a port, path or module of " + spec.id());
        }
        List<Integer> named = new ArrayList<>();
        int module = spec.modulePlace(where);
        if (module >= 0) {
            int common = plant.firstPort(device) + module * DeviceSpec.PORTS_PER_MODULE;
            for (int port = common; port < common + DeviceSpec.PORTS_PER_MODULE; port++) {
                named.add(port);
            }
        } else {
            int arrow = where.indexOf("->");
            boolean transceivers = spec.kind() == DeviceKind.TRANSCEIVERS;
            String name = arrow < 0 ? where : transceivers ? where.substring(arrow + 2) : where.substring(0, arrow);
            named.add(port(device, name));
        }
        List<Integer> fit = new ArrayList<>();
        for (int port : named) {
            int at = selectorFault(request.kind()) && spec.kind() == DeviceKind.TRANSCEIVERS
                    ? plant.commonOf(port)
                    : port;
            if (fits(request.kind(), at) && !fit.contains(at)) {
                fit.add(at);
            }
        }
        if (fit.isEmpty()) {
            throw new IllegalArgumentException(request.kind() + " cannot happen at " + spec.id() + "/" + where);
        }
        return fit;
    }

    private int port(int device, String name) {
        int port = plant.findPort(device, name);
        if (port < 0) {
            DeviceSpec spec = plant.device(device);
            throw new IllegalArgumentException("unknown port " + spec.id() + "/" + name + ", ports are "
                    + spec.portName(0) + ".." + spec.portName(spec.ports() - 1));
        }
        return port;
    }

    private int otherPort(int device, String text) {
        int slash = text.indexOf('/');
        int owner = slash < 0 ? device : plant.findDevice(text.substring(0, slash));
        if (owner < 0) {
            throw new IllegalArgumentException("unknown device in other_port '" + text + "'");
        }
        int port = port(owner, text.substring(slash + 1));
        if (!fits(FaultKind.SWAPPED_PAIR, port)) {
            throw new IllegalArgumentException("no fibre in other_port '" + text + "'");
        }
        return port;
    }

    /** Faults of the element itself; a transceiver module has one, its selector. */
    private static boolean selectorFault(FaultKind kind) {
        return kind == FaultKind.STUCK_ELEMENT
                || kind == FaultKind.DISCONNECT_IGNORED
                || kind == FaultKind.WRONG_ELEMENT;
    }

    private boolean fits(FaultKind kind, int port) {
        DeviceKind device = plant.kindOf(port);
        return switch (kind) {
            case FIBRE_CUT, SWAPPED_PAIR -> cabling.to(port) >= 0 || cabling.from(port) >= 0;
            case TRANSMITTER_FAILED, RECEIVER_FAILED ->
                device != DeviceKind.SWITCH && plant.side(port) != PortSide.COMMON;
            case STUCK_ELEMENT, DISCONNECT_IGNORED, WRONG_ELEMENT -> device != DeviceKind.ENDPOINTS;
            case DEAD_ELEMENT,
                    PORT_FAILED,
                    PORT_FAILED_SILENT,
                    INTERMITTENT,
                    DIRTY_CONNECTOR,
                    LOSS_DRIFT,
                    POWER_LOSS,
                    MANAGEMENT_RESTART,
                    UNREACHABLE,
                    DEVICE_REPLACED,
                    TEMPERATURE,
                    POWER_SUPPLY,
                    FAN,
                    SLOW_MOVES,
                    LIE_OK_BEFORE_TUNED,
                    LIE_CONFIG_ECHO,
                    LIE_STALE_CACHE,
                    LIE_FALSE_OK,
                    CALL_DELAY,
                    CALL_DROP,
                    CALL_HALF_OPEN,
                    CALL_DUPLICATE,
                    CALL_REFUSED -> true;
        };
    }
}
