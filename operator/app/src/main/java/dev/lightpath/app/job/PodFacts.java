package dev.lightpath.app.job;

import java.util.OptionalInt;

/**
 * A pod of a job.
 *
 * @param rank its place in the job, empty when the pod says none
 * @param node where it is bound, empty when it is not
 * @param gated whether it waits for its light
 * @param hanging whether it should have ended, on a node whose state is unknown
 */
record PodFacts(
        String name, OptionalInt rank, String node, boolean gated, Phase phase, boolean deleting, boolean hanging) {

    /** How far it is. */
    enum Phase {
        PENDING,
        RUNNING,
        ENDED
    }

    /** Whether it runs and is to run on. */
    boolean runs() {
        return phase == Phase.RUNNING && !deleting;
    }

    /** Whether it may send light: a pod behind the gate was never bound. */
    boolean usesLight() {
        return !gated && phase != Phase.ENDED;
    }
}
