package dev.lightpath.studies.evaluation;

import java.util.Arrays;
import java.util.Random;

/**
 * Replays a trace of 8-GPU servers on a cluster of 4-GPU nodes (InfinitePOD appendix A, corrected).
 *
 * <p>Servers are assigned to the cluster's places at random. A faulty server takes down exactly one of its two halves
 * with 99.0 %, both with 1.0 %. The paper's independent 50.39 % draws leave a quarter of the faults without a faulty
 * half.
 *
 * @param nodes 4-GPU nodes of the cluster; even, at most twice the servers
 */
public record TraceReplay(FaultTrace trace, int nodes) {

    /** Probability that a fault takes both halves. */
    public static final double BOTH_HALVES = 0.01;

    public TraceReplay {
        if (nodes % 2 != 0 || nodes < 2 || nodes > 2 * trace.servers()) {
            throw new IllegalArgumentException(
                    "nodes = " + nodes + ": must be even and at most twice the servers (" + trace.servers() + ")");
        }
    }

    /** Takes a stretch of time in which nothing changes. */
    @FunctionalInterface
    public interface Interval {
        /** @param faulty per node; valid during the call only */
        void accept(double days, boolean[] faulty);
    }

    /** One random mapping of servers to places. O(events) calls. */
    public void replay(long seed, Interval interval) {
        Random random = new Random(seed);
        int[] place = places(random);
        int faults =
                trace.events().stream().mapToInt(FaultTrace.Event::fault).max().orElse(-1) + 1;
        int[] halves = new int[faults];
        for (int fault = 0; fault < faults; fault++) {
            double draw = random.nextDouble();
            boolean left = random.nextBoolean();
            halves[fault] = draw < BOTH_HALVES ? 3 : left ? 1 : 2;
        }
        int[] open = new int[nodes];
        boolean[] faulty = new boolean[nodes];
        double now = 0;
        for (FaultTrace.Event event : trace.events()) {
            if (event.timeDays() > now) {
                interval.accept(event.timeDays() - now, faulty);
                now = event.timeDays();
            }
            int at = place[event.server()];
            for (int half = 0; half < 2 && at >= 0; half++) {
                if ((halves[event.fault()] >> half & 1) == 1) {
                    open[2 * at + half] += event.starts() ? 1 : -1;
                    faulty[2 * at + half] = open[2 * at + half] > 0;
                }
            }
        }
        if (trace.durationDays() > now) {
            interval.accept(trace.durationDays() - now, faulty);
        }
    }

    /** Per server its place in the cluster, or -1. */
    private int[] places(Random random) {
        int[] servers = new int[trace.servers()];
        Arrays.setAll(servers, i -> i);
        for (int i = servers.length - 1; i > 0; i--) {
            int j = random.nextInt(i + 1);
            int swap = servers[i];
            servers[i] = servers[j];
            servers[j] = swap;
        }
        int[] place = new int[servers.length];
        Arrays.fill(place, -1);
        for (int i = 0; i < nodes / 2; i++) {
            place[servers[i]] = i;
        }
        return place;
    }
}
