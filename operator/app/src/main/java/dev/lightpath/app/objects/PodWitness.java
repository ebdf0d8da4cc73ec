package dev.lightpath.app.objects;

import io.fabric8.kubernetes.api.model.Pod;

/**
 * Receives pods that were ungated, because the watch of pods may report them later than the watch of their nodes.
 * Decisions depend on the nodes that pods use.
 */
public interface PodWitness {
    /** @param pod as the API server answered */
    void saw(Pod pod);
}
