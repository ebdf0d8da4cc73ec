package dev.lightpath.planner.memory;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A value that is worked out when it is first asked for, and then kept. Serves one thread.
 *
 * @param <T> never null
 */
public final class Lazy<T> {
    private final Supplier<T> source;
    private @Nullable T value;

    public Lazy(Supplier<T> source) {
        this.source = source;
    }

    public T get() {
        T known = value;
        if (known == null) {
            known = source.get();
            value = known;
        }
        return known;
    }
}
