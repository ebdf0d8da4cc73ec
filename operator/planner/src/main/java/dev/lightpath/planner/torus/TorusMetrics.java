package dev.lightpath.planner.torus;

/**
 * Figures of a torus-like graph of N vertices under all-to-all traffic, one unit from each vertex to each other.
 *
 * @param averageDistance sum of hops over ordered pairs divided by N^2, self pairs included (the paper's Table III)
 * @param maxLinkLoad units through the busiest directed port when each hop splits evenly over all ports on shortest
 *     paths
 * @param diameter most hops
 * @param connected whether every vertex reaches every other
 * @param orbits classes of vertices that see the same graph; 1 for a Cayley graph
 */
public record TorusMetrics(
        int vertices, double averageDistance, double maxLinkLoad, int diameter, boolean connected, int orbits) {

    /** Units per vertex and port bandwidth, N / load: 1 for the regular 8x8x8 torus. */
    public double throughputPerVertex() {
        return vertices / maxLinkLoad;
    }
}
