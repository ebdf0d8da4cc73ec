package dev.lightpath.planner.ask;

import dev.lightpath.planner.delta.iteration.Parallelism;

/**
 * An iteration, split and put into pods. A simulation depends on this and on circuits only. Questions that differ only
 * in ports, goal or time have the same one.
 *
 * @param iteration what is computed and sent
 * @param parallelism how it is split
 * @param stagesPerPod consecutive stages of a replica in one pod
 * @param circuitGbps speed of a circuit, 10^9 bits per second
 * @param speeds of GPUs and links, as they were learnt
 */
public record PlacedIteration(
        Iteration iteration, Parallelism parallelism, int stagesPerPod, double circuitGbps, Speeds speeds) {
    private static final long LEAST_BYTES = 512;
    private static final long BYTES_PER_PAIR = 32;

    /** Estimated size in memory. */
    public long bytes() {
        return iteration instanceof Iteration.OfTrace of
                ? LEAST_BYTES
                        + of.trace().packed().length()
                        + BYTES_PER_PAIR * of.trace().pairs().size()
                : LEAST_BYTES;
    }
}
