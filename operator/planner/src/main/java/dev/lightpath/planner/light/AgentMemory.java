package dev.lightpath.planner.light;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What the driver of a single device says of writers other than this process: see {@link DriverState}. All is empty
 * where another role holds its device.
 *
 * @param strange by role, an epoch that this installation never gave
 * @param revisions by role, the highest revision of records
 * @param overtaken whether it tells of an epoch above ours, and it is not known yet whose that is
 */
public record AgentMemory(SortedMap<String, EpochMark> strange, SortedMap<String, Long> revisions, boolean overtaken) {
    public AgentMemory {
        strange = Collections.unmodifiableSortedMap(new TreeMap<>(strange));
        revisions = Collections.unmodifiableSortedMap(new TreeMap<>(revisions));
    }

    public boolean isEmpty() {
        return strange.isEmpty() && revisions.isEmpty() && !overtaken;
    }
}
