package dev.lightpath.planner.polarfly;

import dev.lightpath.planner.graph.Graph;
import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Flow-level evaluation: every vertex injects as much as {@code endpoints} links carry, spread as pattern and routing
 * say. No queues, so figures are upper bounds of what a packet simulator shows.
 */
public final class FlowRouting {
    /** Occupancy of the minimal path's first link below which UGAL_PF stays on it. */
    private static final double THRESHOLD = 2.0 / 3;

    private static final int ROUNDS = 150;

    private final PolarFly polarFly;
    private final Graph graph;
    private final int n;
    private final double endpoints;

    /** @param endpoints injection per vertex in link bandwidths; the paper takes half the radix */
    public FlowRouting(PolarFly polarFly, double endpoints) {
        this.polarFly = polarFly;
        graph = polarFly.graph();
        n = polarFly.vertices();
        this.endpoints = endpoints;
    }

    /** A random permutation without fixed points. */
    public static int[] derangement(int n, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        int[] to = new int[n];
        for (int i = 0; i < n; i++) {
            to[i] = i;
        }
        // Sattolo's shuffle: one cycle, so nothing stays
        for (int i = n - 1; i > 0; i--) {
            int j = random.nextInt(i);
            int swap = to[i];
            to[i] = to[j];
            to[j] = swap;
        }
        return to;
    }

    /**
     * Every vertex sends evenly to all others. O(vertices^2). UGAL stays minimal here: all links are alike, and a
     * longer path of equally loaded links is never the better one.
     */
    public FlowLoads uniform(Routing routing) {
        double[] minimal = new double[2 * graph.edges()];
        double[] load = new double[2 * graph.edges()];
        double amount = endpoints / (n - 1);
        for (int s = 0; s < n; s++) {
            for (int d = 0; d < n; d++) {
                if (s != d) {
                    send(minimal, s, d, amount);
                }
            }
        }
        switch (routing) {
            case MINIMAL, UGAL -> load = minimal;
            case VALIANT -> {
                // to a random vertex and on to another: every ordered pair is joined twice as often
                for (int p = 0; p < load.length; p++) {
                    load[p] = 2 * minimal[p];
                }
            }
            case COMPACT_VALIANT -> compactUniform(load, minimal, amount);
        }
        return FlowLoads.of(load, endpoints * n);
    }

    private void compactUniform(double[] load, double[] minimal, double amount) {
        for (int s = 0; s < n; s++) {
            int far = n - 1 - graph.degree(s);
            for (int i = 0; i < graph.degree(s); i++) {
                load[graph.port(s) + i] += amount * far / graph.degree(s);
                // adjacent pairs by a random vertex: a share of the uniform two-phase traffic
            }
        }
        for (int r = 0; r < n; r++) {
            double around = 0;
            for (int i = 0; i < graph.degree(r); i++) {
                around += 1.0 / graph.degree(graph.neighbour(r, i));
            }
            for (int d = 0; d < n; d++) {
                if (d == r) {
                    continue;
                }
                double weight = around;
                int middle = polarFly.between(r, d);
                if (middle != r && middle != d) {
                    weight -= 1.0 / graph.degree(middle);
                }
                if (graph.adjacent(r, d)) {
                    weight -= 1.0 / graph.degree(d);
                }
                send(load, r, d, amount * weight);
            }
        }
        double adjacentShare = 2.0 * graph.edges() / ((double) n * (n - 1));
        for (int p = 0; p < load.length; p++) {
            load[p] += 2 * minimal[p] * adjacentShare;
        }
    }

    /** Every vertex sends all it has to one other vertex. O(vertices * degree), O(vertices^2) for Valiant. */
    public FlowLoads permutation(int[] to, Routing routing) {
        double[] load = new double[2 * graph.edges()];
        switch (routing) {
            case MINIMAL -> {
                for (int s = 0; s < n; s++) {
                    send(load, s, to[s], endpoints);
                }
            }
            case VALIANT -> {
                for (int s = 0; s < n; s++) {
                    valiant(load, s, to[s], endpoints);
                }
            }
            case COMPACT_VALIANT -> {
                for (int s = 0; s < n; s++) {
                    detour(load, s, to[s], endpoints);
                }
            }
            case UGAL -> {
                return adaptive(to);
            }
        }
        return FlowLoads.of(load, endpoints * n);
    }

