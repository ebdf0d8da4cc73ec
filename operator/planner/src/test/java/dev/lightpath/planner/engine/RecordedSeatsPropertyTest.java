package dev.lightpath.planner.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.planner.engine.allocation.RecordedSeats;
import dev.lightpath.planner.memory.PassMemory;
import dev.lightpath.planner.memory.PlannerCache;
import dev.lightpath.planner.ring.RingFabric;
import dev.lightpath.planner.ring.RingHealth;
import dev.lightpath.planner.world.World;
import java.util.BitSet;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Jobs come and go and records change: seats that go on from the pass before are those of who looks at every record. */
class RecordedSeatsPropertyTest {
    private static final String RING = "ring-a";

    private RecordedSeats before;
    private int advanced;
    private int passes;

    @Test
    void seatsThatGoOnAreThoseOfAllRecords() {
        for (long seed = 1; seed <= 12; seed++) {
            before = null;
            long played = seed;
            RandomWorlds.history(seed, 60, (world, deliberation) -> {
                passes++;
                Optional.ofNullable(deliberation.remembered().get(RING))
                        .flatMap(left -> left.get(RecordedSeats.SLOT))
                        .ifPresent(seats -> compare(world, seats, "seed " + played + ", pass " + passes));
            });
        }
        assertThat(advanced)
                .as("passes with other slices than before, of %d", passes)
                .isGreaterThan(100);
    }

    private void compare(World world, RecordedSeats seats, String where) {
        RingFabric ring = world.rings().get(RING).ring();
        RecordedSeats anew = RecordedSeats.of(ring, seats.slices(), new PassMemory(PlannerCache.nothing()));
        assertThat(seats.owners()).as(where).isEqualTo(anew.owners());
        assertThat(seats.owned()).as(where).isEqualTo(anew.owned());
        assertThat(seats.gpus()).as(where).isEqualTo(anew.gpus());
        assertThat(seats.indices()).as(where).isEqualTo(anew.indices());
        assertThat(seats.unfinished())
                .as(where)
                .containsExactlyElementsOf(anew.unfinished().toList());
        assertThat(seats.elsewhere())
                .as(where)
                .containsExactlyElementsOf(anew.elsewhere().toList());
        for (int position = 0; position < ring.positions(); position++) {
            RingHealth health = RingHealth.faulty(Set.of(position));
            assertThat(seats.concerned(health, Set.of())).as(where).isEqualTo(anew.concerned(health, Set.of()));
            BitSet one = BitSet.valueOf(new long[] {1L << position});
            assertThat(seats.near(one)).as(where).isEqualTo(anew.near(one));
        }
        if (before != null
                && before != seats
                && before.slices() != seats.slices()
                && before.indices() == seats.indices()) {
            advanced++;
        }
        before = seats;
    }
}
