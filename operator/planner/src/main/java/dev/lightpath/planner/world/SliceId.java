package dev.lightpath.planner.world;

import java.util.Comparator;

/** The claim of one job attempt on one fabric. */
public record SliceId(String namespace, String name) implements Comparable<SliceId> {
    private static final Comparator<SliceId> ORDER =
            Comparator.comparing(SliceId::namespace).thenComparing(SliceId::name);

    @Override
    public int compareTo(SliceId other) {
        return ORDER.compare(this, other);
    }

    @Override
    public String toString() {
        return namespace + "/" + name;
    }
}
