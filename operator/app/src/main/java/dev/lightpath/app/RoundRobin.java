package dev.lightpath.app;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.function.BiPredicate;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;

/**
 * What waits, in turns between owners: the owner with the least under way comes first, of equals the one that was
 * served longest ago. Among what one owner waits for, the most urgent comes first, of equals what came first. Not
 * thread-safe.
 *
 * @param <K> names what waits, whichever owners wait for it
 */
public final class RoundRobin<K, V> {
    /** Owners whose last turn is remembered; others count as never served. */
    private static final int MOST_REMEMBERED = 4096;

    private final Map<String, SequencedMap<K, V>> owners = new LinkedHashMap<>();
    /** When each owner was served last, by a count of turns; the earliest first. */
    private final SequencedMap<String, Long> served = new LinkedHashMap<>();

    private final Comparator<V> urgency;
    private long turns;

    /** @param urgency puts the most urgent first */
    public RoundRobin(Comparator<V> urgency) {
        this.urgency = urgency;
    }

    /** Adds what an owner waits for; what waits already keeps its place under the new value. O(1). */
    public void add(String owner, K key, V value) {
        owners.computeIfAbsent(owner, of -> new LinkedHashMap<>()).put(key, value);
    }

    /** Leaves only what is still wanted of each owner. O(n). */
    public void retain(BiPredicate<String, K> wanted) {
        owners.forEach((owner, waiting) -> waiting.keySet().removeIf(key -> !wanted.test(owner, key)));
        owners.values().removeIf(Map::isEmpty);
    }

    /**
     * Takes the next for all owners that wait for it, who all have had their turn then. O(n + owners log owners).
     *
     * @param underWay how much of an owner is under way
     * @param may what may be taken now
     */
    public Optional<Map.Entry<K, V>> next(ToIntFunction<String> underWay, Predicate<V> may) {
        List<String> order = new ArrayList<>(owners.keySet());
        order.sort(Comparator.comparingInt(underWay).thenComparing(owner -> served.getOrDefault(owner, 0L)));
        for (String owner : order) {
            Optional<Map.Entry<K, V>> next = Optional.ofNullable(owners.get(owner)).stream()
                    .flatMap(waiting -> waiting.entrySet().stream())
                    .filter(each -> may.test(each.getValue()))
                    .min(Map.Entry.comparingByValue(urgency))
                    .map(each -> Map.entry(each.getKey(), each.getValue()));
            if (next.isPresent()) {
                take(next.get().getKey());
                return next;
            }
        }
        return Optional.empty();
    }

    private void take(K key) {
        turns++;
        owners.forEach((owner, waiting) -> {
            if (waiting.remove(key) != null) {
                served.putLast(owner, turns);
            }
        });
        owners.values().removeIf(Map::isEmpty);
        while (served.size() > MOST_REMEMBERED) {
            served.pollFirstEntry();
        }
    }

    /** Whether any such waits. O(n). */
    public boolean any(Predicate<V> such) {
        return owners.values().stream()
                .flatMap(waiting -> waiting.values().stream())
                .anyMatch(such);
    }

    /** Whether nothing waits. */
    public boolean isEmpty() {
        return owners.isEmpty();
    }

    /** Nothing waits any more. */
    public void clear() {
        owners.clear();
    }
}
