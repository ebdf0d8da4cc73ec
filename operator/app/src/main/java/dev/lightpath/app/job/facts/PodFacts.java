package dev.lightpath.app.job.facts;

import java.util.Optional;
import java.util.OptionalInt;

/**
 * A pod of a job.
 *
 * @param rank its place in the job, empty when the pod says none
 * @param node where it is bound, empty when it is not
 * @param gated whether it waits for its light
 * @param hanging whether it should have ended, on a node whose state is unknown
 * @param waiting what it waits for that was let go and is not bound yet
 * @param light what it was told of its light, blank where nothing
 */
public record PodFacts(
        String name,
        OptionalInt rank,
        String node,
        boolean gated,
        Phase phase,
        boolean deleting,
        boolean hanging,
        Optional<Waiting> waiting,
        String light) {

    /**
     * An ungated pod that the scheduler has not bound yet.
     *
     * @param node the only one that takes the pod
     * @param down whether that is gone or not ready: no pod is bound to it
     * @param barred whether that is cordoned, or has a taint that the pod does not tolerate
     * @param version of the pod as it was read
     */
    public record Waiting(String node, boolean down, boolean barred, String version) {}

    /** How far it is. */
    public enum Phase {
        PENDING,
        RUNNING,
        ENDED
    }

    /** Whether it runs and is to run on. */
    public boolean runs() {
        return phase == Phase.RUNNING && !deleting;
    }

    /** Whether it may send light: a pod behind the gate was never bound. */
    public boolean usesLight() {
        return !gated && phase != Phase.ENDED;
    }
}
