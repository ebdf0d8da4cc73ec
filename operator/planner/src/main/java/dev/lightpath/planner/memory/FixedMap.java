package dev.lightpath.planner.memory;

import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A sorted map that never changes, so it is handed on and not copied: from world to world, and from pass to pass. Keys
 * and values lie in two arrays in the order of the keys. A look-up is a binary search. Comparing with another map by
 * identity reads both maps once, in order.
 *
 * @param <K> ordered by itself
 */
public final class FixedMap<K, V> extends AbstractMap<K, V> implements SortedMap<K, V> {
    private final Object[] keys;
    private final Object[] values;

    private FixedMap(Object[] keys, Object[] values) {
        this.keys = keys;
        this.values = values;
    }

    /** This very map if it never changes, else a copy. Linear, or constant. */
    public static <K, V> SortedMap<K, V> copyOf(SortedMap<K, V> map) {
        if (map instanceof FixedMap<K, V>) {
            return map;
        }
        if (map.comparator() != null) {
            throw new IllegalArgumentException("a map with an order of its own: " + map.comparator());
        }
        Object[] keys = new Object[map.size()];
        Object[] values = new Object[keys.length];
        int at = 0;
        for (Map.Entry<K, V> entry : map.entrySet()) {
            keys[at] = entry.getKey();
            values[at] = Objects.requireNonNull(entry.getValue(), () -> "no value for " + entry.getKey());
            at++;
        }
        return new FixedMap<>(keys, values);
    }

    /** Whether both have the same keys, and the very same object for each. Linear, or constant. */
    public static <K, V> boolean sameObjects(SortedMap<K, V> some, SortedMap<K, V> others) {
        if (some == others) {
            return true;
        }
        if (some.size() != others.size()) {
            return false;
        }
        Iterator<Map.Entry<K, V>> other = others.entrySet().iterator();
        for (Map.Entry<K, V> entry : some.entrySet()) {
            Map.Entry<K, V> beside = other.next();
            if (entry.getValue() != beside.getValue() || !isEqual(entry.getKey(), beside.getKey())) {
                return false;
            }
        }
        return true;
    }

    /** What is done with each key of which two maps have not the very same object. */
    @FunctionalInterface
    public interface Change<K, V> {
        /** @param before null if only the later map has the key; likewise {@code now} */
        void of(K key, @Nullable V before, @Nullable V now);
    }

    /**
     * Tells the keys of which both have not the very same object, in order. Linear, without looking at the values, or
     * constant. Maps that may change are copied first.
     */
    public static <K, V> void changes(SortedMap<K, V> before, SortedMap<K, V> now, Change<K, V> each) {
        if (before != now) {
            ((FixedMap<K, V>) copyOf(before)).changes((FixedMap<K, V>) copyOf(now), each);
        }
    }

    private void changes(FixedMap<K, V> now, Change<K, V> each) {
        int at = 0;
        int beside = 0;
        while (at < keys.length && beside < now.keys.length) {
            Object key = keys[at];
            Object other = now.keys[beside];
            int order = isEqual(key, other) ? 0 : compare(key, other);
            if (order == 0) {
                if (values[at] != now.values[beside]) {
                    each.of(now.key(beside), value(at), now.value(beside));
                }
                at++;
                beside++;
            } else if (order < 0) {
                each.of(key(at), value(at), null);
                at++;
            } else {
                each.of(now.key(beside), null, now.value(beside));
                beside++;
            }
        }
        for (; at < keys.length; at++) {
            each.of(key(at), value(at), null);
        }
        for (; beside < now.keys.length; beside++) {
            each.of(now.key(beside), null, now.value(beside));
        }
    }

    @SuppressWarnings("unchecked")
    private static int compare(Object key, Object other) {
        return ((Comparable<Object>) key).compareTo(other);
    }

    /** A map with the same keys, and for each what follows from its value. Linear; the keys are shared. */
    public static <K, V, W> SortedMap<K, W> derived(SortedMap<K, V> map, Function<V, W> value) {
        FixedMap<K, V> of = (FixedMap<K, V>) copyOf(map);
        Object[] derived = new Object[of.keys.length];
        for (int at = 0; at < derived.length; at++) {
            derived[at] = Objects.requireNonNull(value.apply(of.value(at)));
        }
        return new FixedMap<>(of.keys, derived);
    }

    /**
     * The same map with other values for some of its keys. A copy of references, and a look-up for each of these.
     *
     * @throws IllegalArgumentException for a key that the map has not
     */
    public static <K, V> SortedMap<K, V> replacing(SortedMap<K, V> map, Map<K, V> others) {
        FixedMap<K, V> of = (FixedMap<K, V>) copyOf(map);
        Object[] values = of.values.clone();
        others.forEach((key, value) -> {
            int at = of.find(Objects.requireNonNull(key));
            if (at < 0) {
                throw new IllegalArgumentException("no key " + key);
            }
            values[at] = Objects.requireNonNull(value);
        });
        return new FixedMap<>(of.keys, values);
    }

