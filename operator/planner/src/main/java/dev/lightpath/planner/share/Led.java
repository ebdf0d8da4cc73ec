package dev.lightpath.planner.share;

import java.util.Collections;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * What one of several replicas leads.
 *
 * @param rest whether it leads what is of no fabric
 */
public record Led(SortedSet<String> fabrics, boolean rest) {
    public Led {
        fabrics = Collections.unmodifiableSortedSet(new TreeSet<>(fabrics));
    }

    public boolean isNothing() {
        return fabrics.isEmpty() && !rest;
    }
}
