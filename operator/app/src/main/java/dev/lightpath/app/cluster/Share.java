package dev.lightpath.app.cluster;

import java.util.Collection;
import java.util.Collections;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * What of a cluster one process leads: all of it, or some fabrics with all that names them.
 *
 * @param whole whether it leads everything there is and will be
 * @param fabrics those that it leads; of no meaning for the whole
 * @param rest whether it leads what is of no fabric
 */
public record Share(boolean whole, SortedSet<String> fabrics, boolean rest) {
    public static final Share WHOLE = new Share(true, Collections.emptySortedSet(), true);
    public static final Share NOTHING = new Share(false, Collections.emptySortedSet(), false);

    public Share {
        fabrics = Collections.unmodifiableSortedSet(new TreeSet<>(fabrics));
    }

    /** @param rest whether what is of no fabric belongs to it as well */
    public static Share of(Collection<String> fabrics, boolean rest) {
        return new Share(false, new TreeSet<>(fabrics), rest);
    }

    /** Whether a fabric is led; one that is new is not before the process was elected for it. */
    public boolean leads(String fabric) {
        return whole || fabrics.contains(fabric);
    }

    public boolean isNothing() {
        return !whole && fabrics.isEmpty() && !rest;
    }
}
