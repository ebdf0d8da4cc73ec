package dev.lightpath.planner.stripe;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Judges a striping by rebuilding everything from its circuits; shares no code with the search. */
public final class StripingCheck {
    private StripingCheck() {}

    /** What is wrong with a striping of a request, one line each; empty if nothing is. O(circuits + pods^2). */
    public static List<String> violations(StripingRequest request, StripingOutcome.Striped striped) {
        List<String> wrong = new ArrayList<>();
        int pods = request.topology().pods();
        boolean twoSided = request.device() == DeviceKind.TWO_SIDED;
        int[][] rebuilt = new int[pods][pods];
        Set<Long> ports = new HashSet<>();
        Set<String> before = new HashSet<>();
        request.previous().forEach(of -> of.circuits().forEach(c -> before.add(of.switchIndex() + ":" + c)));
        int kept = 0;
        int total = 0;
        for (SwitchCircuits of : striped.switches()) {
            for (Circuit circuit : of.circuits()) {
                total++;
                if (before.contains(of.switchIndex() + ":" + circuit)) {
                    kept++;
                }
                int a = request.podOf(circuit.from());
                int b = request.podOf(circuit.to());
                if (circuit.from() < 0 || circuit.to() < 0 || a >= pods || b >= pods) {
                    wrong.add("switch " + of.switchIndex() + " has no port for circuit " + circuit);
                    continue;
                }
                rebuilt[a][b]++;
                if (!twoSided) {
                    rebuilt[b][a]++;
                }
                claim(of.switchIndex(), 2L * circuit.from(), circuit, ports, wrong);
                claim(of.switchIndex(), 2L * circuit.to() + (twoSided ? 1 : 0), circuit, ports, wrong);
                for (SwitchPort port : request.unusable()) {
                    boolean from =
                            port.port() == circuit.from() && !(twoSided && port.side() == SwitchPort.Side.EGRESS);
                    boolean to = port.port() == circuit.to() && !(twoSided && port.side() == SwitchPort.Side.INGRESS);
                    if (port.switchIndex() == of.switchIndex() && (from || to)) {
                        wrong.add("circuit " + circuit + " uses unusable port " + port.port() + " of switch "
                                + of.switchIndex());
                    }
                }
            }
        }
        for (int i = 0; i < pods; i++) {
            for (int j = 0; j < pods; j++) {
                if (rebuilt[i][j] != request.topology().at(i, j)) {
                    wrong.add("pods " + i + " and " + j + " have " + rebuilt[i][j] + " circuits, want "
                            + request.topology().at(i, j));
                }
            }
        }
        if (kept != striped.kept() || total - kept != striped.moved() || striped.moved() < striped.lowerBound()) {
            wrong.add("counts kept " + striped.kept() + ", moved " + striped.moved() + ", lowerBound "
                    + striped.lowerBound() + " but rebuilt kept " + kept + ", moved " + (total - kept));
        }
        return wrong;
    }

    private static void claim(int switchIndex, long port, Circuit circuit, Set<Long> ports, List<String> wrong) {
        if (!ports.add((long) switchIndex << 40 | port)) {
            wrong.add("a port of circuit " + circuit + " on switch " + switchIndex + " is used twice");
        }
    }
}
