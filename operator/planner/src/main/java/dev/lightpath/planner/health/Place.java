package dev.lightpath.planner.health;

import java.util.Comparator;

/** A port of a device, by the names that its driver uses. */
public record Place(String device, String port) implements Comparable<Place> {
    private static final Comparator<Place> ORDER =
            Comparator.comparing(Place::device).thenComparing(Place::port);

    @Override
    public int compareTo(Place other) {
        return ORDER.compare(this, other);
    }

    @Override
    public String toString() {
        return device + "/" + port;
    }
}
