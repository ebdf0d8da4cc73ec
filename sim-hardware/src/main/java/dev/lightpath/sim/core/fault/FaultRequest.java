package dev.lightpath.sim.core.fault;

import dev.lightpath.sim.core.plant.Cabling;
import dev.lightpath.sim.core.plant.Plant;

/**
 * A request for a fault, by names.
 *
 * @param deviceId the device; empty for calls of all devices
 * @param where port, path or module; empty for a whole device
 * @param kind kind of fault
 * @param value how strong; 0 means the kind's default
 * @param durationMillis how long in emulated time; 0 until cleared
 * @param otherPort second port of an exchange, {@code port} or {@code device/port}; empty otherwise
 */
public record FaultRequest(
        String deviceId, String where, FaultKind kind, double value, long durationMillis, String otherPort) {
    /** A fault without strength, end or second port. */
    public static FaultRequest of(String deviceId, String where, FaultKind kind) {
        return new FaultRequest(deviceId, where, kind, 0, 0, "");
    }

    /** The same for a while. */
    public FaultRequest lasting(long millis) {
        return new FaultRequest(deviceId, where, kind, value, millis, otherPort);
    }

    /** The same with a strength. */
    public FaultRequest withValue(double strength) {
        return new FaultRequest(deviceId, where, kind, strength, durationMillis, otherPort);
    }

    /** The same with a second port. */
    public FaultRequest withOtherPort(String port) {
        return new FaultRequest(deviceId, where, kind, value, durationMillis, port);
    }

    /**
     * Checks the names against a plant.
     *
     * @throws IllegalArgumentException when they name nothing that can break that way
     */
    public void check(Plant plant, Cabling cabling) {
        new FaultResolver(plant, cabling).resolve(this, "check", 0);
    }
}
