package dev.lightpath.app.solving;

import dev.lightpath.app.RoundRobin;
import dev.lightpath.planner.ask.Asked;
import java.util.Collection;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;

/**
 * Which question is searched next: that of the namespace with the fewest searches under way, of equals the one that had
 * its turn longest ago. Whatever other namespaces ask, the next place that is free goes to a namespace that has none.
 * What is foreseen is searched while nothing else waits, one at a time. Not thread-safe.
 */
final class SearchTurns {
    /** Searches of one namespace at a time: of the places of the pool, one is left to others. */
    static final int MOST_OF_ONE = 3;

    /** Places for repairs alone, beside those for all. */
    static final int FOR_REPAIRS = 1;

    private final RoundRobin<String, Asked> waiting = new RoundRobin<>(Comparator.comparing(Asked::urgency));

    void add(String digest, Asked asked) {
        asked.namespaces().forEach(namespace -> waiting.add(namespace, digest, asked));
    }

    /** Questions that nobody asks any more wait no longer. */
    void retain(SortedMap<String, Asked> questions) {
        waiting.retain((namespace, digest) -> {
            Asked asked = questions.get(digest);
            return asked != null && asked.namespaces().contains(namespace);
        });
    }

    /**
     * Takes the next.
     *
     * @param underWay what is searched
     * @param places for all, those of {@code underWay} included
     */
    Optional<String> next(Collection<Asked> underWay, int places) {
        boolean idle =
                !waiting.any(asked -> !asked.isForeseen()) && underWay.stream().noneMatch(Asked::isForeseen);
        return waiting.next(
                        namespace -> of(namespace, underWay),
                        asked ->
                                (idle || !asked.isForeseen()) && underWay.size() < places && isLeftRoom(asked, underWay)
                                        || asked.repairs() && underWay.size() < places + FOR_REPAIRS)
                .map(Map.Entry::getKey);
    }

    private static boolean isLeftRoom(Asked asked, Collection<Asked> underWay) {
        return asked.namespaces().stream().anyMatch(namespace -> of(namespace, underWay) < MOST_OF_ONE);
    }

    private static int of(String namespace, Collection<Asked> underWay) {
        return (int) underWay.stream()
                .filter(asked -> asked.namespaces().contains(namespace))
                .count();
    }

    boolean isEmpty() {
        return waiting.isEmpty();
    }

    void clear() {
        waiting.clear();
    }
}
