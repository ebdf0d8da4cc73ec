package dev.lightpath.planner.delta.simulation;

/** Longest paths through the reduced DAG for given task durations (Eq. 2); O(tasks + dependencies) each. */
public final class CriticalPath {
    private final FlowNetwork network;

    public CriticalPath(FlowNetwork network) {
        this.network = network;
    }

    /** Earliest start of each task, seconds, into {@code heads}; returns the makespan. */
    public double heads(double[] duration, double[] heads) {
        System.arraycopy(network.release, 0, heads, 0, network.tasks);
        double makespan = 0;
        for (int m : network.order) {
            double end = heads[m] + duration[m];
            makespan = Math.max(makespan, end);
            for (int e = network.nextFrom[m]; e < network.nextFrom[m + 1]; e++) {
                int next = network.nextTask[e];
                heads[next] = Math.max(heads[next], end + network.nextDelay[e]);
            }
        }
        return makespan;
    }

    /** Longest time from the end of each task to the end of the iteration, seconds, into {@code tails}. */
    public void tails(double[] duration, double[] tails) {
        for (int i = network.tasks - 1; i >= 0; i--) {
            int m = network.order[i];
            double longest = 0;
            for (int e = network.nextFrom[m]; e < network.nextFrom[m + 1]; e++) {
                int next = network.nextTask[e];
                longest = Math.max(longest, network.nextDelay[e] + duration[next] + tails[next]);
            }
            tails[m] = longest;
        }
    }

    /** Durations when a task has its link to itself, into {@code duration}; a count of 0 means unlimited circuits. */
    public void aloneDurations(int[] circuits, double[] duration) {
        for (int m = 0; m < network.tasks; m++) {
            int count = circuits[network.linkGroup[network.taskLink[m]]];
            double rate = network.cardRate[m];
            if (count > 0) {
                rate = Math.min(rate, count * network.circuit / network.flows[m]);
            }
            duration[m] = network.bytesPerFlow[m] / rate;
        }
    }

    /** C0 of the metric: the makespan when nothing has to be sent. */
    double computeOnlySeconds() {
        return heads(new double[network.tasks], new double[network.tasks]);
    }

    /** C_ideal of the metric: each task at the rate of its own network cards. */
    double idealSeconds() {
        double[] duration = new double[network.tasks];
        aloneDurations(new int[network.groups], duration);
        return heads(duration, new double[network.tasks]);
    }
}
