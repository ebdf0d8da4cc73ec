package dev.lightpath.planner.ring.rack;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PairedLinesTest {
    private static final int COLUMNS = 128;
    private static final int SIZE = 8;
    private static final int REACH = 3;

    /** 131 072 GPUs in domains of 256 nodes are 64 such: what each holds is too much for all together. */
    @Test
    void holdsNoMoreForManyDomainsThanForAFew() {
        long few = lines(4, Long.MAX_VALUE).held();
        PairedLines many = lines(12, few);
        assertThat(many.held()).isBetween(1L, few);
        assertThat(lines(1, PairedLines.CELLS_HELD).held() * 64).isGreaterThan(PairedLines.CELLS_HELD);
    }

    @Test
    void placesTheSameGroupsHoweverLittleItHolds() {
        PairedLines all = lines(2, Long.MAX_VALUE);
        PairedLines one = lines(2, all.held() * 2 / 3);
        PairedLines none = lines(2, 0);
        assertThat(none.held()).isZero();
        assertThat(one.held()).isBetween(1L, all.held() - 1);
        int tried = 0;
        for (int groups = 1; groups < 2 * 2 * COLUMNS / SIZE; groups++) {
            int aligned = all.aligned(groups);
            assertThat(one.aligned(groups)).isEqualTo(aligned);
            assertThat(none.aligned(groups)).isEqualTo(aligned);
            if (aligned >= 0 && groups % 20 == 0) {
                tried++;
                assertThat(columns(one.groups(groups))).isEqualTo(columns(all.groups(groups)));
                assertThat(columns(none.groups(groups))).isEqualTo(columns(all.groups(groups)));
            }
        }
        assertThat(tried).isPositive();
    }

    private static PairedLines lines(int domains, long room) {
        Random random = new Random(5);
        boolean[][] usable = new boolean[2][domains * COLUMNS];
        for (boolean[] line : usable) {
            for (int column = 0; column < line.length; column++) {
                line[column] = random.nextInt(12) > 0;
            }
        }
        int[] cuts = IntStream.range(0, domains).map(domain -> domain * COLUMNS).toArray();
        return Objects.requireNonNull(PairedLines.of(usable, cuts, SIZE, REACH, true, room));
    }

    private static List<List<List<Integer>>> columns(List<List<int[]>> perLine) {
        return perLine.stream()
                .map(line -> line.stream()
                        .map(group -> IntStream.of(group).boxed().toList())
                        .toList())
                .toList();
    }
}
