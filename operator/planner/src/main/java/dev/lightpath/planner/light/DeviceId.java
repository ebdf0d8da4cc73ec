package dev.lightpath.planner.light;

import java.util.Comparator;

/**
 * One device behind a driver.
 *
 * @param driver endpoint of the driver server, host:port
 * @param device the name the driver gives it: the node's name for the transceivers of a node
 */
public record DeviceId(String driver, String device) implements Comparable<DeviceId> {
    private static final Comparator<DeviceId> ORDER =
            Comparator.comparing(DeviceId::device).thenComparing(DeviceId::driver);

    @Override
    public int compareTo(DeviceId other) {
        return ORDER.compare(this, other);
    }

    @Override
    public String toString() {
        return device + "@" + driver;
    }
}
