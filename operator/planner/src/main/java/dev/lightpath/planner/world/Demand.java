package dev.lightpath.planner.world;

import dev.lightpath.planner.ask.Iteration;
import dev.lightpath.planner.delta.Goal;
import dev.lightpath.planner.delta.iteration.Batch;
import dev.lightpath.planner.delta.iteration.ModelShape;
import dev.lightpath.planner.delta.iteration.Parallelism;
import dev.lightpath.planner.torus.CubeArrangement;
import dev.lightpath.planner.torus.Shape;
import dev.lightpath.planner.words.Counted;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;

/** What a slice requests of its fabric. Immutable for the life of the slice. */
public sealed interface Demand {
    /** Number of GPUs requested. */
    int gpus();

    /**
     * Copies of the model that a job trains.
     *
     * @param least how many are enough: all, unless the job is elastic
     */
    record Replicas(int wanted, int least) {
        public Replicas {
            if (least < 1 || least > wanted) {
                throw new IllegalArgumentException(
                        "at least " + least + " of " + wanted + " replicas; allowed: 1 to " + wanted);
            }
        }

        /** Whether fewer than wanted are enough. */
        public boolean elastic() {
            return least < wanted;
        }

        /** As many of those that there is room for as are wanted, none where that is too few. */
        public OptionalInt width(int available) {
            int most = Math.min(wanted, available);
            return most < least ? OptionalInt.empty() : OptionalInt.of(most);
        }

        /** So many of them, for people. */
        public String told(int has) {
            return Counted.part(has, wanted, "replica", "replicas");
        }
    }

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

        /** All groups are one replica where it takes all or none. */
        public Replicas replicas() {
            return new Replicas(groups / groupsPerReplica, leastGroups / groupsPerReplica);
        }

        /** Whether fewer groups than wanted are enough. */
        public boolean elastic() {
            return replicas().elastic();
        }

        /** The most groups in whole replicas of so many, none where that is too few. */
        public OptionalInt width(int available) {
            OptionalInt whole = replicas().width(available / groupsPerReplica);
            return whole.isEmpty() ? whole : OptionalInt.of(whole.getAsInt() * groupsPerReplica);
        }

        /** So many groups in replicas, for people. */
        public String told(int has) {
            return replicas().told(has / groupsPerReplica);
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
     * @param leastReplicas of those how many are enough. Another number of replicas is another iteration with other
     *     circuits
     * @param stagesPerPod of one replica; empty: as many as the smallest pod has GPUs for
     * @param goal how circuits are chosen
     * @param timeLimit of the choice
     */
    record Traffic(
            Iteration iteration,
            Parallelism parallelism,
            int leastReplicas,
            OptionalInt stagesPerPod,
            Goal goal,
            Duration timeLimit)
            implements Demand {
        /** @throws IllegalArgumentException if more replicas are enough than are wanted */
        public Traffic {
            new Replicas(parallelism.replicas(), leastReplicas);
        }

        /** All replicas or none. */
        public Traffic(
                Iteration iteration, Parallelism parallelism, OptionalInt stagesPerPod, Goal goal, Duration timeLimit) {
            this(iteration, parallelism, parallelism.replicas(), stagesPerPod, goal, timeLimit);
        }

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

        public Replicas replicas() {
            return new Replicas(parallelism.replicas(), leastReplicas);
        }

        /** The traffic of so many of its replicas: all of them or none. */
        public Traffic of(int replicas) {
            return replicas == parallelism.replicas() && replicas == leastReplicas
                    ? this
                    : new Traffic(
                            iteration,
                            new Parallelism(
                                    parallelism.tensor(),
                                    parallelism.pipeline(),
                                    parallelism.context(),
                                    parallelism.expert(),
                                    parallelism.expertTensor(),
                                    replicas),
                            stagesPerPod,
                            goal,
                            timeLimit);
        }

        /**
         * The traffic of the replicas that a record has.
         *
         * @param groups of the record: a stage of a replica each
         * @return empty if no record of this demand has so many
         */
        public Optional<Traffic> recorded(int groups) {
            int has = groups / parallelism.pipeline();
            return groups == has * parallelism.pipeline()
                            && replicas().width(has).equals(OptionalInt.of(has))
                    ? Optional.of(of(has))
                    : Optional.empty();
        }

        @Override
        public int gpus() {
            return parallelism.gpus();
        }
    }
}
