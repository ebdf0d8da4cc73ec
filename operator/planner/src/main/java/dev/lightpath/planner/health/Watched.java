package dev.lightpath.planner.health;

import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * What one device tells now.
 *
 * @param said stands for all that it tells: as long as it is the same object, nothing has changed
 * @param peers names those whose ports its own are compared with
 * @param readings by port; asked only if something has changed
 * @param has whether it has a port of that name: the history of any other is dropped
 * @param through the switch that the light of a port passes, where that is known
 */
public record Watched(
        Object said,
        String peers,
        Supplier<SortedMap<String, Reading>> readings,
        Predicate<String> has,
        Function<String, Optional<String>> through) {
    private static final Object SILENCE = "silence";

    /** A device that exists and tells nothing now: its histories stay, and none of its ports degrades. */
    public static Watched silent(String peers) {
        return new Watched(SILENCE, peers, TreeMap::new, port -> true, port -> Optional.empty());
    }
}
