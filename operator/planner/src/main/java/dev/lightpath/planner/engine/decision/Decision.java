package dev.lightpath.planner.engine.decision;

import dev.lightpath.planner.light.DeviceId;
import dev.lightpath.planner.light.Stage;
import dev.lightpath.planner.world.Allocation;
import dev.lightpath.planner.world.SliceId;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/** The one thing to do after a pass. Started, never awaited. */
public sealed interface Decision {
    /**
     * Nothing to do.
     *
     * @param until when to look again even if nothing is heard
     */
    record Rest(Optional<Instant> until) implements Decision {}

    /**
     * Read devices again before any further write to them.
     *
     * @param devices whose last change had an unknown outcome
     */
    record Observe(SortedSet<DeviceId> devices) implements Decision {}

    /**
     * Write the ledger, in order: where light passes from one slice to another the loser comes before the winner, and
     * a write that fails ends those that come after it and have a node in common with it.
     *
     * @param darkens nodes in use that lose light once that is recorded, as far as it is a repair: they may be told
     *     meanwhile
     */
    record Adopt(List<Entry> entries, SortedSet<String> darkens) implements Decision {
        public Adopt {
            entries = List.copyOf(entries);
            darkens = Collections.unmodifiableSortedSet(new TreeSet<>(darkens));
        }

        /**
         * @param version the resourceVersion this was decided on
         * @param allocation to record
         */
        public record Entry(SliceId slice, String version, Allocation allocation) {}
    }

    /**
     * Change light.
     *
     * @param slices whose light changes; none where no record explains it
     * @param darkens nodes in use that lose light on the way: they are told before
     */
    record Apply(Stage stage, SortedSet<SliceId> slices, SortedSet<String> darkens) implements Decision {
        public Apply {
            slices = Collections.unmodifiableSortedSet(new TreeSet<>(slices));
            darkens = Collections.unmodifiableSortedSet(new TreeSet<>(darkens));
        }
    }
}
