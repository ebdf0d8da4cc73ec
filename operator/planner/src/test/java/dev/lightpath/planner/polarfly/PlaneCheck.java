package dev.lightpath.planner.polarfly;

import dev.lightpath.planner.stripe.DeviceKind;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Whether planes carry a graph: every edge on one circuit, no port in two. Shares no code with what makes planes. */
public final class PlaneCheck {
    private PlaneCheck() {}

    /**
     * Linear in circuits.
     *
     * @param edges pairs of vertices, in any order
     * @return what is wrong, one line each; empty when nothing is
     */
    public static List<String> findings(int vertices, List<int[]> edges, DeviceKind device, List<List<int[]>> planes) {
        List<String> findings = new ArrayList<>();
        Map<Long, Integer> left = new HashMap<>();
        edges.forEach(edge -> left.merge(key(edge), 1, Integer::sum));
        for (int plane = 0; plane < planes.size(); plane++) {
            BitSet ingress = new BitSet(vertices);
            BitSet egress = device == DeviceKind.TWO_SIDED ? new BitSet(vertices) : ingress;
            for (int[] circuit : planes.get(plane)) {
                String name = "plane " + plane + ": circuit " + circuit[0] + "-" + circuit[1];
                if (ingress.get(circuit[0]) || egress.get(circuit[1])) {
                    findings.add(name + " uses a port twice");
                }
                ingress.set(circuit[0]);
                egress.set(circuit[1]);
                if (left.merge(key(circuit), -1, Integer::sum) < 0) {
                    findings.add(name + " is no edge, or one too many");
                }
            }
        }
        left.forEach((edge, count) -> {
            if (count > 0) {
                findings.add("edge " + (edge >> 32) + "-" + edge.intValue() + " has no circuit");
            }
        });
        return findings;
    }

    private static long key(int[] pair) {
        return (long) Math.min(pair[0], pair[1]) << 32 | Math.max(pair[0], pair[1]);
    }
}
