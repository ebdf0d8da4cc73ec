package dev.lightpath.planner.memory;

import java.util.List;
import java.util.SortedMap;

/**
 * A value with all that it follows from. It holds for the next pass as long as its grounds are the same there
 * ({@link PassMemory#derived}).
 *
 * @param same objects that have to be the very same; of a map, all that it names
 * @param equal values that have to be equal
 */
public record Derived<T>(List<?> same, List<?> equal, T value) {
    public Derived {
        same = List.copyOf(same);
        equal = List.copyOf(equal);
    }

    /** Whether it follows from these grounds too. Linear in entries of maps that are other objects. */
    boolean isOf(List<?> objects, List<?> values) {
        if (same.size() != objects.size() || !equal.equals(values)) {
            return false;
        }
        for (int at = 0; at < same.size(); at++) {
            if (!isSame(same.get(at), objects.get(at))) {
                return false;
            }
        }
        return true;
    }

    @SuppressWarnings({"ReferenceEquality", "unchecked"})
    private static boolean isSame(Object one, Object other) {
        return one == other
                || one instanceof SortedMap<?, ?> map
                        && other instanceof SortedMap<?, ?> beside
                        && FixedMap.sameObjects((SortedMap<Object, Object>) map, (SortedMap<Object, Object>) beside);
    }
}