    /**
     * The best mixture of the minimal path and the detours by each neighbour of the source, found by Frank-Wolfe steps
     * against exponential link prices. UGAL_PF's rule bounds it: a minimal path's own first link is filled to the
     * threshold at most.
     */
    private FlowLoads adaptive(int[] to) {
        double[] load = new double[2 * graph.edges()];
        double[] direct = new double[n];
        for (int s = 0; s < n; s++) {
            detour(load, s, to[s], endpoints);
        }
        double[] best = load.clone();
        for (int round = 0; round < ROUNDS; round++) {
            double most = max(load);
            double sharpness = 40 / most;
            double[] price = new double[load.length];
            for (int p = 0; p < load.length; p++) {
                price[p] = Math.exp(sharpness * (load[p] - most));
            }
            double step = 1.0 / (round + 3);
            double[] target = new double[load.length];
            for (int s = 0; s < n; s++) {
                // what the threshold allows on the minimal path, for the injection that fills the busiest link
                double allowed = Math.min(endpoints, THRESHOLD * most);
                if (cost(price, s, to[s]) < detourCost(price, s, to[s]) && direct[s] < allowed) {
                    send(target, s, to[s], allowed);
                    cheapestDetours(target, price, s, to[s], endpoints - allowed);
                    direct[s] += step * (allowed - direct[s]);
                } else {
                    cheapestDetours(target, price, s, to[s], endpoints);
                    direct[s] -= step * direct[s];
                }
            }
            for (int p = 0; p < load.length; p++) {
                load[p] += step * (target[p] - load[p]);
            }
            if (max(load) < max(best)) {
                best = load.clone();
            }
        }
        return FlowLoads.of(best, endpoints * n);
    }

    private double cost(double[] price, int s, int d) {
        if (s == d) {
            return 0;
        }
        int direct = graph.portTo(s, d);
        if (direct >= 0) {
            return price[direct];
        }
        int middle = polarFly.between(s, d);
        return price[graph.portTo(s, middle)] + price[graph.portTo(middle, d)];
    }

    private double detourCost(double[] price, int s, int d) {
        double least = Double.MAX_VALUE;
        for (int i = 0; i < graph.degree(s); i++) {
            least = Math.min(least, price[graph.port(s) + i] + cost(price, graph.neighbour(s, i), d));
        }
        return least;
    }

    /** Spreads an amount over the cheaper half of the detours; adjacent pairs by random vertices. */
    private void cheapestDetours(double[] load, double[] price, int s, int d, double amount) {
        if (graph.adjacent(s, d)) {
            valiant(load, s, d, amount);
            return;
        }
        int degree = graph.degree(s);
        double[] costs = new double[degree];
        for (int i = 0; i < degree; i++) {
            costs[i] = price[graph.port(s) + i] + cost(price, graph.neighbour(s, i), d);
        }
        double[] sorted = costs.clone();
        Arrays.sort(sorted);
        double limit = sorted[(degree - 1) / 2];
        int chosen = 0;
        for (double c : costs) {
            chosen += c <= limit ? 1 : 0;
        }
        for (int i = 0; i < degree; i++) {
            if (costs[i] <= limit) {
                load[graph.port(s) + i] += amount / chosen;
                send(load, graph.neighbour(s, i), d, amount / chosen);
            }
        }
    }

    private static double max(double[] load) {
        double most = 0;
        for (double l : load) {
            most = Math.max(most, l);
        }
        return most;
    }

    private void send(double[] load, int s, int d, double amount) {
        if (s == d) {
            return;
        }
        int direct = graph.portTo(s, d);
        if (direct >= 0) {
            load[direct] += amount;
        } else {
            int middle = polarFly.between(s, d);
            load[graph.portTo(s, middle)] += amount;
            load[graph.portTo(middle, d)] += amount;
        }
    }

    private void valiant(double[] load, int s, int d, double amount) {
        for (int r = 0; r < n; r++) {
            if (r != s && r != d) {
                send(load, s, r, amount / (n - 2));
                send(load, r, d, amount / (n - 2));
            }
        }
    }

    private void detour(double[] load, int s, int d, double amount) {
        if (graph.adjacent(s, d)) {
            valiant(load, s, d, amount);
            return;
        }
        double part = amount / graph.degree(s);
        for (int i = 0; i < graph.degree(s); i++) {
            load[graph.port(s) + i] += part;
            send(load, graph.neighbour(s, i), d, part);
        }
    }
}
