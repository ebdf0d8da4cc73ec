package dev.lightpath.planner.world;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What somebody wrote and this version does not understand, each with the reason for a person.
 *
 * @param fabrics that contradict themselves: they are left alone, the others are cared for
 * @param records of slices: nobody knows which nodes they hold, so nothing at all is written until they can be read
 * @param carried records of deleted slices in the care of their jobs: such a slice is given nothing, and as long as it has
 *     no record of its own the light of its fabric that nobody explains may be its
 */
public record Illegible(
        SortedMap<String, String> fabrics, SortedMap<SliceId, String> records, SortedMap<SliceId, String> carried) {
    public Illegible {
        fabrics = Collections.unmodifiableSortedMap(new TreeMap<>(fabrics));
        records = Collections.unmodifiableSortedMap(new TreeMap<>(records));
        carried = Collections.unmodifiableSortedMap(new TreeMap<>(carried));
    }

    public static Illegible none() {
        return new Illegible(new TreeMap<>(), new TreeMap<>(), new TreeMap<>());
    }
}
