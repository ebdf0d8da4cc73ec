package dev.lightpath.planner.delta.iteration;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Two replicas of three stages of two GPUs, on nodes of four. */
class ParallelismTest {
    private final Parallelism parallelism = Parallelism.ofDegrees(2, 3, 2, 1, 1);

    @Test
    void everyPodOfAReplicaGivesItWholeNodes() {
        assertThat(parallelism.nodes(1, 4)).isEqualTo(6);
        assertThat(parallelism.nodes(2, 4)).isEqualTo(4);
        assertThat(parallelism.nodes(3, 4)).isEqualTo(4);
    }

    @Test
    void aPodThatHoldsMoreThanAReplicaIsNotSharedWithAnother() {
        assertThat(parallelism.nodes(Integer.MAX_VALUE, 4)).isEqualTo(4);
        assertThat(parallelism.nodes(Integer.MAX_VALUE, 64)).isEqualTo(2);
    }

    @Test
    void expertsThatShareAStageAreInOneReplica() {
        assertThat(Parallelism.ofDegrees(2, 1, 4, 1, 8).nodes(1, 4)).isEqualTo(2);
    }
}
