package dev.lightpath.planner.delta.simulation;

/**
 * The active tasks that share links or cards with each other, directly or through others, and those links and cards.
 */
final class ConnectedPart {
    final int[] task;
    /** Number of tasks. */
    int tasks;

    final int[] resource;
    /** Number of links and cards. */
    int resources;

    private final FlowNetwork network;
    private final ActiveTransfers transfers;
    private final boolean[] hasTask;
    private final boolean[] hasResource;

    ConnectedPart(FlowNetwork network, ActiveTransfers transfers) {
        this.network = network;
        this.transfers = transfers;
        task = new int[network.tasks];
        resource = new int[network.resources];
        hasTask = new boolean[network.tasks];
        hasResource = new boolean[network.resources];
    }

    /** Everything reachable from a resource; its changes count as seen. */
    void collect(int seed) {
        tasks = 0;
        resources = 0;
        resource[resources++] = seed;
        hasResource[seed] = true;
        for (int t = 0; t < resources; t++) {
            int r = resource[t];
            transfers.isChanged[r] = false;
            int[] there = transfers.onResource[r];
            for (int i = 0; i < transfers.onCount[r]; i++) {
                int m = there[i];
                if (!hasTask[m]) {
                    hasTask[m] = true;
                    task[tasks++] = m;
                    for (int u = network.useFrom[m]; u < network.useFrom[m + 1]; u++) {
                        int other = network.useResource[u];
                        if (!hasResource[other]) {
                            hasResource[other] = true;
                            resource[resources++] = other;
                        }
                    }
                }
            }
        }
    }

    /** Makes room for the next part. */
    void release() {
        for (int i = 0; i < tasks; i++) {
            hasTask[task[i]] = false;
        }
        for (int i = 0; i < resources; i++) {
            hasResource[resource[i]] = false;
        }
    }
}
