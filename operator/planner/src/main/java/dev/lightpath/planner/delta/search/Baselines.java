package dev.lightpath.planner.delta.search;

import dev.lightpath.planner.delta.model.DeltaInstance;
import dev.lightpath.planner.delta.model.PodPair;
import dev.lightpath.planner.delta.simulation.FlowNetwork;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The traffic-matrix baselines (section V-A2): one circuit at a time to the neediest group that still has room. */
public final class Baselines {
    private final FlowNetwork network;
    private final double[] bytes;

    public Baselines(DeltaInstance instance, FlowNetwork network) {
        this.network = network;
        Map<PodPair, Double> directed = new HashMap<>();
        instance.tasks()
                .forEach(task ->
                        directed.merge(new PodPair(task.source(), task.destination()), task.bytes(), Double::sum));
        bytes = new double[network.groups];
        for (int g = 0; g < network.groups; g++) {
            List<PodPair> pairs = instance.groups().get(g).pairs();
            for (PodPair pair : pairs) {
                bytes[g] = Math.max(
                        bytes[g],
                        Math.max(directed.getOrDefault(pair, 0.0), directed.getOrDefault(pair.reversed(), 0.0)));
            }
        }
    }

    /** Circuits proportional to traffic (SiP-ML). */
    public int[] proportional() {
        return allocate(bytes.clone(), false);
    }

    /** Circuits proportional to the square root of traffic. */
    public int[] squareRoot() {
        double[] roots = bytes.clone();
        for (int g = 0; g < roots.length; g++) {
            roots[g] = Math.sqrt(roots[g]);
        }
        return allocate(roots, false);
    }

    /**
     * Circuits proportional to a power of the traffic: 0 spreads them evenly, the more above 1 the more the busiest
     * pairs get.
     */
    public int[] power(double exponent) {
        double[] powers = bytes.clone();
        for (int g = 0; g < powers.length; g++) {
            powers[g] = Math.pow(powers[g], exponent);
        }
        return allocate(powers, false);
    }

    /** Each circuit halves the weight of its pair (TopoOpt); the first circuit of each pair counts. */
    public int[] iterativeHalving() {
        double[] halves = bytes.clone();
        for (int g = 0; g < halves.length; g++) {
            halves[g] /= 2;
        }
        return allocate(halves, true);
    }

    private int[] allocate(double[] weight, boolean halving) {
        int[] circuits = Boxes.least(network);
        while (true) {
            int best = -1;
            double most = Double.NEGATIVE_INFINITY;
            for (int g = 0; g < network.groups; g++) {
                double need = halving ? weight[g] : weight[g] / circuits[g];
                if (need > most && hasRoom(circuits, g)) {
                    best = g;
                    most = need;
                }
            }
            if (best < 0) {
                return circuits;
            }
            circuits[best]++;
            if (halving) {
                weight[best] /= 2;
            }
        }
    }

    private boolean hasRoom(int[] circuits, int group) {
        if (circuits[group] >= network.groupLimit[group]) {
            return false;
        }
        circuits[group]++;
        boolean fits = network.fits(circuits);
        circuits[group]--;
        return fits;
    }
}
