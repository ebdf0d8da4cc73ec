package dev.lightpath.planner.engine.traffic;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class FabricPodMatchingPropertyTest {

    @Test
    void givesAllSeatsExactlyWhereThatCanBe() {
        int given = 0;
        int denied = 0;
        for (long seed = 0; seed < 2_000; seed++) {
            Random random = new Random(seed);
            int kinds = 1 + random.nextInt(3);
            int seats = kinds * (1 + random.nextInt(2));
            int pods = 1 + random.nextInt(7);
            boolean[][] fits = new boolean[kinds][pods];
            for (boolean[] of : fits) {
                for (int pod = 0; pod < pods; pod++) {
                    of[pod] = random.nextInt(3) == 0;
                }
            }
            List<Integer> found = FabricPodMatching.of(seats, kinds, pods, (kind, pod) -> fits[kind][pod]);
            boolean possible = possible(0, seats, fits, new boolean[pods]);
            assertThat(!found.isEmpty()).as("seed %d", seed).isEqualTo(possible);
            assertThat(found).as("seed %d", seed).doesNotHaveDuplicates();
            for (int seat = 0; seat < found.size(); seat++) {
                assertThat(fits[seat % kinds][found.get(seat)])
                        .as("seed %d, seat %d", seed, seat)
                        .isTrue();
            }
            given += possible ? 1 : 0;
            denied += possible ? 0 : 1;
        }
        assertThat(given).isPositive();
        assertThat(denied).isPositive();
    }

    @Test
    void takesTheFirstPodThatFitsWhileThatLeavesOneForEverybody() {
        assertThat(FabricPodMatching.of(3, 1, 5, (kind, pod) -> pod != 1)).containsExactly(0, 2, 3);
    }

    private static boolean possible(int seat, int seats, boolean[][] fits, boolean[] taken) {
        if (seat == seats) {
            return true;
        }
        for (int pod = 0; pod < taken.length; pod++) {
            if (!taken[pod] && fits[seat % fits.length][pod]) {
                taken[pod] = true;
                boolean rest = possible(seat + 1, seats, fits, taken);
                taken[pod] = false;
                if (rest) {
                    return true;
                }
            }
        }
        return false;
    }
}
