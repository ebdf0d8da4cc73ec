package dev.lightpath.planner.light;

import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The circuits to take down and to make on one device, in that order, in one transaction.
 *
 * @param expectedDigest the state this was planned on; the driver refuses it on any other
 */
public record DeviceChange(
        DeviceId device, String expectedDigest, SortedSet<Circuit> disconnects, SortedSet<Circuit> connects) {
    public DeviceChange {
        disconnects = java.util.Collections.unmodifiableSortedSet(new TreeSet<>(disconnects));
        connects = java.util.Collections.unmodifiableSortedSet(new TreeSet<>(connects));
        if (disconnects.isEmpty() && connects.isEmpty()) {
            throw new IllegalArgumentException("a change of nothing on " + device);
        }
    }

    /** Whether all circuits of another change of the same device are among those of this one. */
    public boolean includes(DeviceChange other) {
        return device.equals(other.device)
                && disconnects.containsAll(other.disconnects)
                && connects.containsAll(other.connects);
    }

    /**
     * This and another change of the same state of the device in one.
     *
     * @throws IllegalArgumentException when they are of different devices or states
     */
    public DeviceChange and(DeviceChange other) {
        if (!device.equals(other.device) || !expectedDigest.equals(other.expectedDigest)) {
            throw new IllegalArgumentException("changes of " + device + " at " + expectedDigest + " and of "
                    + other.device + " at " + other.expectedDigest + " are not one");
        }
        SortedSet<Circuit> down = new TreeSet<>(disconnects);
        down.addAll(other.disconnects);
        SortedSet<Circuit> up = new TreeSet<>(connects);
        up.addAll(other.connects);
        return new DeviceChange(device, expectedDigest, down, up);
    }
}
