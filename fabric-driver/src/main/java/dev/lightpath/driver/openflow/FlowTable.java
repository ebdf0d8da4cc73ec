package dev.lightpath.driver.openflow;

import dev.lightpath.driver.adapter.CircuitPair;
import dev.lightpath.driver.adapter.Move;
import dev.lightpath.driver.adapter.PortLayout;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/** What the flows of a device do with light, as they were read at one time. */
final class FlowTable {
    /** Of the flows that we add. */
    static final int PRIORITY = 1000;

    private final SortedMap<Integer, Flow> byIngress = new TreeMap<>();
    /** No circuits, in the first table. The highest comes first. */
    private final List<Flow> takers = new ArrayList<>();

    private final List<String> strange = new ArrayList<>();

    FlowTable(List<Flow> flows, PortLayout layout) {
        flows.stream()
                .sorted(Comparator.comparingInt(Flow::priority).reversed())
                .forEach(flow -> put(flow, layout));
    }

    private void put(Flow flow, PortLayout layout) {
        Optional<Flow.Way> circuit = flow.way().filter(way -> isCircuit(way, layout));
        if (flow.table() != 0 || circuit.isEmpty()) {
            if (flow.priority() > 0) {
                strange.add(flow.said() + " is no circuit");
                if (flow.table() == 0) {
                    takers.add(flow);
                }
            }
        } else if (byIngress.putIfAbsent(circuit.get().from(), flow) != null) {
            strange.add("port " + circuit.get().from() + " has a second flow, to port "
                    + circuit.get().to());
        }
    }

    private static boolean isCircuit(Flow.Way way, PortLayout layout) {
        return way.from() >= 1
                && way.from() <= layout.ingress()
                && way.to() > layout.ingress()
                && way.to() <= layout.ingress() + layout.egress();
    }

    /** The circuits that light follows: in the first table, and no other flow takes light of their ingress before. */
    List<Flow> lit() {
        return byIngress.entrySet().stream()
                .filter(each -> taker(each.getKey(), each.getValue().priority()).isEmpty())
                .map(Map.Entry::getValue)
                .toList();
    }

    /** What takes light of a port from a circuit of a priority. Among equals a device may do as it likes. */
    private Optional<Flow> taker(int ingress, int priority) {
        return takers.stream()
                .filter(flow -> flow.priority() >= priority && flow.takes(ingress))
                .findFirst();
    }

    /** What has the light of a port without a circuit: one of ours would hide a flow of a lower priority, too. */
    private Optional<Flow> taken(int ingress) {
        return takers.stream()
                .filter(flow -> flow.names(ingress) || flow.priority() >= PRIORITY && flow.takes(ingress))
                .findFirst();
    }

    /** What else there is, for people. */
    List<String> strange() {
        return strange;
    }

    static Flow.Way way(CircuitPair pair) {
        return new Flow.Way(Integer.parseInt(pair.ingress()), Integer.parseInt(pair.egress()));
    }

    /** What is to be done for a move. */
    sealed interface Step {
        /** It is so already. */
        record Nothing() implements Step {}

        /** This flow is to go. */
        record Delete(Flow flow) implements Step {}

        /** A flow is to be added. */
        record Add(Flow.Way way) implements Step {}

        /** Light of somebody else is in the way. */
        record InTheWay(Flow.Way way) implements Step {}

        /** A flow that is no circuit would take the light of this port. */
        record Taken(int ingress, Flow by) implements Step {}
    }

    /**
     * One step for each move. A device would let a new flow take the light of one that is there, or let two ports send
     * to one: that is refused here. Flows that light does not follow are left alone.
     */
    List<Step> steps(List<Move> moves) {
        Set<Flow.Way> broken = new HashSet<>();
        moves.forEach(move -> {
            if (move instanceof Move.Break) {
                broken.add(way(move.pair()));
            }
        });
        return moves.stream()
                .map(move -> {
                    Flow.Way way = way(move.pair());
                    Optional<Flow> there = Optional.ofNullable(byIngress.get(way.from()))
                            .filter(flow -> flow.way().filter(way::equals).isPresent());
                    return switch (move) {
                        case Move.Break unused ->
                            there.<Step>map(Step.Delete::new).orElseGet(Step.Nothing::new);
                        case Move.Make unused -> make(way, there, broken);
                    };
                })
                .toList();
    }

    private Step make(Flow.Way way, Optional<Flow> there, Set<Flow.Way> broken) {
        Optional<Flow.Way> inTheWay = there.isPresent() ? Optional.empty() : inTheWay(way, broken);
        if (inTheWay.isPresent()) {
            return new Step.InTheWay(inTheWay.get());
        }
        Optional<Flow> taker = there.isPresent() ? taker(way.from(), there.get().priority()) : taken(way.from());
        return taker.<Step>map(by -> new Step.Taken(way.from(), by))
                .orElseGet(() -> there.isPresent() ? new Step.Nothing() : new Step.Add(way));
    }

    private Optional<Flow.Way> inTheWay(Flow.Way wanted, Set<Flow.Way> broken) {
        for (Map.Entry<Integer, Flow> each : byIngress.entrySet()) {
            Flow.Way way = each.getValue().way().orElseThrow();
            if ((way.from() == wanted.from() || way.to() == wanted.to()) && !broken.contains(way)) {
                return Optional.of(way);
            }
        }
        return Optional.empty();
    }
}
