package dev.lightpath.planner.health;

import java.util.Comparator;

/**
 * A port of a device, by the names that its driver uses.
 *
 * @param port empty: the device as a whole
 */
public record Place(String device, String port) implements Comparable<Place> {
    private static final Comparator<Place> ORDER =
            Comparator.comparing(Place::device).thenComparing(Place::port);

    @Override
    public int compareTo(Place other) {
        return ORDER.compare(this, other);
    }

    /** Whether it is a device as a whole. */
    public boolean isWhole() {
        return port.isEmpty();
    }

    @Override
    public String toString() {
        return isWhole() ? device : device + "/" + port;
    }
}
