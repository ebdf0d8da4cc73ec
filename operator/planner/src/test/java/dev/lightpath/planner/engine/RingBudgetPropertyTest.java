package dev.lightpath.planner.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.planner.Seeds;
import dev.lightpath.planner.engine.decision.Decision;
import dev.lightpath.planner.ring.RingFabric;
import dev.lightpath.planner.ring.RingShape;
import dev.lightpath.planner.world.FabricPolicy;
import dev.lightpath.planner.world.Reconfiguration;
import dev.lightpath.planner.world.SliceId;
import dev.lightpath.planner.world.Workload;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** What moves under running pods for the good of another, over all passes of the change. */
class RingBudgetPropertyTest {
    private static final int WORLDS = Seeds.of(800);

    @Test
    void aChangeOfSeveralPassesKeepsTheBudgetAsAWhole() {
        int made = 0;
        List<String> beyond = new ArrayList<>();
        for (long seed = 1; seed <= WORLDS; seed++) {
            Random chance = new Random(seed);
            ToyRing ring =
                    new ToyRing(RingFabric.of(RingShape.LINE, 20 + chance.nextInt(12), 2 + chance.nextInt(2), 4));
            ring.reconfiguration = Reconfiguration.LIVE;
            ring.policy = percent(25 + 25 * chance.nextInt(3));
            List<SliceId> jobs = crowd(ring, chance);
            ring.settle();
            jobs.forEach(job -> run(ring, job));
            ring.settle();
            SortedMap<SliceId, List<List<Integer>>> at = positions(ring, jobs);
            int groups = at.values().stream().mapToInt(List::size).sum();
            ring.wish("wish", 1, 4 * (3 + chance.nextInt(4)));
            int moved = 0;
            int passes = 0;
            for (int step = 0; step < 120; step++) {
                boolean rests = ring.step().decision() instanceof Decision.Rest;
                // pods follow their job
                jobs.forEach(job -> run(ring, job));
                SortedMap<SliceId, List<List<Integer>>> now = positions(ring, jobs);
                int before = moved;
                for (SliceId job : jobs) {
                    for (int group = 0; group < now.get(job).size(); group++) {
                        moved += now.get(job).get(group).equals(at.get(job).get(group)) ? 0 : 1;
                    }
                }
                passes += moved > before ? 1 : 0;
                at = now;
                if (rests) {
                    break;
                }
            }
            made += moved > 0 ? 1 : 0;
            int budget = Math.max(1, groups * ring.policy.maxConcurrentPercent() / 100);
            if (moved > budget) {
                beyond.add("seed " + seed + ": " + moved + " groups moved in " + passes + " passes, allowed " + budget);
            }
        }
        assertThat(beyond).as("of %d changes", made).isEmpty();
        assertThat(made).isPositive();
    }

    private static FabricPolicy percent(int percent) {
        return Policies.budget(FabricPolicy.standard(), percent);
    }

    /** Jobs of one to three groups of two to four nodes, with gaps between. */
    private static List<SliceId> crowd(ToyRing ring, Random chance) {
        List<SliceId> jobs = new ArrayList<>();
        int next = chance.nextInt(2);
        for (int job = 0; ; job++) {
            int size = 2 + chance.nextInt(3);
            List<int[]> groups = new ArrayList<>();
            for (int group = 0; group < 1 + chance.nextInt(3) && next + size <= ring.ring.positions(); group++) {
                int[] members = new int[size];
                for (int member = 0; member < size; member++) {
                    members[member] = next++;
                }
                groups.add(members);
                next += chance.nextInt(3) == 0 ? 1 + chance.nextInt(2) : 0;
            }
            if (groups.isEmpty()) {
                return jobs;
            }
            jobs.add(ring.sits("job" + job, groups.toArray(int[][]::new)));
        }
    }

    private static void run(ToyRing ring, SliceId job) {
        ring.amend(
                job,
                true,
                new Workload.Pods(
                        new TreeSet<>(
                                ring.ledger.get(job).allocation().orElseThrow().nodes()),
                        false),
                false);
    }

    private static SortedMap<SliceId, List<List<Integer>>> positions(ToyRing ring, List<SliceId> jobs) {
        SortedMap<SliceId, List<List<Integer>>> positions = new TreeMap<>();
        jobs.forEach(job -> positions.put(job, ring.positions(job)));
        return positions;
    }
}
