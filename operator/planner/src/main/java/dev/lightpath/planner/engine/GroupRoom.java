package dev.lightpath.planner.engine;

import dev.lightpath.planner.world.OcsPod;

/** Whether pods have room for the tensor-parallel groups of a job that takes them from a ring as well. */
interface GroupRoom {
    /** No job takes its groups elsewhere. */
    GroupRoom NONE = new GroupRoom() {
        @Override
        public boolean chooses(Claim claim) {
            return false;
        }

        @Override
        public boolean fits(Claim claim, OcsPod pod, int gpus) {
            return false;
        }

        @Override
        public boolean stuck(Claim claim) {
            return false;
        }

        @Override
        public boolean lost(Claim claim) {
            return false;
        }
    };

    /** Whether the nodes of a job are chosen on a ring. */
    boolean chooses(Claim claim);

    /** Whether the nodes of a pod hold groups for so many GPUs. */
    boolean fits(Claim claim, OcsPod pod, int gpus);

    /** Whether the ring finds no room in the pods that a job was given. */
    boolean stuck(Claim claim);

    /** Whether groups of a job have failed, may be moved, and no repair fits in their pods. */
    boolean lost(Claim claim);
}
