package dev.lightpath.planner.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.planner.engine.allocation.RecordedSeats;
import dev.lightpath.planner.engine.allocation.SliceState;
import dev.lightpath.planner.engine.decision.Decision;
import dev.lightpath.planner.engine.decision.Deliberation;
import dev.lightpath.planner.engine.decision.SliceVerdict;
import dev.lightpath.planner.memory.Slot;
import dev.lightpath.planner.world.Quota;
import dev.lightpath.planner.world.SliceId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** While a job waits for its quota, a fault of one node makes no pass look at the records of all others. */
class OverQuotaMemoryTest {
    private static final int JOBS = 12;

    private final ToyRing ring = ToyRing.of(8 * JOBS, 2);
    private final List<SliceId> placed = new ArrayList<>();
    /** Slices of which a pass made anything anew. */
    private final Set<SliceId> judged = new HashSet<>();

    private final Set<SliceId> told = new HashSet<>();
    private final Map<SliceId, Object> known = new HashMap<>();
    private final Map<SliceId, SliceVerdict> verdicts = new HashMap<>();
    private final Map<Slot<RecordedSeats>, Object> indices = new HashMap<>();
    private int anew;
    private int passes;

    OverQuotaMemoryTest() {
        ring.policy = Policies.with(
                Policies.massFailure(ring.policy, 100),
                new Quota(new Quota.Share(OptionalInt.empty(), OptionalInt.of(JOBS)), new TreeMap<>()));
        for (int job = 0; job < JOBS; job++) {
            int first = 8 * job;
            placed.add(ring.sits("job" + job, new int[] {first, first + 1, first + 2, first + 3}));
        }
    }

    private void hear(Deliberation pass) {
        passes++;
        for (Slot<RecordedSeats> slot : List.of(RecordedSeats.OF_RECORDS, RecordedSeats.OF_DECIDED)) {
            RecordedSeats seats =
                    pass.remembered().get("ring-a").get(slot).orElseThrow(() -> new AssertionError("no " + slot));
            Object before = indices.put(slot, seats.indices());
            anew += before != null && before != seats.indices() ? 1 : 0;
            for (SliceState slice : seats.slices()) {
                // a slice is the same object in both
                Object was = known.put(slice.id(), slice);
                if (was != null && was != slice) {
                    judged.add(slice.id());
                }
            }
        }
        pass.slices().forEach((id, verdict) -> {
            SliceVerdict was = verdicts.put(id, verdict);
            if (was != null && was != verdict) {
                told.add(id);
            }
        });
    }

    @Test
    void aFaultIsDecidedWithoutALookAtTheRecordsOfOthers() {
        ring.settle();
        SliceId over = ring.wish("over", 1, 16);
        ring.settle();
        ring.pass(Duration.ofMinutes(1));
        Deliberation rest = ring.settle();
        assertThat(Objects.requireNonNull(rest.slices().get(over)).placement().toString())
                .contains("policy.quota");

        ring.heard = (world, pass) -> hear(pass);
        ring.step();
        SliceId hit = placed.get(5);
        String node = ring.groups(hit).getFirst().get(1);
        ring.notReady.add(node);
        rest = ring.settle();
        assertThat(rest.decision()).isInstanceOf(Decision.Rest.class);
        assertThat(ring.groups(hit).getFirst()).as("repaired").doesNotContain(node);
        assertThat(passes).isGreaterThan(3);
        assertThat(anew).as("times that seats were worked out by every record").isZero();
        assertThat(judged).as("records that were looked at").containsExactly(hit);
        // whose spares are others now, or whose quota, is told so
        assertThat(told).hasSizeLessThanOrEqualTo(4).contains(hit);
    }
}
