package dev.lightpath.planner.delta.search;

import dev.lightpath.planner.delta.model.DeltaInstance;
import dev.lightpath.planner.delta.model.Topology;
import dev.lightpath.planner.delta.simulation.FlowNetwork;
import dev.lightpath.planner.delta.simulation.TimeWindows;
import java.util.ArrayList;
import java.util.List;

/**
 * How many circuits each group can use at once (Algorithm 2, XUpperBoundEstimation): per link and time interval the
 * heaviest set of tasks that may run together. A task weighs the circuits its network cards can fill.
 */
public final class CircuitBounds {
    /** Fractions of a circuit are counted in these units, rounded up. */
    private static final double UNITS_PER_CIRCUIT = 1 << 20;

    /** Which transfers wait for which is held as bits, of so many 32 MB, for each search. */
    static final int MOST_TRANSFERS = 1 << 14;

    private final FlowNetwork network;
    private final TimeWindows windows;
    private final long[][] after;

    private CircuitBounds(FlowNetwork network, TimeWindows windows) {
        this.network = network;
        this.windows = windows;
        this.after = closure(network);
    }

    /**
     * The most circuits per pair that help in an iteration of at most the given length: one count per group of the
     * instance, at least 1 and at most the group's own limit (section IV-B1, Algorithms 2 and 4). If the counts of a
     * topology are capped at these, no such iteration becomes longer under fair sharing. O(tasks^2 * dependencies) at
     * worst.
     *
     * @param limitSeconds an upper bound of the makespan (T_up)
     */
    public static List<Integer> of(DeltaInstance instance, double limitSeconds) {
        FlowNetwork network = new FlowNetwork(instance);
        Budget unlimited = new Budget(SearchLimits.standard());
        return Topology.of(estimate(network, TimeWindows.of(network, limitSeconds), unlimited))
                .circuits();
    }

    /**
     * Upper bounds per group, at least 1 and at most the group's own limit, for iterations within the windows. For more
     * than 16 384 transfers, or after the stop signal, those of {@link FlowNetwork#usefulCircuits}, which count all
     * transfers of a link at once.
     */
    public static int[] estimate(FlowNetwork network, TimeWindows windows, Budget budget) {
        if (network.tasks > MOST_TRANSFERS) {
            return network.usefulCircuits();
        }
        CircuitBounds bounds = new CircuitBounds(network, windows);
        int[] most = Boxes.least(network);
        for (int l = 0; l < network.links; l++) {
            int g = network.linkGroup[l];
            most[g] = Math.max(most[g], Math.min(network.groupLimit[g], bounds.link(l, most[g], budget)));
        }
        return budget.stopped() ? network.usefulCircuits() : most;
    }

    /** Per task, the set of tasks that wait for it, as bits; the transitive closure R. */
    private static long[][] closure(FlowNetwork network) {
        long[][] later = new long[network.tasks][(network.tasks + 63) / 64];
        for (int i = network.tasks - 1; i >= 0; i--) {
            int m = network.order[i];
            for (int e = network.nextFrom[m]; e < network.nextFrom[m + 1]; e++) {
                int next = network.nextTask[e];
                later[m][next >>> 6] |= 1L << (next & 63);
                for (int w = 0; w < later[m].length; w++) {
                    later[m][w] |= later[next][w];
                }
            }
        }
        return later;
    }

    private int link(int link, int known, Budget budget) {
        List<Integer> tasks = new ArrayList<>();
        for (int i = network.loadFrom[link]; i < network.loadFrom[link + 1]; i++) {
            tasks.add(network.loadTask[i]);
        }
        double[] times = tasks.stream()
                .flatMap(
                        m -> List.of(
                                windows.earliestStartSeconds().get(m),
                                windows.latestEndSeconds().get(m))
                                .stream())
                .mapToDouble(Double::doubleValue)
                .sorted()
                .distinct()
                .toArray();
        int most = known;
        int limit = network.groupLimit[network.linkGroup[link]];
        for (int k = 0; k + 1 < times.length && most < limit && !budget.stopped(); k++) {
            double middle = (times[k] + times[k + 1]) / 2;
            int[] running = tasks.stream()
                    .filter(m -> windows.earliestStartSeconds().get(m) <= middle
                            && middle <= windows.latestEndSeconds().get(m))
                    .mapToInt(Integer::intValue)
                    .toArray();
            long[] weight = new long[running.length];
            long total = 0;
            for (int i = 0; i < running.length; i++) {
                double circuits = network.flows[running[i]] * network.cardRate[running[i]] / network.circuit;
                weight[i] = (long) Math.ceil(circuits * UNITS_PER_CIRCUIT - 1e-3);
                total += weight[i];
            }
            if (circuits(total) > most) {
                most = Math.max(most, circuits(Antichain.heaviest(weight, (i, j) -> waits(running[i], running[j]))));
            }
        }
        return most;
    }

    private static int circuits(long units) {
        return (int) Math.min(Integer.MAX_VALUE, Math.ceil(units / UNITS_PER_CIRCUIT - 1e-6));
    }

    private boolean waits(int first, int second) {
        return (after[first][second >>> 6] & (1L << (second & 63))) != 0;
    }
}
