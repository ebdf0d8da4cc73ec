package dev.lightpath.planner.engine.pacing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.planner.engine.pacing.Darkness.Cost;
import dev.lightpath.planner.light.Circuit;
import dev.lightpath.planner.light.DeviceChange;
import dev.lightpath.planner.light.DeviceId;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class DisruptionBudgetTest {
    private static final DeviceChange CHANGE = new DeviceChange(
            new DeviceId("driver:1", "ocs-1"), "d", new TreeSet<>(List.of(new Circuit("1", "2"))), new TreeSet<>());

    private final List<DeviceChange> taken = new ArrayList<>();

    /** Four circuits of 150 may be dark. */
    private DisruptionBudget four(int dark, boolean subsides) {
        return new DisruptionBudget(150, 3, darkness(dark, subsides), false);
    }

    private Darkness darkness(int dark, boolean subsides) {
        return new Darkness() {
            @Override
            public int now() {
                return dark;
            }

            @Override
            public Cost of(DeviceChange change) {
                return new Cost(3, 1);
            }

            @Override
            public void take(DeviceChange change) {
                taken.add(change);
            }

            @Override
            public boolean maySubside() {
                return subsides;
            }
        };
    }

    @Test
    void aShareIsOfAllCircuitsAndRoundedDown() {
        assertThat(four(0, false).allows(new Cost(4, 0))).isTrue();
        assertThat(four(0, false).allows(new Cost(5, 0))).isFalse();
    }

    @Test
    void oneCircuitAlwaysMayBeDark() {
        DisruptionBudget small = new DisruptionBudget(10, 5, darkness(0, false), false);
        assertThat(small.allows(new Cost(1, 0))).isTrue();
        assertThat(small.allows(new Cost(2, 0))).isFalse();
    }

    @Test
    void noLightInUseGoesBeforeTheLinksOfTheStageBeforePass() {
        DisruptionBudget held = new DisruptionBudget(150, 3, darkness(0, false), true);
        assertThat(held.allows(new Cost(1, 0))).isFalse();
        assertThat(held.allows(new Cost(0, -1))).isTrue();
        assertThat(held.isFinal()).isFalse();
    }

    @Test
    void whatIsDarkAlreadyCounts() {
        assertThat(four(3, false).allows(new Cost(1, 0))).isTrue();
        assertThat(four(3, false).allows(new Cost(2, 0))).isFalse();
    }

    @Test
    void theLastOfItIsForChangesThatLeaveNoMoreDark() {
        assertThat(four(2, false).allows(new Cost(1, 1))).isTrue();
        assertThat(four(3, false).allows(new Cost(1, 1))).isFalse();
        assertThat(four(3, false).allows(new Cost(1, -1))).isTrue();
        assertThat(four(0, false).allows(new Cost(4, 4))).isTrue();
    }

    @Test
    void aChangeThatDarkensNothingIsAllowedBeyondIt() {
        assertThat(four(9, false).allows(new Cost(0, 0))).isTrue();
        assertThat(four(9, false).allows(new Cost(1, 0))).isFalse();
    }

    @Test
    void whatIsTakenCountsFromThenOn() {
        DisruptionBudget budget = four(0, false);
        budget.take(CHANGE, budget.cost(CHANGE));
        assertThat(taken).containsExactly(CHANGE);
        assertThat(budget.allows(new Cost(1, 0))).isTrue();
        assertThat(budget.allows(new Cost(2, 0))).isFalse();
    }

    @Test
    void itIsFinalWhereNothingThatIsAwaitedMakesRoom() {
        assertThat(four(4, false).isFinal()).isTrue();
        assertThat(four(4, true).isFinal()).isFalse();
    }
}
