package dev.lightpath.planner.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
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
