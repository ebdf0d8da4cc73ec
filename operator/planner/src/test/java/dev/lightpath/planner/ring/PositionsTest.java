package dev.lightpath.planner.ring;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.BitSet;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** A set of positions does what any other set of numbers does. */
class PositionsTest {
    private static final int MOST = 70;

    @Test
    void doesWhatASetOfNumbersDoes() {
        Random random = new Random(1);
        for (int round = 0; round < 100; round++) {
            Set<Integer> positions = Positions.of(new BitSet());
            Set<Integer> numbers = new TreeSet<>();
            for (int step = 0; step < 200; step++) {
                int number = random.nextInt(MOST);
                switch (random.nextInt(4)) {
                    case 0, 1 -> assertThat(positions.add(number)).isEqualTo(numbers.add(number));
                    case 2 -> assertThat(positions.remove(number)).isEqualTo(numbers.remove(number));
                    default -> {
                        if (random.nextInt(20) == 0) {
                            removeEvery(positions, number + 1);
                            removeEvery(numbers, number + 1);
                        }
                    }
                }
                assertThat(positions.contains(number)).isEqualTo(numbers.contains(number));
                assertThat(positions.isEmpty()).isEqualTo(numbers.isEmpty());
            }
            assertThat(positions).isEqualTo(numbers).hasSameHashCodeAs(numbers).hasSize(numbers.size());
            assertThat(List.copyOf(positions)).isEqualTo(List.copyOf(numbers));
        }
    }

    @Test
    void knowsNoPositionBelowZeroAndNothingElse() {
        Set<Integer> positions = Positions.of(BitSet.valueOf(new long[] {5}));
        assertThat(positions).containsExactly(0, 2);
        assertThat(positions.contains(-1)).isFalse();
        assertThat(positions.remove(-1)).isFalse();
        assertThat(positions.contains((Object) "0")).isFalse();
    }

    private static void removeEvery(Set<Integer> of, int share) {
        Iterator<Integer> each = of.iterator();
        while (each.hasNext()) {
            if (each.next() % share == 0) {
                each.remove();
            }
        }
    }
}
