package dev.lightpath.app.loop;

import dev.lightpath.planner.memory.FixedMap;
import dev.lightpath.planner.world.Lineage;
import dev.lightpath.planner.world.OcsIntent;
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
 * @param ocsFabrics fabrics of optical switches, by name
 * @param unreadable slices that hold something and whose demand this version does not understand, and why
 * @param lineages what fabrics tell by now of the past of their records, by name
 */
public record DesiredState(
        SortedMap<String, RingIntent> rings,
        SortedMap<SliceId, SliceIntent> slices,
        SortedMap<String, String> impossible,
        SortedMap<String, OcsIntent> ocsFabrics,
        SortedMap<SliceId, String> unreadable,
        SortedMap<String, Lineage> lineages) {
    public DesiredState {
        unreadable = Collections.unmodifiableSortedMap(new TreeMap<>(unreadable));
        impossible = Collections.unmodifiableSortedMap(new TreeMap<>(impossible));
        ocsFabrics = FixedMap.copyOf(ocsFabrics);
        rings = FixedMap.copyOf(rings);
        slices = FixedMap.copyOf(slices);
        lineages = FixedMap.copyOf(lineages);
    }
}
