package dev.lightpath.planner.ring.repair;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.planner.ring.RingFabric;
import dev.lightpath.planner.ring.RingGroup;
import dev.lightpath.planner.ring.RingHealth;
import dev.lightpath.planner.ring.RingShape;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** One group on half of a line of 22 000 nodes: the table of all its seats would take 20 GB. */
class LargeGroupRepairTest {
    private static final int SIZE = 11_000;

    private final RingFabric fabric = RingFabric.of(RingShape.LINE, 2 * SIZE, 8, 8);
    private final RingHealth health = new RingHealth(new TreeSet<>(Set.of(100)), new TreeMap<>());
    private final List<RingGroup> groups =
            List.of(new RingGroup(IntStream.range(0, SIZE).boxed().toList(), 0, 1));
    private final Set<Integer> free = IntStream.range(SIZE, 2 * SIZE).boxed().collect(Collectors.toSet());

    @Test
    void isNotRepairedByATableThatIsTooLarge() {
        assertThat(RingRepair.repair(fabric, health, groups, new TreeSet<>(Set.of(0)), Set.of(), free))
                .isInstanceOf(RepairOutcome.NoRepair.class);
    }

    @Test
    void isRepairedAmongAllGroups() {
        assertThat(RingRepair.repairMinimal(fabric, health, groups, free))
                .isInstanceOfSatisfying(RepairOutcome.Repaired.class, repaired -> {
                    assertThat(repaired.lost()).isEmpty();
                    assertThat(repaired.groups().getFirst().members())
                            .hasSize(SIZE)
                            .doesNotContain(100);
                });
    }
}
