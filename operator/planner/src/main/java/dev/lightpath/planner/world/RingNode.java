package dev.lightpath.planner.world;

import dev.lightpath.planner.fault.Signal;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A node at its place on the ring.
 *
 * @param signals observations of Kubernetes and people that something is wrong with it
 * @param schedulable whether new plans may use it; a cordoned node is not faulty
 * @param busy whether others' pods hold GPUs of it: not placeable, not faulty
 * @param clearedAt before when a person says its faults are over
 */
public record RingNode(
        String name,
        int position,
        List<Signal> signals,
        boolean schedulable,
        boolean busy,
        Optional<Instant> clearedAt) {
    public RingNode {
        signals = List.copyOf(signals);
    }

    /** The same node while nothing new may be placed on it. */
    RingNode closed() {
        return new RingNode(name, position, signals, schedulable, true, clearedAt);
    }

    /** A node that no person cleared of faults. */
    public RingNode(String name, int position, List<Signal> signals, boolean schedulable, boolean busy) {
        this(name, position, signals, schedulable, busy, Optional.empty());
    }
}
