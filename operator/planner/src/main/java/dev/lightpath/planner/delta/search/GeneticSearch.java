package dev.lightpath.planner.delta.search;

import dev.lightpath.planner.delta.model.Topology;
import dev.lightpath.planner.delta.simulation.FlowNetwork;
import dev.lightpath.planner.delta.simulation.Rates;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * DELTA-Fast: a genetic algorithm whose fitness is the simulated makespan under fair sharing (Algorithm 3), with
 * feasible random topologies (Algorithm 5) and repair of offspring (Algorithm 6) inside the bounds of Algorithm 2. The
 * first population includes the traffic-matrix baselines and allocations by other powers of the traffic, so the answer
 * is never worse than theirs. Finally single moves and exchanges of circuits improve the best topology until none
 * helps. Deterministic for a seed.
 */
public final class GeneticSearch {
    private static final int POPULATION = 32;
    private static final int ELITES = 4;
    private static final int TOURNAMENT = 3;
    private static final int PATIENCE_GENERATIONS = 40;
    private static final double MUTATION = 0.25;
    /** Neighbours that are held at once, and simulated between two looks at the stop signal. */
    private static final int BATCH = 32;

    private final FlowNetwork network;
    private final SimulatorPool pool;
    private final Budget budget;
    private final SplittableRandom random;
    private final int[] most;
    private final Map<List<Integer>, Double> known = new HashMap<>();
    private int[] best;
    private double bestSeconds = Double.POSITIVE_INFINITY;

    /** @param most circuits per group beyond which none is of use (Algorithm 2) */
    public GeneticSearch(FlowNetwork network, SimulatorPool pool, Budget budget, int[] most, long seed) {
        this.network = network;
        this.pool = pool;
        this.budget = budget;
        this.most = most;
        this.random = new SplittableRandom(seed);
        this.best = Boxes.least(network);
    }

    /** Circuits per group and their makespan in seconds. */
    public record Found(int[] circuits, double seconds) {}

    /** Searches; the starts join the first population. */
    public Found search(List<int[]> starts) {
        List<int[]> population = new ArrayList<>(starts);
        population.add(Boxes.least(network));
        while (population.size() < POPULATION) {
            population.add(feasibleRandom());
        }
        rank(population);
        int idle = 0;
        while (idle < PATIENCE_GENERATIONS && !budget.exhausted()) {
            double before = bestSeconds;
            List<int[]> next = new ArrayList<>(population.subList(0, ELITES));
            while (next.size() < POPULATION) {
                int[] child = crossover(tournament(population), tournament(population));
                mutate(child);
                next.add(repair(child) ? child : feasibleRandom());
            }
            population = next;
            rank(population);
            idle = bestSeconds < before * (1 - JointSearch.EQUAL) ? 0 : idle + 1;
        }
        climb();
        return new Found(best, bestSeconds);
    }

    /** Sorts by makespan, then ports, then counts. */
    private void rank(List<int[]> population) {
        evaluate(population);
        population.sort(Comparator.<int[]>comparingDouble(this::seconds)
                .thenComparingInt(network::ports)
                .thenComparing(Arrays::compare));
    }

    private double seconds(int[] circuits) {
        return known.getOrDefault(key(circuits), Double.POSITIVE_INFINITY);
    }

    private void evaluate(List<int[]> population) {
        Map<List<Integer>, int[]> fresh = new HashMap<>();
        List<int[]> questions = new ArrayList<>();
        for (int[] circuits : population) {
            List<Integer> key = key(circuits);
            if (!known.containsKey(key) && fresh.put(key, circuits) == null) {
                questions.add(circuits);
            }
        }
        budget.spend(questions.size());
        double[] makespans = pool.makespans(questions, Rates.FAIR);
        for (int i = 0; i < makespans.length; i++) {
            int[] circuits = questions.get(i);
            known.put(key(circuits), makespans[i]);
            boolean fewerPorts = makespans[i] <= bestSeconds && network.ports(circuits) < network.ports(best);
            if (makespans[i] < bestSeconds || fewerPorts) {
                best = circuits.clone();
                bestSeconds = makespans[i];
                budget.report(bestSeconds, 0);
            }
        }
    }

