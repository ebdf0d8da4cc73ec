package dev.lightpath.planner.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.planner.engine.allocation.RecordedSeats;
import dev.lightpath.planner.engine.allocation.SliceState;
import dev.lightpath.planner.memory.PassMemory;
import dev.lightpath.planner.memory.PlannerCache;
import dev.lightpath.planner.memory.Slot;
import dev.lightpath.planner.ring.RingFabric;
import dev.lightpath.planner.ring.RingHealth;
import dev.lightpath.planner.world.World;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * Jobs come and go and records change: seats that go on from the pass before are those of who looks at every record.
 * That holds for those of all records and, while some slices wait, for those of the slices that are decided about.
 */
class RecordedSeatsPropertyTest {
    private static final String RING = "ring-a";

    private final Map<Slot<RecordedSeats>, RecordedSeats> before = new HashMap<>();
    private final Map<Slot<RecordedSeats>, Integer> advanced = new HashMap<>();
    private int passes;

    @Test
    void seatsThatGoOnAreThoseOfAllRecords() {
        for (long seed = 1; seed <= 12; seed++) {
            before.clear();
            long played = seed;
            RandomWorlds.history(seed, 60, (world, deliberation) -> {
                passes++;
                PlannerCache left = deliberation.remembered().getOrDefault(RING, PlannerCache.nothing());
                for (Slot<RecordedSeats> slot : List.of(RecordedSeats.OF_RECORDS, RecordedSeats.OF_DECIDED)) {
                    left.get(slot)
                            .ifPresent(seats -> compare(world, slot, seats, "seed " + played + ", pass " + passes));
                }
            });
        }
        assertThat(advanced.get(RecordedSeats.OF_RECORDS))
                .as("passes with other slices than before, of %d", passes)
                .isGreaterThan(100);
        assertThat(advanced.get(RecordedSeats.OF_DECIDED))
                .as("the same while some wait, of %d", passes)
                .isGreaterThan(20);
    }

    private void compare(World world, Slot<RecordedSeats> slot, RecordedSeats seats, String where) {
        RingFabric ring = world.rings().get(RING).ring();
        if (slot == RecordedSeats.OF_RECORDS) {
            areOf(world, seats, where);
        }
        RecordedSeats anew = RecordedSeats.ofRecords(ring, seats.slices(), new PassMemory(PlannerCache.nothing()));
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
        RecordedSeats was = before.put(slot, seats);
        if (was != null && was != seats && was.slices() != seats.slices() && was.indices() == seats.indices()) {
            advanced.merge(slot, 1, Integer::sum);
        }
    }

    /** What is wished and recorded now, object for object: nothing of a pass before. */
    private static void areOf(World world, RecordedSeats seats, String where) {
        assertThat(seats.slices())
                .as(where)
                .extracting(SliceState::id)
                .containsExactlyInAnyOrderElementsOf(world.slices().keySet());
        for (SliceState slice : seats.slices()) {
            assertThat(slice.intent()).as(where).isSameAs(world.slices().get(slice.id()));
            assertThat(slice.recorded().orElse(null))
                    .as("%s, record of %s", where, slice.id())
                    .isSameAs(world.allocation(slice.id()).orElse(null));
        }
    }
}
