package dev.lightpath.planner.torus;

/**
 * One twist of a shape with its figures.
 *
 * @param shifts in chips
 * @param gain all-to-all throughput relative to the regular torus of the shape
 * @param objective the value it was ranked by, smaller is better
 */
public record TorusPattern(Twist shifts, TorusMetrics metrics, double gain, double objective) {}
