package dev.lightpath.planner.world;

import dev.lightpath.planner.ask.Iteration;
import dev.lightpath.planner.delta.Goal;
import dev.lightpath.planner.delta.iteration.Batch;
import dev.lightpath.planner.delta.iteration.ModelShape;
import dev.lightpath.planner.delta.iteration.Parallelism;
import dev.lightpath.planner.torus.CubeArrangement;
import dev.lightpath.planner.torus.Shape;
import java.time.Duration;
import java.util.OptionalInt;

/** What a slice requests of its fabric. Immutable for the life of the slice. */
public sealed interface Demand {
    /** Number of GPUs requested. */
    int gpus();

    /**
     * TP groups on a ring.
     *
     * @param groups how many
     * @param gpusPerGroup the tensor-parallel degree; a multiple or a divisor of the GPUs of a node
     * @param leastGroups how many are enough
     * @param groupsPerReplica fewer than wanted are given in whole replicas only
     */
    record ScaleUp(int groups, int gpusPerGroup, int leastGroups, int groupsPerReplica) implements Demand {
        public ScaleUp {
            if (groups < 1 || gpusPerGroup < 1) {
                throw new IllegalArgumentException(
                        "a demand of " + groups + " groups of " + gpusPerGroup + " GPUs; both are at least 1");
            }
            if (groupsPerReplica < 1
                    || leastGroups < groupsPerReplica
                    || leastGroups > groups
                    || groups % groupsPerReplica != 0
                    || leastGroups % groupsPerReplica != 0) {
                throw new IllegalArgumentException(
                        "a demand of " + groups + " groups, at least " + leastGroups + ", in replicas of "
                                + groupsPerReplica + "; both are whole replicas, and the least is not more");
            }
        }

        /** All groups or none. */
        public ScaleUp(int groups, int gpusPerGroup) {
            this(groups, gpusPerGroup, groups, groups);
        }

        /** Whether fewer groups than wanted are enough. */
        public boolean elastic() {
            return leastGroups < groups;
        }

        /** The most groups in whole replicas of so many, none where that is too few. */
        public OptionalInt width(int available) {
            int whole = Math.min(groups, available) / groupsPerReplica * groupsPerReplica;
            return whole < leastGroups ? OptionalInt.empty() : OptionalInt.of(whole);
        }

        @Override
        public int gpus() {
            return Math.multiplyExact(groups, gpusPerGroup);
        }
    }

    /** The static topology of a fabric of optical switches, as the fabric itself describes it. */
    record Topology() implements Demand {
        @Override
        public int gpus() {
            return 0;
        }
    }

    /**
     * A torus of its own on a fabric of cubes.
     *
     * @param chips along x, y and z, each a multiple of 4
     */
    record TorusShape(Shape chips) implements Demand {
        /** @throws IllegalArgumentException if a size is no multiple of 4 */
        public TorusShape {
            CubeArrangement.cubesOf(chips);
        }

        @Override
        public int gpus() {
            return chips.volume();
        }
    }

    /**
     * Circuits that the traffic of a training iteration needs, between pods of a fabric with a logical topology.
     *
     * @param iteration what is computed and sent
     * @param parallelism how it is split; for a trace, whose ranks are put into pods one after the other, one replica
     *     of all stages
     * @param stagesPerPod of one replica; empty: as many as the smallest pod has GPUs for
     * @param goal how circuits are chosen
     * @param timeLimit of the choice
     */
    record Traffic(
            Iteration iteration, Parallelism parallelism, OptionalInt stagesPerPod, Goal goal, Duration timeLimit)
            implements Demand {
        /** Traffic by the shape of a model. */
        public Traffic(
                ModelShape model,
                Parallelism parallelism,
                Batch batch,
                OptionalInt stagesPerPod,
                Goal goal,
                Duration timeLimit) {
            this(new Iteration.OfModel(model, batch), parallelism, stagesPerPod, goal, timeLimit);
        }

        @Override
        public int gpus() {
            return parallelism.gpus();
        }
    }
}
