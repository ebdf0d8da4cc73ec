package dev.lightpath.planner.delta.search;

import java.util.ArrayDeque;
import java.util.Arrays;

/**
 * The heaviest set of tasks of which none waits for another: the maximum-weight independent set of Algorithm 2's
 * conflict graph. That graph is the comparability graph of an order, so the answer is exact in polynomial time: total
 * weight minus the maximum flow through the bipartite graph "waits for" (Dilworth). Dinic's algorithm, O(n^2 *
 * comparable pairs) at worst.
 */
final class Antichain {
    private final int n;
    private final int nodes;
    private int[] to = new int[64];
    private long[] room = new long[64];
    private int[] nextArc = new int[64];
    private final int[] firstArc;
    private final int[] depth;
    private final int[] current;
    private int arcs;

    private Antichain(int n) {
        this.n = n;
        nodes = 2 * n + 2;
        firstArc = new int[nodes];
        Arrays.fill(firstArc, -1);
        depth = new int[nodes];
        current = new int[nodes];
    }

    /** Whether the second of two tasks waits for the first, directly or not. */
    interface Order {
        boolean before(int first, int second);
    }

    /** Weight of the heaviest antichain of elements 0..n-1. */
    static long heaviest(long[] weight, Order order) {
        int n = weight.length;
        Antichain flow = new Antichain(n);
        long total = 0;
        for (int i = 0; i < n; i++) {
            total += weight[i];
            flow.arc(2 * n, i, weight[i]);
            flow.arc(n + i, 2 * n + 1, weight[i]);
            for (int j = 0; j < n; j++) {
                if (i != j && order.before(i, j)) {
                    flow.arc(i, n + j, Long.MAX_VALUE / 4);
                }
            }
        }
        return total - flow.maximum();
    }

    private void arc(int from, int target, long capacity) {
        if (arcs + 2 > to.length) {
            to = Arrays.copyOf(to, 2 * arcs);
            room = Arrays.copyOf(room, 2 * arcs);
            nextArc = Arrays.copyOf(nextArc, 2 * arcs);
        }
        add(from, target, capacity);
        add(target, from, 0);
    }

    private void add(int from, int target, long capacity) {
        to[arcs] = target;
        room[arcs] = capacity;
        nextArc[arcs] = firstArc[from];
        firstArc[from] = arcs++;
    }

    private long maximum() {
        long flow = 0;
        while (layers()) {
            System.arraycopy(firstArc, 0, current, 0, nodes);
            long pushed = push(2 * n, Long.MAX_VALUE / 4);
            while (pushed > 0) {
                flow += pushed;
                pushed = push(2 * n, Long.MAX_VALUE / 4);
            }
        }
        return flow;
    }

    private boolean layers() {
        Arrays.fill(depth, -1);
        ArrayDeque<Integer> queue = new ArrayDeque<>();
        depth[2 * n] = 0;
        queue.add(2 * n);
        while (!queue.isEmpty()) {
            int node = queue.remove();
            for (int a = firstArc[node]; a >= 0; a = nextArc[a]) {
                if (room[a] > 0 && depth[to[a]] < 0) {
                    depth[to[a]] = depth[node] + 1;
                    queue.add(to[a]);
                }
            }
        }
        return depth[2 * n + 1] >= 0;
    }

    private long push(int node, long most) {
        if (node == 2 * n + 1) {
            return most;
        }
        for (; current[node] >= 0; current[node] = nextArc[current[node]]) {
            int a = current[node];
            if (room[a] > 0 && depth[to[a]] == depth[node] + 1) {
                long pushed = push(to[a], Math.min(most, room[a]));
                if (pushed > 0) {
                    room[a] -= pushed;
                    room[a ^ 1] += pushed;
                    return pushed;
                }
            }
        }
        return 0;
    }
}
