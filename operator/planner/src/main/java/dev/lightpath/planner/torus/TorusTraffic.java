package dev.lightpath.planner.torus;

import java.util.Arrays;

/**
 * Distances and ECMP loads of a graph given by three permutations. Vertices that an automorphism carries into each
 * other see the same traffic, so one destination per orbit is enough: O(orbits * vertices). Automorphisms that keep
 * port names act freely, hence loads of one destination, summed over a port's orbit, are the loads of all destinations
 * of its orbit on that port.
 */
public final class TorusTraffic {
    private static final int PORTS = 6;

    private final int n;
    /**
     * Vertex behind port p of v at {@code PORTS * v + p}; ports +x, -x, +y, -y, +z, -z; v itself where there is no
     * link.
     */
    private final int[] neighbour;

    private final int[] orbit;

    private TorusTraffic(int[][] plus) {
        n = plus[0].length;
        neighbour = new int[PORTS * n];
        for (int a = 0; a < 3; a++) {
            for (int v = 0; v < n; v++) {
                neighbour[PORTS * v + 2 * a] = plus[a][v];
                neighbour[PORTS * plus[a][v] + 2 * a + 1] = v;
            }
        }
        orbit = orbits();
    }

    /** Measures the graph of three permutations. */
    public static TorusMetrics measure(int[][] plus) {
        return new TorusTraffic(plus).measure();
    }

    private TorusMetrics measure() {
        int[] size = new int[n];
        for (int v = 0; v < n; v++) {
            size[orbit[v]]++;
        }
        int[] distance = new int[n];
        int[] queue = new int[n];
        double[] flow = new double[n];
        double[] load = new double[PORTS * n];
        double hops = 0;
        int diameter = 0;
        int orbits = 0;
        boolean connected = true;
        for (int destination = 0; destination < n; destination++) {
            if (orbit[destination] != destination) {
                continue;
            }
            orbits++;
            int reached = search(destination, distance, queue);
            connected &= reached == n;
            long sum = 0;
            for (int i = 0; i < reached; i++) {
                sum += distance[queue[i]];
            }
            hops += (double) sum * size[destination];
            diameter = Math.max(diameter, distance[queue[reached - 1]]);
            spread(distance, queue, reached, flow, load);
        }
        double most = 0;
        for (double l : load) {
            most = Math.max(most, l);
        }
        return new TorusMetrics(n, hops / ((double) n * n), most, diameter, connected, orbits);
    }

    private int search(int source, int[] distance, int[] queue) {
        Arrays.fill(distance, -1);
        distance[source] = 0;
        queue[0] = source;
        int tail = 1;
        for (int head = 0; head < tail; head++) {
            int v = queue[head];
            for (int p = PORTS * v; p < PORTS * v + PORTS; p++) {
                int w = neighbour[p];
                if (distance[w] < 0) {
                    distance[w] = distance[v] + 1;
                    queue[tail++] = w;
                }
            }
        }
        return tail;
    }

    /** Sends one unit from every vertex towards the source of the search, farthest first. */
    private void spread(int[] distance, int[] queue, int reached, double[] flow, double[] load) {
        Arrays.fill(flow, 1);
        for (int i = reached - 1; i > 0; i--) {
            int v = queue[i];
            int nearer = distance[v] - 1;
            int ports = 0;
            for (int p = PORTS * v; p < PORTS * v + PORTS; p++) {
                if (distance[neighbour[p]] == nearer) {
                    ports++;
                }
            }
            double share = flow[v] / ports;
            int base = PORTS * orbit[v];
            for (int p = 0; p < PORTS; p++) {
                int w = neighbour[PORTS * v + p];
                if (distance[w] == nearer) {
                    flow[w] += share;
                    load[base + p] += share;
                }
            }
        }
    }

    /** The lowest vertex of each vertex's orbit under the automorphisms that keep port names. */
    private int[] orbits() {
        int[] root = new int[n];
        for (int v = 0; v < n; v++) {
            root[v] = v;
        }
        int[] image = new int[n];
        int[] queue = new int[n];
        for (int target = 1; target < n; target++) {
            if (find(root, target) != find(root, 0) && automorphism(target, image, queue)) {
                for (int v = 0; v < n; v++) {
                    int a = find(root, v);
                    int b = find(root, image[v]);
                    root[Math.max(a, b)] = Math.min(a, b);
                }
            }
        }
        for (int v = 0; v < n; v++) {
            root[v] = find(root, v);
        }
        return root;
    }

    /** Follows the ports from vertex 0 and its image together: the one map that keeps them, if there is one. */
    private boolean automorphism(int target, int[] image, int[] queue) {
        Arrays.fill(image, -1);
        image[0] = target;
        queue[0] = 0;
        int tail = 1;
        for (int head = 0; head < tail; head++) {
            int v = queue[head];
            for (int p = 0; p < PORTS; p++) {
                int w = neighbour[PORTS * v + p];
                int expected = neighbour[PORTS * image[v] + p];
                if (image[w] < 0) {
                    image[w] = expected;
                    queue[tail++] = w;
                } else if (image[w] != expected) {
                    return false;
                }
            }
        }
        return tail == n;
    }

    private static int find(int[] root, int v) {
        int node = v;
        while (root[node] != node) {
            root[node] = root[root[node]];
            node = root[node];
        }
        return node;
    }
}
