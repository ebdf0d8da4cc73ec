package dev.lightpath.app.loop;

import dev.lightpath.planner.world.RingIntent;
import dev.lightpath.planner.world.SliceId;
import dev.lightpath.planner.world.SliceIntent;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What the cluster asks for at one moment.
 *
 * @param rings fabrics of transceivers, by name
 * @param slices claims on any fabric
 * @param impossible fabrics that contradict themselves, and how
 */
public record Wishes(
        SortedMap<String, RingIntent> rings,
        SortedMap<SliceId, SliceIntent> slices,
        SortedMap<String, String> impossible) {
    public Wishes {
        impossible = Collections.unmodifiableSortedMap(new TreeMap<>(impossible));
        rings = Collections.unmodifiableSortedMap(new TreeMap<>(rings));
        slices = Collections.unmodifiableSortedMap(new TreeMap<>(slices));
    }
}
