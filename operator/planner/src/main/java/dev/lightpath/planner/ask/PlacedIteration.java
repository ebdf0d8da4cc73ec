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
public record PlacedIteration(Iteration iteration, Parallelism parallelism, int stagesPerPod, double circuitGbps) {}
