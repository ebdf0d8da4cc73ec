package dev.lightpath.app.driver;

import java.time.Instant;
import java.util.Optional;

/**
 * Something changed at a driver.
 *
 * @param driver endpoint
 * @param device empty when the driver as a whole is concerned
 * @param receivedAt when the event arrived here
 */
public record FleetChange(String driver, Optional<String> device, Kind kind, Instant receivedAt) {
    /** What changed. */
    public enum Kind {
        /** How we stand with the driver. */
        CONTACT,
        /** Circuits, or an operation on them. */
        CIRCUITS,
        /** What ports receive. */
        PORTS,
        /** Alarms, ports that cease to work or work again, a device gone silent, back, removed or power-cycled. */
        DEVICE
    }
}
