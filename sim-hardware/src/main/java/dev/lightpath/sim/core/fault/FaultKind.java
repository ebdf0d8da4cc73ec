package dev.lightpath.sim.core.fault;

/** What can break, and how hardware and its calls can lie. One per line of the driver contract's section 3. */
public enum FaultKind {
    /** The element passes no light and does not move; the device says so. */
    DEAD_ELEMENT(Place.PORT, 0),
    /** The element stays where it is. */
    STUCK_ELEMENT(Place.PORT, 0),
    /** No light passes and the device says so. */
    PORT_FAILED(Place.PORT, 0),
    /** No light passes and the device reads ok. */
    PORT_FAILED_SILENT(Place.PORT, 0),
    /** Disconnects are acknowledged and the light stays. */
    DISCONNECT_IGNORED(Place.PORT, 0),
    /** Connects land on another egress unnoticed. */
    WRONG_ELEMENT(Place.PORT, 0),
    /** Light comes and goes; mean time between changes in ms. */
    INTERMITTENT(Place.PORT, 1000),
    /** More loss, in dB. */
    DIRTY_CONNECTOR(Place.PORT, 3),
    /** Loss grows, in dB an hour. */
    LOSS_DRIFT(Place.PORT, 1),
    /** The fibre is cut both ways. */
    FIBRE_CUT(Place.PORT, 0),
    /** Two fibres are exchanged, or the strands of one are crossed. */
    SWAPPED_PAIR(Place.PORT, 0),
    /** Sends no light. */
    TRANSMITTER_FAILED(Place.PORT, 0),
    /** Receives no light. */
    RECEIVER_FAILED(Place.PORT, 0),
    /** No power. */
    POWER_LOSS(Place.DEVICE, 0),
    /** The management restarts; light stays. */
    MANAGEMENT_RESTART(Place.DEVICE, 0),
    /** The management does not answer. */
    UNREACHABLE(Place.DEVICE, 0),
    /** The device is replaced by another one. */
    DEVICE_REPLACED(Place.DEVICE, 0),
    /** Temperature in degrees Celsius. */
    TEMPERATURE(Place.DEVICE, 85),
    /** A power supply failed. */
    POWER_SUPPLY(Place.DEVICE, 0),
    /** A fan failed. */
    FAN(Place.DEVICE, 0),
    /** Moves take longer by this factor. */
    SLOW_MOVES(Place.DEVICE, 10),
    /** L1: says TUNED before it is. */
    LIE_OK_BEFORE_TUNED(Place.DEVICE, 0),
    /** L2: reports the commanded configuration. */
    LIE_CONFIG_ECHO(Place.DEVICE, 0),
    /** L3: reports the past, refreshed every so many ms, never when 0. */
    LIE_STALE_CACHE(Place.DEVICE, 0),
    /** L4: says and reports TUNED, moves nothing. */
    LIE_FALSE_OK(Place.DEVICE, 0),
    /** Calls wait, in ms of real time. */
    CALL_DELAY(Place.CALL, 1000),
    /** Calls are carried out and never answered. */
    CALL_DROP(Place.CALL, 0),
    /** Calls are neither carried out nor answered. */
    CALL_HALF_OPEN(Place.CALL, 0),
    /** Changes are carried out twice. */
    CALL_DUPLICATE(Place.CALL, 0),
    /** Calls fail. */
    CALL_REFUSED(Place.CALL, 0);

    private final Place place;
    private final double defaultValue;

    FaultKind(Place place, double defaultValue) {
        this.place = place;
        this.defaultValue = defaultValue;
    }

    /** Place of faults of this kind. */
    public Place place() {
        return place;
    }

    /** The value that is used for 0. */
    public double defaultValue() {
        return defaultValue;
    }

    /** Place of a fault. */
    public enum Place {
        /** At a port, a path or all ports of a module. */
        PORT,
        /** At a whole device. */
        DEVICE,
        /** In the calls to one device or to all. */
        CALL
    }
}
