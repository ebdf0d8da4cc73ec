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
 * @param closed whether another fabric's leader may still use it: not placeable, not faulty
 */
public record RingNode(
        String name,
        int position,
        List<Signal> signals,
        boolean schedulable,
        boolean busy,
        Optional<Instant> clearedAt,
        boolean closed) {
    public RingNode {
        signals = List.copyOf(signals);
    }

    /** A node that is only its own fabric's. */
    public RingNode(
            String name,
            int position,
            List<Signal> signals,
            boolean schedulable,
            boolean busy,
            Optional<Instant> clearedAt) {
        this(name, position, signals, schedulable, busy, clearedAt, false);
    }

    /** A node that no person cleared of faults. */
    public RingNode(String name, int position, List<Signal> signals, boolean schedulable, boolean busy) {
        this(name, position, signals, schedulable, busy, Optional.empty());
    }

    /** The same node while another fabric's leader may use it. */
    RingNode closing() {
        return new RingNode(name, position, signals, schedulable, busy, clearedAt, true);
    }

    /** Whether something new may be placed on it, as far as Kubernetes tells. */
    public boolean placeable() {
        return schedulable && !busy && !closed;
    }
}
