package dev.lightpath.planner.delta.simulation;

import java.util.Arrays;

/**
 * Critical path first: the level of a task is the time it still needs at its reference rate plus the longest tail after
 * it. Tasks of equal level are one class; a higher class is served before a lower one. Levels fall while bytes flow, so
 * classes meet and, where rates differ within one, drift apart.
 */
final class UrgencyLevels {
    private static final double LEVEL_TOLERANCE = 1e-9;
    private static final double TIE_OF_RATES = 1e-12;

    /** When each active task's level meets a lower one, seconds. */
    final double[] meet;
    /** Whether the levels of each task's class drift apart. */
    final boolean[] drifting;

    private final FlowNetwork network;
    private final ActiveTransfers transfers;
    private final ConnectedPart part;
    private final CriticalPath paths;
    private final double[] duration;
    private final double[] tail;
    private final double[] reference;
    private final double[] level;

    UrgencyLevels(FlowNetwork network, ActiveTransfers transfers, ConnectedPart part) {
        this.network = network;
        this.transfers = transfers;
        this.part = part;
        paths = new CriticalPath(network);
        meet = new double[network.tasks];
        drifting = new boolean[network.tasks];
        duration = new double[network.tasks];
        tail = new double[network.tasks];
        reference = new double[network.tasks];
        level = new double[network.tasks];
    }

    /**
     * Tails and reference rates for a topology.
     *
     * @param capacity of each resource, bytes per second
     */
    void prepare(int[] circuits, Urgency rule, double[] capacity) {
        Arrays.fill(drifting, false);
        Arrays.fill(meet, Double.POSITIVE_INFINITY);
        if (rule == Urgency.NONE) {
            return;
        }
        paths.aloneDurations(circuits, duration);
        paths.tails(duration, tail);
        for (int m = 0; m < network.tasks; m++) {
            reference[m] = network.cardRate[m];
            if (rule == Urgency.LINK_LEVEL) {
                reference[m] = Math.min(reference[m], capacity[network.taskLink[m]] / network.flows[m]);
            }
        }
    }

    /** A task that has ended shares with no other. */
    void forget(int m) {
        drifting[m] = false;
    }

    /** Puts the tasks of the part in descending order of level. */
    void sort(double now) {
        for (int i = 0; i < part.tasks; i++) {
            int m = part.task[i];
            level[m] = levelAt(m, now);
            int at = i;
            while (at > 0 && isLower(part.task[at - 1], m)) {
                part.task[at] = part.task[at - 1];
                at--;
            }
            part.task[at] = m;
        }
    }

    /** One beyond the last task of the class that begins at a place of the sorted part. */
    int classEnd(int from) {
        int to = from + 1;
        while (to < part.tasks && level[part.task[from]] - level[part.task[to]] <= LEVEL_TOLERANCE) {
            to++;
        }
        return to;
    }

    /** When levels of different classes of the sorted part will meet, and whether levels of one class drift apart. */
    void foresee(double now) {
        int from = 0;
        while (from < part.tasks) {
            int to = classEnd(from);
            for (int i = from; i < to; i++) {
                int m = part.task[i];
                double fall = transfers.rate[m] / reference[m];
                boolean drifts = false;
                for (int j = from; j < to; j++) {
                    double other = transfers.rate[part.task[j]] / reference[part.task[j]];
                    drifts |= Math.abs(fall - other) > TIE_OF_RATES * Math.max(fall, other);
                }
                drifting[m] = drifts;
                meet[m] = Double.POSITIVE_INFINITY;
                for (int j = to; j < part.tasks; j++) {
                    int lower = part.task[j];
                    double closing = fall - transfers.rate[lower] / reference[lower];
                    if (closing > 0) {
                        meet[m] = Math.min(meet[m], now + (level[m] - level[lower]) / closing);
                    }
                }
            }
            from = to;
        }
    }

    /**
     * When any two levels will meet, connected or not, while levels of one class drift apart: such a class is thought
     * over at each event, so each event counts. Without drift a meeting elsewhere changes nothing and is left out.
     */
    double nextMeeting(double now) {
        boolean drift = drift();
        double soonest = Double.POSITIVE_INFINITY;
        for (int i = 0; drift && i < transfers.count; i++) {
            int a = transfers.task[i];
            for (int j = 0; j < transfers.count; j++) {
                int b = transfers.task[j];
                double ahead = levelAt(a, now) - levelAt(b, now);
                double closing = transfers.rate[a] / reference[a] - transfers.rate[b] / reference[b];
                if (ahead > LEVEL_TOLERANCE && closing > TIE_OF_RATES) {
                    soonest = Math.min(soonest, now + ahead / closing);
                }
            }
        }
        return soonest;
    }

    /** Whether levels drift apart within a class. */
    boolean drift() {
        boolean drift = false;
        for (int i = 0; i < transfers.count; i++) {
            drift |= drifting[transfers.task[i]];
        }
        return drift;
    }

    private double levelAt(int m, double now) {
        return (transfers.remaining[m] - transfers.rate[m] * (now - transfers.since[m])) / reference[m] + tail[m];
    }

    private boolean isLower(int a, int b) {
        return level[a] < level[b] || (level[a] == level[b] && a > b);
    }
}
