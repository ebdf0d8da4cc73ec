package dev.lightpath.planner.stripe;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/**
 * Petersen's method on any-to-any devices with an even number of usable ports. It orients the circuits along Euler
 * tours, so that half of each pod's ports begin and half end one. Then it stripes the oriented, bipartite demand. With
 * equal even budgets it always completes.
 */
final class EulerStriping {
    private EulerStriping() {}

    static Optional<Colouring> complete(CircuitGraph graph) {
        StripingRequest request = graph.request;
        if (request.device() == DeviceKind.TWO_SIDED || request.portsPerPod() % 2 != 0) {
            return Optional.empty();
        }
        StripingRequest halved = new StripingRequest(
                request.switches(),
                request.portsPerPod() / 2,
                DeviceKind.TWO_SIDED,
                LogicalTopology.of(orient(request.topology())),
                List.of(),
                new TreeSet<>());
        CircuitGraph bipartite = new CircuitGraph(halved);
        Colouring directed = new Colouring(bipartite);
        new ChainInsertion(directed).insertAll();
        if (directed.unplacedCount() > 0) {
            return Optional.empty();
        }
        Colouring result = new Colouring(graph);
        int[][] index = new int[graph.nodes][graph.nodes];
        for (int q = 0; q < graph.pairs(); q++) {
            index[graph.first[q]][graph.second[q]] = q;
        }
        for (int d = 0; d < bipartite.pairs(); d++) {
            int a = bipartite.pod(bipartite.first[d]);
            int b = bipartite.pod(bipartite.second[d]);
            int q = index[Math.min(a, b)][Math.max(a, b)];
            for (int k = 0; k < graph.switches; k++) {
                for (int c = 0; c < directed.placed[d * graph.switches + k]; c++) {
                    if (!result.free(a, k) || !result.free(b, k)) {
                        continue;
                    }
                    result.takeOf(q);
                    result.place(q, k);
                }
            }
        }
        return Optional.of(result);
    }

    /**
     * Each undirected circuit given a direction, every pod's outgoing and incoming circuits differing by one at most.
     */
    static int[][] orient(LogicalTopology topology) {
        int pods = topology.pods();
        int[][] left = new int[pods + 1][pods + 1];
        for (int i = 0; i < pods; i++) {
            int degree = 0;
            for (int j = 0; j < pods; j++) {
                left[i][j] = topology.at(i, j);
                degree += left[i][j];
            }
            if (degree % 2 != 0) {
                left[i][pods] = 1;
                left[pods][i] = 1;
            }
        }
        int[][] oriented = new int[pods][pods];
        int[] cursor = new int[pods + 1];
        for (int start = 0; start <= pods; start++) {
            Deque<Integer> path = new ArrayDeque<>();
            List<Integer> tour = new ArrayList<>();
            path.push(start);
            while (!path.isEmpty()) {
                int node = path.element();
                while (cursor[node] <= pods && left[node][cursor[node]] == 0) {
                    cursor[node]++;
                }
                if (cursor[node] > pods) {
                    tour.add(path.pop());
                } else {
                    int next = cursor[node];
                    left[node][next]--;
                    left[next][node]--;
                    path.push(next);
                }
            }
            for (int i = 1; i < tour.size(); i++) {
                if (tour.get(i - 1) < pods && tour.get(i) < pods) {
                    oriented[tour.get(i - 1)][tour.get(i)]++;
                }
            }
        }
        return oriented;
    }
}
