package dev.lightpath.planner.memory;

/**
 * A place in the memory of a fabric. Each is a constant beside the code that fills it; two slots are equal only if they
 * are the same. A value carries all that it was derived from, so its reader can tell whether it still holds.
 *
 * @param <T> immutable, compared by value
 */
public final class Slot<T> {
    private final String name;

    /** @param name for people */
    public Slot(String name) {
        this.name = name;
    }

    @Override
    public String toString() {
        return name;
    }

    /** The value as it was put under this slot. */
    @SuppressWarnings("unchecked")
    T cast(Object value) {
        return (T) value;
    }
}
