package dev.lightpath.planner.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class FixedMapTest {
    private static final int MAPS = 200;
    private static final int MOST_KEYS = 12;

    @Test
    void tellsWhatTheMapTellsThatItIsACopyOf() {
        Random random = new Random(1);
        for (int map = 0; map < MAPS; map++) {
            TreeMap<Integer, String> tree = random(random);
            SortedMap<Integer, String> fixed = FixedMap.copyOf(tree);
            assertThat(fixed).isEqualTo(tree).hasSameHashCodeAs(tree);
            assertThat(tree).isEqualTo(fixed);
            assertThat(List.copyOf(fixed.keySet())).isEqualTo(List.copyOf(tree.keySet()));
            assertThat(List.copyOf(fixed.values())).isEqualTo(List.copyOf(tree.values()));
            List<String> told = new ArrayList<>();
            fixed.forEach((key, value) -> told.add(key + value));
            assertThat(told).hasSameSizeAs(tree.keySet());
            for (int key = -1; key <= 2 * MOST_KEYS; key++) {
                assertThat(fixed.get(key)).isEqualTo(tree.get(key));
                assertThat(fixed.containsKey(key)).isEqualTo(tree.containsKey(key));
                assertThat(fixed.headMap(key)).isEqualTo(tree.headMap(key));
                assertThat(fixed.tailMap(key)).isEqualTo(tree.tailMap(key));
                assertThat(fixed.subMap(key, key + 3)).isEqualTo(tree.subMap(key, key + 3));
            }
            if (!tree.isEmpty()) {
                assertThat(fixed.firstKey()).isEqualTo(tree.firstKey());
                assertThat(fixed.lastKey()).isEqualTo(tree.lastKey());
            }
        }
    }

    @Test
    void isHandedOnAndNotCopied() {
        SortedMap<Integer, String> fixed = FixedMap.copyOf(new TreeMap<>(java.util.Map.of(1, "a")));
        assertThat(FixedMap.copyOf(fixed)).isSameAs(fixed);
    }

    @Test
    void staysAsItIsWhateverBecomesOfWhatWasCopied() {
        TreeMap<Integer, String> tree = new TreeMap<>(java.util.Map.of(1, "a"));
        SortedMap<Integer, String> fixed = FixedMap.copyOf(tree);
        tree.put(2, "b");
        assertThat(fixed).hasSize(1);
        assertThatThrownBy(() -> fixed.put(3, "c")).isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(() -> fixed.values().clear()).isInstanceOf(UnsupportedOperationException.class);
    }

    @Test
    void equalObjectsAreNotTheSame() {
        String one = new String("a");
        SortedMap<Integer, String> some = FixedMap.copyOf(new TreeMap<>(java.util.Map.of(1, one)));
        SortedMap<Integer, String> same = new TreeMap<>(java.util.Map.of(1, one));
        SortedMap<Integer, String> equal = new TreeMap<>(java.util.Map.of(1, new String("a")));
        assertThat(FixedMap.sameObjects(some, same)).isTrue();
        assertThat(FixedMap.sameObjects(some, equal)).isFalse();
        assertThat(FixedMap.sameObjects(some, new TreeMap<>(java.util.Map.of(2, one))))
                .isFalse();
        assertThat(FixedMap.sameObjects(some, new TreeMap<>())).isFalse();
    }

    /** What two maps do not share is just what a look at each key tells. */
    @Test
    void tellsTheKeysOfWhichBothHaveNotTheSameObject() {
        Random random = new Random(2);
        for (int map = 0; map < MAPS; map++) {
            TreeMap<Integer, String> before = random(random);
            TreeMap<Integer, String> now = new TreeMap<>(before);
            for (int change = random.nextInt(4); change > 0; change--) {
                int key = random.nextInt(2 * MOST_KEYS);
                switch (random.nextInt(3)) {
                    case 0 -> now.remove(key);
                    case 1 -> now.put(key, new String("v"));
                    default -> now.computeIfPresent(key, (at, value) -> new String(value));
                }
            }
            TreeMap<Integer, String> told = new TreeMap<>();
            List<Integer> order = new ArrayList<>();
            FixedMap.changes(FixedMap.copyOf(before), FixedMap.copyOf(now), (key, was, is) -> {
                order.add(key);
                told.put(key, System.identityHashCode(was) + " " + System.identityHashCode(is));
            });
            TreeMap<Integer, String> expected = new TreeMap<>();
            for (int key = 0; key < 2 * MOST_KEYS; key++) {
                if (before.get(key) != now.get(key)) {
                    expected.put(
                            key,
                            System.identityHashCode(before.get(key)) + " " + System.identityHashCode(now.get(key)));
                }
            }
            assertThat(told).isEqualTo(expected);
            assertThat(order).isSorted().hasSameSizeAs(told.keySet());
        }
    }

    @Test
    void replacesValuesAndLeavesTheMapAsItWas() {
        SortedMap<Integer, String> before = FixedMap.copyOf(new TreeMap<>(Map.of(1, "a", 2, "b", 3, "c")));
        assertThat(FixedMap.replacing(before, Map.of(2, "x"))).isEqualTo(Map.of(1, "a", 2, "x", 3, "c"));
        assertThat(before).isEqualTo(Map.of(1, "a", 2, "b", 3, "c"));
        assertThatThrownBy(() -> FixedMap.replacing(before, Map.of(4, "x")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("4");
    }

    @Test
    void derivesAndUnites() {
        Random random = new Random(3);
        for (int map = 0; map < MAPS; map++) {
            TreeMap<Integer, String> tree = random(random);
            TreeMap<Integer, Integer> lengths = new TreeMap<>();
            tree.forEach((key, value) -> lengths.put(key, value.length()));
            assertThat(FixedMap.derived(tree, String::length)).isEqualTo(lengths);

            TreeMap<Integer, String> others = random(random);
            others.keySet().removeAll(tree.keySet());
            TreeMap<Integer, String> both = new TreeMap<>(tree);
            both.putAll(others);
            assertThat(FixedMap.union(tree, others)).isEqualTo(both);
            TreeMap<Integer, String> third = random(random);
            third.keySet().removeAll(both.keySet());
            List<TreeMap<Integer, String>> all = List.of(others, new TreeMap<>(), third, tree);
            both.putAll(third);
            assertThat(FixedMap.union(all)).isEqualTo(both);

            if (!tree.isEmpty()) {
                SortedMap<Integer, String> fixed = FixedMap.copyOf(tree);
                assertThatThrownBy(() -> FixedMap.union(fixed, fixed)).isInstanceOf(IllegalArgumentException.class);
            }
        }
    }

    @Test
    void refusesAnOrderOfItsOwnAndAnEndOfNothing() {
        TreeMap<Integer, String> backwards = new TreeMap<>(Comparator.reverseOrder());
        assertThatThrownBy(() -> FixedMap.copyOf(backwards)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> FixedMap.copyOf(new TreeMap<Integer, String>()).firstKey())
                .isInstanceOf(NoSuchElementException.class);
    }

    private static TreeMap<Integer, String> random(Random random) {
        TreeMap<Integer, String> map = new TreeMap<>();
        for (int key = random.nextInt(MOST_KEYS); key > 0; key--) {
            map.put(random.nextInt(2 * MOST_KEYS), "v" + key);
        }
        return map;
    }
}