    /** Both maps, which have no key in common. Linear; one of them where the other is empty. */
    public static <K, V> SortedMap<K, V> union(SortedMap<K, V> some, SortedMap<K, V> others) {
        return union(List.of(some, others));
    }

    /**
     * All these maps, of which no two have a key in common. O(entries log maps); one of them where all others are
     * empty.
     */
    public static <K, V> SortedMap<K, V> union(Collection<? extends SortedMap<K, V>> maps) {
        List<SortedMap<K, V>> filled = new ArrayList<>(maps);
        filled.removeIf(SortedMap::isEmpty);
        if (filled.size() < 2) {
            return filled.isEmpty() ? copyOf(new TreeMap<>()) : copyOf(filled.getFirst());
        }
        List<Map.Entry<K, V>> entries = new ArrayList<>();
        filled.forEach(map -> entries.addAll(map.entrySet()));
        // the entries of each map are in order already, so sorting merges them
        entries.sort((some, other) -> compare(some.getKey(), other.getKey()));
        Object[] keys = new Object[entries.size()];
        Object[] values = new Object[keys.length];
        for (int at = 0; at < keys.length; at++) {
            keys[at] = entries.get(at).getKey();
            values[at] = Objects.requireNonNull(entries.get(at).getValue());
            if (at > 0 && isEqual(keys[at - 1], keys[at])) {
                throw new IllegalArgumentException("two maps have " + keys[at]);
            }
        }
        return new FixedMap<>(keys, values);
    }

    private static boolean isEqual(Object key, Object other) {
        return key == other || key.equals(other);
    }

    @SuppressWarnings("unchecked")
    private int find(Object key) {
        return Arrays.binarySearch(keys, key, (Comparator<Object>) (Comparator<?>) Comparator.naturalOrder());
    }

    @SuppressWarnings("unchecked")
    private K key(int at) {
        return (K) keys[at];
    }

    @SuppressWarnings("unchecked")
    private V value(int at) {
        return (V) values[at];
    }

    @Override
    public @Nullable V get(Object key) {
        int at = find(key);
        return at < 0 ? null : value(at);
    }

    @Override
    public boolean containsKey(Object key) {
        return find(key) >= 0;
    }

    @Override
    public int size() {
        return keys.length;
    }

    @Override
    public void forEach(BiConsumer<? super K, ? super V> action) {
        for (int at = 0; at < keys.length; at++) {
            action.accept(key(at), value(at));
        }
    }

    @Override
    @SuppressWarnings("unchecked")
    public Collection<V> values() {
        return (Collection<V>) Collections.unmodifiableList(Arrays.asList(values));
    }

    @Override
    public Set<Map.Entry<K, V>> entrySet() {
        return new AbstractSet<>() {
            @Override
            public Iterator<Map.Entry<K, V>> iterator() {
                return new Entries();
            }

            @Override
            public int size() {
                return keys.length;
            }
        };
    }

    /** In order of keys. */
    private final class Entries implements Iterator<Map.Entry<K, V>> {
        private int next;

        @Override
        public boolean hasNext() {
            return next < keys.length;
        }

        @Override
        public Map.Entry<K, V> next() {
            if (next == keys.length) {
                throw new NoSuchElementException();
            }
            Map.Entry<K, V> entry = Map.entry(key(next), value(next));
            next++;
            return entry;
        }
    }

    @Override
    public @Nullable Comparator<? super K> comparator() {
        return null;
    }

    @Override
    public SortedMap<K, V> subMap(K from, K to) {
        return range(first(from), first(to));
    }

    @Override
    public SortedMap<K, V> headMap(K to) {
        return range(0, first(to));
    }

    @Override
    public SortedMap<K, V> tailMap(K from) {
        return range(first(from), keys.length);
    }

    /** Of the keys from there on. */
    private int first(Object key) {
        int at = find(key);
        return at < 0 ? -at - 1 : at;
    }

    private SortedMap<K, V> range(int from, int to) {
        return new FixedMap<>(Arrays.copyOfRange(keys, from, to), Arrays.copyOfRange(values, from, to));
    }

    @Override
    public K firstKey() {
        return end(0);
    }

    @Override
    public K lastKey() {
        return end(keys.length - 1);
    }

    private K end(int at) {
        if (keys.length == 0) {
            throw new NoSuchElementException("the map is empty");
        }
        return key(at);
    }
}
