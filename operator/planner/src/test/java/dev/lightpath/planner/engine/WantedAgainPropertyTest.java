package dev.lightpath.planner.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.planner.Seeds;
import dev.lightpath.planner.delta.iteration.Batch;
import dev.lightpath.planner.delta.iteration.Parallelism;
import dev.lightpath.planner.world.Allocation;
import dev.lightpath.planner.world.LedgerEntry;
import dev.lightpath.planner.world.SliceId;
import dev.lightpath.planner.world.SliceIntent;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * Jobs on a ring, on switches and on both are wished, suspended and resumed while what was decided before is still
 * being done. Once all is done nobody's record holds what he gave up: whoever waits, waits for others.
 */
class WantedAgainPropertyTest {
    private static final int WORLDS = Seeds.of(40);
    private static final int EVENTS = 30;
    private static final int MOST_JOBS = 6;

    private final SortedMap<String, List<SliceIntent>> jobs = new TreeMap<>();
    private RingInPods both = new RingInPods();

    @Test
    void nothingThatWasGivenUpStaysOnARecord() {
        int again = 0;
        for (long seed = 1; seed <= WORLDS; seed++) {
            Random random = new Random(seed);
            both = new RingInPods();
            jobs.clear();
            for (int event = 0; event < EVENTS; event++) {
                again += happen(random, "job" + event) ? 1 : 0;
                for (int steps = random.nextInt(4); steps > 0; steps--) {
                    both.ocs.step();
                }
                if (random.nextInt(3) == 0) {
                    both.ocs.settle();
                    check("seed " + seed + ", event " + event);
                }
            }
        }
        assertThat(again).as("jobs wanted again before all was dark").isPositive();
    }

    /** Whether a job is wanted again of whose light something is on its record. */
    private boolean happen(Random random, String name) {
        if (jobs.size() < MOST_JOBS) {
            wish(random, name);
            return false;
        }
        List<SliceIntent> job = List.copyOf(jobs.values()).get(random.nextInt(jobs.size()));
        if (isWanted(job.getFirst().id())) {
            job.forEach(slice -> put(slice.but().wanted(false).build()));
            return false;
        }
        job.forEach(this::put);
        return job.stream().anyMatch(slice -> !leftOn(record(slice.id())).isEmpty());
    }

    private void wish(Random random, String name) {
        List<SliceIntent> job = new ArrayList<>();
        switch (random.nextInt(3)) {
            case 0 ->
                job.add(both.ring.slices.get(both.ring.wish(name, 1 + random.nextInt(3), 8 << random.nextInt(2))));
            case 1 ->
                job.add(both.ocs.slices.get(both.ocs.wishTraffic(
                        name,
                        Gpt7b.traffic(
                                Parallelism.ofDegrees(8, 2, 1 + random.nextInt(2), 1, 1),
                                new Batch(8, 1, 4096, true),
                                1))));
            default -> {
                both.wish(name, 1 + random.nextInt(2));
                job.add(both.ring.slices.get(RingInPods.onRing(name)));
                job.add(both.ocs.slices.get(RingInPods.onSwitches(name)));
            }
        }
        jobs.put(name, job);
    }

    private Map<SliceId, SliceIntent> wishes(SliceId id) {
        return both.ring.slices.containsKey(id) ? both.ring.slices : both.ocs.slices;
    }

    private boolean isWanted(SliceId id) {
        return wishes(id).get(id).wanted();
    }

    private void put(SliceIntent slice) {
        wishes(slice.id()).put(slice.id(), slice);
    }

    private Optional<Allocation> record(SliceId id) {
        LedgerEntry entry = both.ring.ledger.get(id);
        return (entry == null ? both.ocs.ledger.get(id) : entry).allocation();
    }

    private static List<String> leftOn(Optional<Allocation> record) {
        List<String> left = new ArrayList<>();
        record.ifPresent(of -> {
            left.addAll(of.releasing());
            of.darkening().forEach((name, circuit) -> left.add(name + "/" + circuit));
        });
        return left;
    }

    private void check(String where) {
        jobs.values().stream().flatMap(List::stream).map(SliceIntent::id).forEach(id -> {
            assertThat(leftOn(record(id))).as("%s: %s", where, id).isEmpty();
            if (!isWanted(id)) {
                assertThat(record(id).map(Allocation::released).orElse(true))
                        .as("%s: %s is released", where, id)
                        .isTrue();
            }
        });
    }
}