    private static List<Integer> key(int[] circuits) {
        return Topology.of(circuits).circuits();
    }

    /** Algorithm 5: each group in turn draws a count that leaves one circuit for each group still to come. */
    private int[] feasibleRandom() {
        int[] circuits = new int[network.groups];
        int[] left = network.podPorts.clone();
        int[] reserved = new int[left.length];
        for (int p = 0; p < left.length; p++) {
            for (int g = 0; g < network.groups; g++) {
                reserved[p] += network.ends[g][p];
            }
        }
        for (int g = 0; g < network.groups; g++) {
            int limit = most[g];
            for (int p = 0; p < left.length; p++) {
                reserved[p] -= network.ends[g][p];
                if (network.ends[g][p] > 0) {
                    limit = Math.min(limit, (left[p] - reserved[p]) / network.ends[g][p]);
                }
            }
            circuits[g] = 1 + random.nextInt(Math.max(1, limit));
            for (int p = 0; p < left.length; p++) {
                left[p] -= circuits[g] * network.ends[g][p];
            }
        }
        return circuits;
    }

    private int[] tournament(List<int[]> ranked) {
        int winner = ranked.size();
        for (int i = 0; i < TOURNAMENT; i++) {
            winner = Math.min(winner, random.nextInt(ranked.size()));
        }
        return ranked.get(winner);
    }

    private int[] crossover(int[] mother, int[] father) {
        int[] child = mother.clone();
        for (int g = 0; g < child.length; g++) {
            if (random.nextBoolean()) {
                child[g] = father[g];
            }
        }
        return child;
    }

    private void mutate(int[] child) {
        for (int g = 0; g < child.length; g++) {
            if (random.nextDouble() < MUTATION) {
                child[g] = random.nextInt(4) == 0 ? 1 + random.nextInt(most[g]) : child[g] + random.nextInt(-2, 3);
            }
        }
    }

    /** Algorithm 6: bounds first, then circuits taken at random from overloaded pods; false when that cannot help. */
    private boolean repair(int[] child) {
        for (int g = 0; g < child.length; g++) {
            child[g] = Math.max(1, Math.min(child[g], most[g]));
        }
        for (int p = 0; p < network.podPorts.length; p++) {
            while (network.used(child, p) > network.podPorts[p]) {
                int reducible = 0;
                int chosen = -1;
                for (int g = 0; g < child.length; g++) {
                    if (network.ends[g][p] > 0 && child[g] > 1 && random.nextInt(++reducible) == 0) {
                        chosen = g;
                    }
                }
                if (chosen < 0) {
                    return false;
                }
                child[chosen]--;
            }
        }
        return true;
    }

    /** Moves and exchanges of one or two circuits, the best of all neighbours, until none is better. */
    private void climb() {
        double before = Double.POSITIVE_INFINITY;
        while (bestSeconds < before && !budget.exhausted()) {
            before = bestSeconds;
            int[] from = best;
            List<int[]> neighbours = new ArrayList<>();
            for (int g = 0; g < network.groups && !budget.stopped(); g++) {
                for (int step = -2; step <= 2; step++) {
                    neighbour(neighbours, from, g, step, g, 0);
                    for (int h = 0; h < network.groups; h++) {
                        if (h != g && sharePod(g, h)) {
                            neighbour(neighbours, from, g, step, h, -step);
                        }
                    }
                }
            }
            evaluate(neighbours);
        }
    }

    private boolean sharePod(int g, int h) {
        for (int p = 0; p < network.podPorts.length; p++) {
            if (network.ends[g][p] > 0 && network.ends[h][p] > 0) {
                return true;
            }
        }
        return false;
    }

    private void neighbour(List<int[]> neighbours, int[] from, int g, int step, int h, int counterStep) {
        if (budget.stopped()) {
            return;
        }
        int[] circuits = from.clone();
        circuits[g] += step;
        circuits[h] += counterStep;
        if (circuits[g] >= 1
                && circuits[h] >= 1
                && circuits[g] <= most[g]
                && circuits[h] <= most[h]
                && network.fits(circuits)) {
            neighbours.add(circuits);
        }
        if (neighbours.size() >= BATCH) {
            evaluate(neighbours);
            neighbours.clear();
        }
    }
}
