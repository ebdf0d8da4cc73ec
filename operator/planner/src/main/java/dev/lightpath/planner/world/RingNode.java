package dev.lightpath.planner.world;

import dev.lightpath.planner.fault.Signal;
import java.util.List;

/**
 * A node at its place on the ring.
 *
 * @param signals what looks wrong with it, by what Kubernetes and people say
 * @param schedulable whether new plans may use it; a cordoned node is not faulty
 * @param busy whether others' pods hold GPUs of it: not placeable, not faulty
 */
public record RingNode(String name, int position, List<Signal> signals, boolean schedulable, boolean busy) {
    public RingNode {
        signals = List.copyOf(signals);
    }
}
