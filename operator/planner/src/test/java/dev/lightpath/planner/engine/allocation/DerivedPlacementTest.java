package dev.lightpath.planner.engine.allocation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.planner.ring.RingDemand;
import dev.lightpath.planner.ring.RingFabric;
import dev.lightpath.planner.ring.RingGroup;
import dev.lightpath.planner.ring.RingPlacement;
import dev.lightpath.planner.ring.RingShape;
import dev.lightpath.planner.world.Allocation;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class DerivedPlacementTest {
    private static final RingFabric RING = RingFabric.of(RingShape.RING, 12, 3, 8);
    private static final RingDemand DEMAND = new RingDemand(16, 1);

    private static Allocation record() {
        return new Allocation(
                1,
                List.of(new Allocation.Group(List.of(new Allocation.Member("n3", 3), new Allocation.Member("n4", 4)))),
                new TreeSet<>(),
                Optional.empty());
    }

    private static DerivedPlacement of(Allocation record) {
        return DerivedPlacement.of(
                record, RING, DEMAND, new RingPlacement(List.of(new RingGroup(List.of(3, 4), 0, 1))));
    }

    @Test
    void isOfItsRecordOnItsRingForItsDemand() {
        Allocation record = record();
        assertThat(of(record).isOf(record, RingFabric.of(RingShape.RING, 12, 3, 8), new RingDemand(16, 1)))
                .isTrue();
    }

    @Test
    void anEqualRecordIsAnother() {
        assertThat(record()).isEqualTo(record());
        assertThat(of(record()).isOf(record(), RING, DEMAND)).isFalse();
    }

    @Test
    void isNotOfAnotherRing() {
        Allocation record = record();
        for (RingFabric other : List.of(
                RingFabric.of(RingShape.LINE, 12, 3, 8),
                RingFabric.of(RingShape.RING, 13, 3, 8),
                RingFabric.of(RingShape.RING, 12, 2, 8),
                RingFabric.of(RingShape.RING, 12, 3, 4),
                new RingFabric(RingShape.RING, 12, 3, 8, 2, 12))) {
            assertThat(of(record).isOf(record, other, DEMAND)).as("%s", other).isFalse();
        }
    }

    @Test
    void isNotForAnotherDemand() {
        Allocation record = record();
        assertThat(of(record).isOf(record, RING, new RingDemand(8, 1))).isFalse();
        assertThat(of(record).isOf(record, RING, new RingDemand(16, 2))).isFalse();
    }
}
