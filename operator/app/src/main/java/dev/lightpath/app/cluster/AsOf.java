package dev.lightpath.app.cluster;

import java.util.Optional;
import java.util.function.Supplier;

/**
 * What was worked out as of a count of changes, until that is another number. Thread-safe; two threads may both work it
 * out.
 */
final class AsOf<T> {
    private record Known<T>(long count, T value) {}

    private volatile Optional<Known<T>> last = Optional.empty();

    /**
     * @param count read before anything that the value is worked out from: a change in between is seen the next time
     */
    T get(long count, Supplier<T> anew) {
        Optional<Known<T>> known = last.filter(before -> before.count() == count);
        if (known.isPresent()) {
            return known.get().value();
        }
        T value = anew.get();
        last = Optional.of(new Known<>(count, value));
        return value;
    }
}
