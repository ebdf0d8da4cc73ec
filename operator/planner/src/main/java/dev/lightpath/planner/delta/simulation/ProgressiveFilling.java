package dev.lightpath.planner.delta.simulation;

/** Max-min rates of flows: all rise together until a link or card is full or a flow is at its own limit, and so on. */
final class ProgressiveFilling {
    private static final double TIE_OF_RATES = 1e-12;

    /** Bytes per second of one flow of each task that was filled. */
    final double[] rate;

    private final FlowNetwork network;
    private final ConnectedPart part;
    private final double[] capacity;
    private final double[] spare;
    private final double[] weight;
    private final int[] open;
    private final boolean[] frozen;
    private final boolean[] full;

    /** @param capacity of each resource, bytes per second; may change between fillings */
    ProgressiveFilling(FlowNetwork network, ConnectedPart part, double[] capacity) {
        this.network = network;
        this.part = part;
        this.capacity = capacity;
        rate = new double[network.tasks];
        spare = new double[network.resources];
        weight = new double[network.resources];
        open = new int[network.resources];
        frozen = new boolean[network.tasks];
        full = new boolean[network.resources];
    }

    /** All links and cards of the part are empty. */
    void open() {
        for (int t = 0; t < part.resources; t++) {
            spare[part.resource[t]] = capacity[part.resource[t]];
        }
    }

    /** Fills tasks {@code from .. to} of the part into what those before have left. */
    void fill(int from, int to) {
        if (to == from + 1) {
            alone(part.task[from]);
            return;
        }
        load(from, to);
        int left = to - from;
        while (left > 0) {
            double water = water(from, to);
            double brim = water * (1 + TIE_OF_RATES);
            for (int t = 0; t < part.resources; t++) {
                int r = part.resource[t];
                full[r] = open[r] > 0 && spare[r] / weight[r] <= brim;
            }
            for (int i = from; i < to; i++) {
                int m = part.task[i];
                if (!frozen[m] && (network.cardRate[m] <= brim || onFullResource(m))) {
                    frozen[m] = true;
                    left--;
                    rate[m] = water;
                    take(m, water);
                    for (int u = network.useFrom[m]; u < network.useFrom[m + 1]; u++) {
                        weight[network.useResource[u]] -= network.useWeight[u];
                        open[network.useResource[u]]--;
                    }
                }
            }
        }
    }

    private void alone(int m) {
        double most = network.cardRate[m];
        for (int u = network.useFrom[m]; u < network.useFrom[m + 1]; u++) {
            most = Math.min(most, spare[network.useResource[u]] / network.useWeight[u]);
        }
        rate[m] = most;
        take(m, most);
    }

    private void load(int from, int to) {
        for (int t = 0; t < part.resources; t++) {
            weight[part.resource[t]] = 0;
            open[part.resource[t]] = 0;
        }
        for (int i = from; i < to; i++) {
            int m = part.task[i];
            frozen[m] = false;
            for (int u = network.useFrom[m]; u < network.useFrom[m + 1]; u++) {
                weight[network.useResource[u]] += network.useWeight[u];
                open[network.useResource[u]]++;
            }
        }
    }

    /** The rate to which all flows that are not frozen can rise. */
    private double water(int from, int to) {
        double water = Double.POSITIVE_INFINITY;
        for (int t = 0; t < part.resources; t++) {
            int r = part.resource[t];
            if (open[r] > 0) {
                water = Math.min(water, spare[r] / weight[r]);
            }
        }
        for (int i = from; i < to; i++) {
            if (!frozen[part.task[i]]) {
                water = Math.min(water, network.cardRate[part.task[i]]);
            }
        }
        return water;
    }

    private boolean onFullResource(int m) {
        for (int u = network.useFrom[m]; u < network.useFrom[m + 1]; u++) {
            if (full[network.useResource[u]]) {
                return true;
            }
        }
        return false;
    }

    private void take(int m, double flowRate) {
        for (int u = network.useFrom[m]; u < network.useFrom[m + 1]; u++) {
            int r = network.useResource[u];
            double left = spare[r] - network.useWeight[u] * flowRate;
            spare[r] = left < capacity[r] * TIE_OF_RATES ? 0 : left;
        }
    }
}
