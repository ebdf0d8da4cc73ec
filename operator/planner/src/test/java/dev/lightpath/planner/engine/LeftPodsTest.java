package dev.lightpath.planner.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.planner.engine.decision.SliceVerdict.Placement;
import dev.lightpath.planner.world.Replacement;
import dev.lightpath.planner.world.SliceId;
import dev.lightpath.planner.world.Workload;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Nodes that a repair left while the pods of the job still run there. */
class LeftPodsTest {
    private static final Set<String> OLD = Set.of("n0", "n1", "n3", "n4");

    private final ToyRing ring = ToyRing.of(8, 2);

    private static Workload podsOn(Set<String> nodes) {
        return new Workload.Pods(new TreeSet<>(nodes), false);
    }

    /** Group 0 1 of the job has moved to 0 2; node 1 is well again, and its pod is there still. */
    private SliceId leftWithAPod() {
        SliceId job = ring.sits("job", new int[] {0, 1}, new int[] {3, 4});
        ring.sits("last", new int[] {7});
        ring.settle();
        ring.notReady.add("n1");
        ring.settle();
        assertThat(ring.positions(job)).containsExactly(List.of(0, 2), List.of(3, 4));
        ring.amend(job, true, podsOn(Set.of("n0", "n1", "n3", "n4")), false);
        ring.notReady.clear();
        ring.settle();
        ring.pass(Duration.ofHours(1));
        return job;
    }

    @Test
    void areGivenToNobodyElseUntilThePodsAreGone() {
        SliceId job = leftWithAPod();
        SliceId other = ring.wish("other", 3, 4);
        assertThat(ring.settle().slices().get(other).placement())
                .isInstanceOfSatisfying(
                        Placement.Unplaced.class,
                        unplaced -> assertThat(unplaced.message())
                                .contains("0 are faulty", "1 left by jobs whose pods still run there", "2 are free"));
        ring.amend(job, true, podsOn(Set.of("n0", "n2", "n3", "n4")), false);
        assertThat(ring.settle().slices().get(other).placement()).isInstanceOf(Placement.Placed.class);
        assertThat(ring.positions(other)).contains(List.of(1));
    }

    @Test
    void areFreeWhereThePodsHaveNoGpus() {
        SliceId job = leftWithAPod();
        SliceId other = ring.wish("other", 3, 4);
        ring.settle();
        Workload launcherOnOne =
                new Workload.Pods(new TreeSet<>(OLD), false, new TreeMap<>(), new TreeSet<>(List.of("n0", "n3", "n4")));
        ring.amend(job, true, launcherOnOne, false);
        assertThat(ring.settle().slices().get(other).placement()).isInstanceOf(Placement.Placed.class);
        assertThat(ring.positions(other)).contains(List.of(1));
    }

    /** Whoever labels his pods as those of a job of light only has their GPUs all the same. */
    @Test
    void ofAJobWithoutAWorkloadAreItsPodsToo() {
        Workload pods = new Workload.LightOnly(new TreeSet<>(List.of("n5")));
        SliceId waiting = ring.wish("waiting", 99, 8, pods, new Replacement.Immediately(), true);
        SliceId other = ring.wish("other", 8, 4);
        assertThat(ring.settle().slices().get(other).placement()).isInstanceOf(Placement.Unplaced.class);
        ring.amend(waiting, true, new Workload.LightOnly(), false);
        assertThat(ring.settle().slices().get(other).placement()).isInstanceOf(Placement.Placed.class);
    }

    @Test
    void areNoSparesOfOthers() {
        leftWithAPod();
        ring.sits("other", new int[] {5, 6});
        ring.settle();
        ring.notReady.add("n7");
        ring.settle();
        SliceId last = new SliceId("team", "last");
        assertThat(ring.positions(last)).containsExactly(List.of(7));
    }

    /** Four nodes of eight, let go by force while pods run on them; one more is another's. */
    private SliceId letGoByForce() {
        SliceId job = ring.sits("job", new int[] {0, 1}, new int[] {3, 4});
        ring.sits("last", new int[] {7});
        ring.settle();
        ring.slices.put(
                job,
                ring.slices
                        .get(job)
                        .but()
                        .wanted(false)
                        .wanted(false)
                        .forced(true)
                        .workload(podsOn(OLD))
                        .build());
        ring.settle();
        assertThat(ring.positions(job)).isEmpty();
        return job;
    }

    private SliceId nextAttempt(SliceId job) {
        SliceId next = ring.again(job);
        ring.amend(next, true, new Workload.Pods(new TreeSet<>(), false, new TreeMap<>(), new TreeSet<>(OLD)), false);
        ring.slices.remove(job);
        ring.ledger.remove(job);
        return next;
    }

    @Test
    void areNotGivenAwayThoughTheirJobWasLetGoByForce() {
        SliceId job = letGoByForce();
        ring.priority = 5;
        SliceId other = ring.wish("other", 4, 4);
        assertThat(ring.settle().slices().get(other).placement())
                .isInstanceOfSatisfying(
                        Placement.Unplaced.class,
                        unplaced -> assertThat(unplaced.message())
                                .contains("4 left by jobs whose pods still run there", "3 are free"));
        nextAttempt(job);
        assertThat(ring.settle().slices().get(other).placement()).isInstanceOf(Placement.Unplaced.class);
    }

    @Test
    void areThereForTheNextAttemptOfTheirJob() {
        SliceId job = letGoByForce();
        ring.sits("other", new int[] {2}, new int[] {5}, new int[] {6});
        SliceId next = nextAttempt(job);
        assertThat(ring.settle().slices().get(next).placement()).isInstanceOf(Placement.Placed.class);
        assertThat(ring.positions(next)).containsExactly(List.of(0, 1), List.of(3, 4));
    }

    @Test
    void areThereForTheJobItself() {
        SliceId job = leftWithAPod();
        ring.sits("other", new int[] {5, 6});
        ring.settle();
        ring.notReady.add("n2");
        ring.settle();
        assertThat(ring.positions(job)).containsExactly(List.of(0, 1), List.of(3, 4));
    }
}
