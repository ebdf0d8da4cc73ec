package dev.lightpath.planner.delta.simulation;

import java.util.Arrays;

/**
 * The transfers that are under way, how much each has left and at which rate, and which links and cards saw a change
 * since rates were last shared out. Arrays are indexed by task or by resource of the network; bytes and rates are those
 * of one flow.
 */
final class ActiveTransfers {
    final int[] task;
    int count;
    final double[] remaining;
    final double[] since;
    final double[] rate;
    /** When each ends at its rate, seconds. */
    final double[] finish;

    /** Tasks on each link or card. */
    final int[][] onResource;

    final int[] onCount;
    final int[] changed;
    final boolean[] isChanged;
    int changedCount;

    private final FlowNetwork network;
    private final int[] place;

    ActiveTransfers(FlowNetwork network) {
        this.network = network;
        task = new int[network.tasks];
        remaining = new double[network.tasks];
        since = new double[network.tasks];
        rate = new double[network.tasks];
        finish = new double[network.tasks];
        place = new int[network.tasks];
        onResource = new int[network.resources][];
        for (int r = 0; r < network.resources; r++) {
            onResource[r] = new int[network.loadFrom[r + 1] - network.loadFrom[r]];
        }
        onCount = new int[network.resources];
        changed = new int[network.resources];
        isChanged = new boolean[network.resources];
    }

    /** Nothing is under way, and every task has all its bytes left. */
    void clear() {
        count = 0;
        changedCount = 0;
        Arrays.fill(onCount, 0);
        Arrays.fill(isChanged, false);
        System.arraycopy(network.bytesPerFlow, 0, remaining, 0, network.tasks);
    }

    void enter(int m, double now) {
        place[m] = count;
        task[count++] = m;
        since[m] = now;
        rate[m] = 0;
        finish[m] = Double.POSITIVE_INFINITY;
        for (int u = network.useFrom[m]; u < network.useFrom[m + 1]; u++) {
            int r = network.useResource[u];
            onResource[r][onCount[r]++] = m;
            mark(r);
        }
    }

    void leave(int m) {
        int last = task[--count];
        task[place[m]] = last;
        place[last] = place[m];
        for (int u = network.useFrom[m]; u < network.useFrom[m + 1]; u++) {
            int r = network.useResource[u];
            int[] tasks = onResource[r];
            int at = 0;
            while (tasks[at] != m) {
                at++;
            }
            tasks[at] = tasks[--onCount[r]];
            mark(r);
        }
    }

    void markResources(int m) {
        for (int u = network.useFrom[m]; u < network.useFrom[m + 1]; u++) {
            mark(network.useResource[u]);
        }
    }

    private void mark(int resource) {
        if (!isChanged[resource]) {
            isChanged[resource] = true;
            changed[changedCount++] = resource;
        }
    }

    void setRate(int m, double flowRate, double now) {
        if (flowRate != rate[m]) {
            remaining[m] = Math.max(0, remaining[m] - rate[m] * (now - since[m]));
            since[m] = now;
            rate[m] = flowRate;
            finish[m] = flowRate > 0 ? now + remaining[m] / flowRate : Double.POSITIVE_INFINITY;
        }
    }
}
