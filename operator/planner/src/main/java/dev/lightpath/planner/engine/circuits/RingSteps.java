package dev.lightpath.planner.engine.circuits;

import dev.lightpath.planner.engine.allocation.SliceState;
import dev.lightpath.planner.engine.pacing.Due;
import dev.lightpath.planner.engine.state.RingState;
import dev.lightpath.planner.light.Circuit;
import dev.lightpath.planner.light.CrossConnects;
import dev.lightpath.planner.light.DeviceChange;
import dev.lightpath.planner.light.DeviceId;
import dev.lightpath.planner.light.DeviceState;
import dev.lightpath.planner.light.Stage.Cause;
import dev.lightpath.planner.world.Allocation;
import dev.lightpath.planner.world.SliceId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/** What is to be changed on the devices of a ring, each as a whole, so that they show what is wanted. */
final class RingSteps {
    private final RingState state;
    private final RingCircuits circuits;
    private final RingPlan plan;

    RingSteps(RingState state, RingCircuits circuits) {
        this.state = state;
        this.circuits = circuits;
        this.plan = circuits.plan();
    }

    /** Only on devices that can make all that is wanted; in order of devices. */
    List<Due> due() {
        Set<String> passing = passing();
        List<Due> due = new ArrayList<>();
        for (RingPlan.Differing each : plan.differing()) {
            if (!each.wanted().equals(each.device().circuits()) && !passing.contains(each.node())) {
                due(each.node(), each.wanted(), each.device()).ifPresent(due::add);
            }
        }
        due.sort(Comparator.comparing(each -> each.change().device()));
        return due;
    }

    /** Nodes that nobody has now, and that a slice has once what is being written is written: they keep their light. */
    private Set<String> passing() {
        Set<String> passing = new HashSet<>();
        state.world().recording().values().forEach(record -> passing.addAll(record.nodes()));
        passing.removeIf(node -> plan.ownerOf(node) != null);
        return passing;
    }

    private Optional<Due> due(String node, CrossConnects wanted, DeviceState device) {
        DeviceId id = state.deviceId(node);
        if (!circuits.takesChange(id, device)
                || wanted.circuits().stream()
                        .anyMatch(circuit -> device.refusal(circuit).isPresent())) {
            return Optional.empty();
        }
        SortedSet<Circuit> connects = possible(device, wanted);
        return connects.isEmpty()
                ? Optional.empty()
                : Optional.of(new Due(
                        new DeviceChange(id, device.digest(), inTheWay(device, connects), connects),
                        cause(node),
                        slice(node),
                        circuits.underPods(node),
                        plan.left.contains(node)));
    }

    /** Missing circuits whose ports are not reported failed, not on the move, and not taken by what is stuck. */
    static SortedSet<Circuit> possible(DeviceState device, CrossConnects wanted) {
        SortedSet<Circuit> connects = wanted.minus(device.circuits());
        boolean anyFailed = !device.failedPorts().isEmpty();
        connects.removeIf(circuit -> device.failed(circuit)
                || device.moving().contains(circuit.ingress())
                || anyFailed
                        && inTheWay(device, new TreeSet<>(Set.of(circuit))).stream()
                                .anyMatch(device::stuck));
        return connects;
    }

    /** Observed circuits that use a port of what is to be made. */
    private static SortedSet<Circuit> inTheWay(DeviceState device, SortedSet<Circuit> connects) {
        Set<String> ingress = new HashSet<>();
        Set<String> egress = new HashSet<>();
        connects.forEach(circuit -> {
            ingress.add(circuit.ingress());
            egress.add(circuit.egress());
        });
        SortedSet<Circuit> disconnects = new TreeSet<>();
        for (Circuit circuit : device.circuits().circuits()) {
            if (ingress.contains(circuit.ingress()) || egress.contains(circuit.egress())) {
                disconnects.add(circuit);
            }
        }
        return disconnects;
    }

    private Cause cause(String node) {
        SliceState slice = plan.ownerOf(node);
        if (slice == null) {
            return plan.releasing.contains(node) ? Cause.RELEASE : Cause.CORRECT;
        }
        Allocation recorded = slice.recorded().orElseThrow();
        return recorded.origin()
                .map(origin -> switch (origin.planner()) {
                    case LINE, RACK, INHERITANCE, DELTA -> Cause.PLACE;
                    case LOCAL_REPAIR, MINIMAL_REPAIR, LINK_REPAIR -> Cause.REPAIR;
                    case COMPACTION -> Cause.COMPACT;
                })
                .orElse(recorded.revision() == 1 ? Cause.PLACE : Cause.REPAIR);
    }

    /** Whose light a node leads, or led last. */
    private Optional<SliceId> slice(String node) {
        return Optional.ofNullable(plan.ownerOf(node))
                .map(SliceState::id)
                .or(() -> Optional.ofNullable(plan.leavers.get(node)));
    }
}
