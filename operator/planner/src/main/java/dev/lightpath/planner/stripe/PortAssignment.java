package dev.lightpath.planner.stripe;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Turns counts per pair and switch into circuits on ports: kept light stays on its ports, the rest takes the lowest
 * free ones.
 */
final class PortAssignment {
    private PortAssignment() {}

    static StripingOutcome.Striped assign(CircuitGraph graph, int[] placed) {
        StripingRequest request = graph.request;
        int switches = request.switches();
        Map<Integer, List<Circuit>> lit = new HashMap<>();
        request.previous().forEach(of -> lit.put(of.switchIndex(), of.circuits()));
        Map<Long, Integer> pairs = new HashMap<>();
        for (int q = 0; q < graph.pairs(); q++) {
            pairs.put((long) graph.pod(graph.first[q]) << 32 | graph.pod(graph.second[q]), q);
        }
        List<SwitchCircuits> result = new ArrayList<>();
        int kept = 0;
        int total = 0;
        for (int k = 0; k < switches; k++) {
            int[] left = new int[graph.pairs()];
            for (int q = 0; q < left.length; q++) {
                left[q] = placed[q * switches + k];
                total += left[q];
            }
            List<Circuit> circuits = new ArrayList<>();
            BitSet from = new BitSet();
            BitSet to = request.device() == DeviceKind.TWO_SIDED ? new BitSet() : from;
            for (Circuit circuit : lit.getOrDefault(k, List.of())) {
                int a = request.podOf(circuit.from());
                int b = request.podOf(circuit.to());
                Integer q = pairs.get(
                        request.device() == DeviceKind.TWO_SIDED
                                ? (long) a << 32 | b
                                : (long) Math.min(a, b) << 32 | Math.max(a, b));
                if (q != null && left[q] > 0 && graph.stillUsable(k, circuit)) {
                    left[q]--;
                    kept++;
                    from.set(circuit.from());
                    to.set(circuit.to());
                    circuits.add(circuit);
                }
            }
            for (int q = 0; q < left.length; q++) {
                for (int c = 0; c < left[q]; c++) {
                    int a = freePort(request, k, graph.pod(graph.first[q]), from, request.fromSide());
                    int b = freePort(request, k, graph.pod(graph.second[q]), to, request.toSide());
                    circuits.add(request.device() == DeviceKind.TWO_SIDED ? new Circuit(a, b) : Circuit.duplex(a, b));
                }
            }
            result.add(new SwitchCircuits(k, circuits));
        }
        return new StripingOutcome.Striped(result, total - kept, graph.lowerBound(), kept);
    }

    private static int freePort(StripingRequest request, int k, int pod, BitSet taken, SwitchPort.Side side) {
        int start = pod * request.portsPerPod();
        for (int port = taken.nextClearBit(start);
                port < start + request.portsPerPod();
                port = taken.nextClearBit(port + 1)) {
            if (request.usable(k, port, side)) {
                taken.set(port);
                return port;
            }
        }
        throw new IllegalStateException("no free port of pod " + pod + " on switch " + k);
    }
}
