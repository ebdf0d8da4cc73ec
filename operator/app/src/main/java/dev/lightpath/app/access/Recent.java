package dev.lightpath.app.access;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Answers of the last seconds, no more than so many. */
final class Recent<K, V> {
    private record Dated<V>(V value, long atNanos) {}

    private final long trustedNanos;
    private final LongSupplier nanoTime;
    private final Map<K, Dated<V>> answers;

    /**
     * @param most answers that are kept; the oldest goes
     * @param trusted how long an answer counts
     */
    Recent(int most, Duration trusted, LongSupplier nanoTime) {
        this.trustedNanos = trusted.toNanos();
        this.nanoTime = nanoTime;
        this.answers = new LinkedHashMap<>() {
            @Override
            protected boolean removeEldestEntry(Map.Entry<K, Dated<V>> eldest) {
                return size() > most;
            }
        };
    }

    /** Null when there is none that counts. */
    synchronized @Nullable V get(K key) {
        Dated<V> dated = answers.get(key);
        if (dated == null) {
            return null;
        }
        if (nanoTime.getAsLong() - dated.atNanos() >= trustedNanos) {
            answers.remove(key);
            return null;
        }
        return dated.value();
    }

    synchronized void put(K key, V value) {
        answers.remove(key);
        answers.put(key, new Dated<>(value, nanoTime.getAsLong()));
    }
}
