package dev.lightpath.planner.share;

import java.util.Collections;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What a replica does about Leases after a look at them, in this order. Each write is refused unless the Lease still
 * has that version.
 *
 * @param write to be taken or renewed, with the version that was seen; an empty one where there is no Lease
 * @param give to be given back, once nothing of it is led any more
 * @param remove what nobody needs any more, with the version that was seen
 */
public record LeaseActions(SortedMap<Seat, String> write, SortedSet<Seat> give, SortedMap<Seat, String> remove) {
    public LeaseActions {
        write = Collections.unmodifiableSortedMap(new TreeMap<>(write));
        give = Collections.unmodifiableSortedSet(new TreeSet<>(give));
        remove = Collections.unmodifiableSortedMap(new TreeMap<>(remove));
    }
}
