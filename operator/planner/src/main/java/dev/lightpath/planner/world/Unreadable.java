package dev.lightpath.planner.world;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Objects that this version cannot read, each with the reason for a person.
 *
 * @param fabrics that contradict themselves: they are not changed, the others are served
 * @param records of slices. It is unknown which nodes they hold, so nothing at all is written until they can be read
 */
public record Unreadable(SortedMap<String, String> fabrics, SortedMap<SliceId, String> records) {
    public Unreadable {
        fabrics = Collections.unmodifiableSortedMap(new TreeMap<>(fabrics));
        records = Collections.unmodifiableSortedMap(new TreeMap<>(records));
    }

    public static Unreadable none() {
        return new Unreadable(new TreeMap<>(), new TreeMap<>());
    }
}
