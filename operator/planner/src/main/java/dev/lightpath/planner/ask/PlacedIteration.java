package dev.lightpath.planner.ask;

import dev.lightpath.planner.delta.Parallelism;

/**
 * An iteration, split and put into pods: all that a simulation of it depends on beside circuits. Questions that differ only in ports,
 * goal or time have the same.
 *
 * @param iteration what is computed and sent
 * @param parallelism how it is split
 * @param stagesPerPod consecutive stages of a replica in one pod
 * @param circuitGbps speed of a circuit, 10^9 bits per second
 */
public record PlacedIteration(Iteration iteration, Parallelism parallelism, int stagesPerPod, double circuitGbps) {
    private static final long LEAST_BYTES = 512;
    private static final long BYTES_PER_PAIR = 32;

    /** About as many as it takes in memory. */
    public long bytes() {
        return iteration instanceof Iteration.OfTrace of
                ? LEAST_BYTES
                        + of.trace().packed().length()
                        + BYTES_PER_PAIR * of.trace().pairs().size()
                : LEAST_BYTES;
    }
}
