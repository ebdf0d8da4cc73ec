package dev.lightpath.app.job;

import io.fabric8.kubernetes.api.model.Pod;

/** Who decides by the nodes that pods use: told of a pod that was let go, whose watch may tell of it later than that of its node. */
public interface PodWitness {
    /** @param pod as the API server answered */
    void saw(Pod pod);
}
