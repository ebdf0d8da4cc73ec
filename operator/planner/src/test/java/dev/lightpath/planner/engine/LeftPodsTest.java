package dev.lightpath.planner.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.planner.engine.SliceVerdict.Placement;
import dev.lightpath.planner.world.SliceId;
import dev.lightpath.planner.world.Workload;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Nodes that a repair left while the pods of the job still run there. */
class LeftPodsTest {
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
        ring.amend(job, true, podsOn(Set.of("n0", "n1", "n3", "n4")), false, Optional.empty());
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
        ring.amend(job, true, podsOn(Set.of("n0", "n2", "n3", "n4")), false, Optional.empty());
        assertThat(ring.settle().slices().get(other).placement()).isInstanceOf(Placement.Placed.class);
        assertThat(ring.positions(other)).contains(List.of(1));
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
