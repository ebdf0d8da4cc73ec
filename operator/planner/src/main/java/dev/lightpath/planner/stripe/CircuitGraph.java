package dev.lightpath.planner.stripe;

import java.util.HashMap;
import java.util.Map;

/**
 * A request as counts, the same for both kinds of device. Nodes are ends of circuits: pods on an any-to-any device;
 * ingress pods 0..n-1 and egress pods n..2n-1 on a two-sided one. A pair is two nodes with requested or former
 * circuits. Switches are colours. A node has {@code capacity} usable ports per switch. Any assignment of counts within
 * the capacities becomes ports, because ports of one pod on one switch are interchangeable.
 */
final class CircuitGraph {
    final StripingRequest request;
    final int nodes;
    final int switches;
    /** Node ids of a pair's ends. */
    final int[] first;

    final int[] second;
    /** Requested circuits of a pair. */
    final int[] wanted;
    /** Circuits of pair q on switch k that could stay, at {@code q * switches + k}. */
    final int[] old;
    /** Usable ports of node v on switch k, at {@code v * switches + k}. */
    final int[] capacity;

    CircuitGraph(StripingRequest request) {
        this.request = request;
        int pods = request.topology().pods();
        boolean twoSided = request.device() == DeviceKind.TWO_SIDED;
        switches = request.switches();
        nodes = twoSided ? 2 * pods : pods;
        Map<Long, Integer> index = new HashMap<>();
        int count = 0;
        for (int i = 0; i < pods; i++) {
            for (int j = twoSided ? 0 : i + 1; j < pods; j++) {
                if (request.topology().at(i, j) > 0) {
                    index.put(key(i, j), count++);
                }
            }
        }
        first = new int[count];
        second = new int[count];
        wanted = new int[count];
        index.forEach((key, q) -> {
            int i = (int) (key >> 32);
            int j = key.intValue();
            first[q] = i;
            second[q] = twoSided ? pods + j : j;
            wanted[q] = request.topology().at(i, j);
        });
        old = new int[count * switches];
        for (SwitchCircuits of : request.previous()) {
            for (Circuit circuit : of.circuits()) {
                Integer q = pairOf(index, circuit);
                if (q != null && stillUsable(of.switchIndex(), circuit)) {
                    old[q * switches + of.switchIndex()]++;
                }
            }
        }
        capacity = new int[nodes * switches];
        java.util.Arrays.fill(capacity, request.portsPerPod());
        for (SwitchPort port : request.unusable()) {
            int pod = request.podOf(port.port());
            if (!twoSided) {
                capacity[pod * switches + port.switchIndex()] = -1;
            } else {
                capacity[pod * switches + port.switchIndex()] = -1;
                capacity[(pods + pod) * switches + port.switchIndex()] = -1;
            }
        }
        for (int v = 0; v < nodes; v++) {
            for (int k = 0; k < switches; k++) {
                if (capacity[v * switches + k] < 0) {
                    capacity[v * switches + k] = count(v, k);
                }
            }
        }
    }

    private int count(int node, int switchIndex) {
        int pods = request.topology().pods();
        SwitchPort.Side side = node < pods ? request.fromSide() : request.toSide();
        int usable = 0;
        int start = (node % pods) * request.portsPerPod();
        for (int port = start; port < start + request.portsPerPod(); port++) {
            if (request.usable(switchIndex, port, side)) {
                usable++;
            }
        }
        return usable;
    }

    boolean stillUsable(int switchIndex, Circuit circuit) {
        return request.usable(switchIndex, circuit.from(), request.fromSide())
                && request.usable(switchIndex, circuit.to(), request.toSide());
    }

    private @org.jspecify.annotations.Nullable Integer pairOf(Map<Long, Integer> index, Circuit circuit) {
        int a = request.podOf(circuit.from());
        int b = request.podOf(circuit.to());
        return request.device() == DeviceKind.TWO_SIDED
                ? index.get(key(a, b))
                : index.get(key(Math.min(a, b), Math.max(a, b)));
    }

    int pairs() {
        return wanted.length;
    }

    int pod(int node) {
        return node % request.topology().pods();
    }

    /** The most circuits of a pair that could stay on any switches. */
    int mostKept(int q) {
        int present = 0;
        for (int k = 0; k < switches; k++) {
            present += old[q * switches + k];
        }
        return Math.min(present, wanted[q]);
    }

    /** The most circuits that could stay in all. */
    int mostKept() {
        int most = 0;
        for (int q = 0; q < pairs(); q++) {
            most += mostKept(q);
        }
        return most;
    }

    int lowerBound() {
        int bound = 0;
        for (int q = 0; q < pairs(); q++) {
            bound += wanted[q] - mostKept(q);
        }
        return bound;
    }

    private static long key(int i, int j) {
        return (long) i << 32 | j;
    }
}
