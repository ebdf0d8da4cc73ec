package dev.lightpath.planner.engine;

import dev.lightpath.planner.engine.allocation.CubeMembers;
import dev.lightpath.planner.engine.allocation.SliceState;
import dev.lightpath.planner.engine.circuits.OcsCircuits;
import dev.lightpath.planner.engine.decision.DegradingPort;
import dev.lightpath.planner.engine.decision.FabricVerdict;
import dev.lightpath.planner.engine.decision.OcsVerdict;
import dev.lightpath.planner.engine.decision.SliceVerdict;
import dev.lightpath.planner.engine.state.DeviceMismatch;
import dev.lightpath.planner.engine.state.OcsState;
import dev.lightpath.planner.fault.Fault;
import dev.lightpath.planner.fault.Subject;
import dev.lightpath.planner.light.Circuit;
import dev.lightpath.planner.light.DeviceState;
import dev.lightpath.planner.light.Reason;
import dev.lightpath.planner.ocs.WiringCheck;
import dev.lightpath.planner.world.Allocation;
import dev.lightpath.planner.world.Demand;
import dev.lightpath.planner.world.OcsPod;
import dev.lightpath.planner.world.OcsSwitch;
import dev.lightpath.planner.world.OcsTopology;
import dev.lightpath.planner.world.SliceId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The state of one fabric of switches in figures. */
final class OcsReport implements FabricReport {
    private final OcsState state;
    private final OcsCircuits circuits;
    private final List<SliceState> slices;

    OcsReport(OcsState state, OcsCircuits circuits, List<SliceState> slices) {
        this.state = state;
        this.circuits = circuits;
        this.slices = slices;
    }

    @Override
    public SliceVerdict.Light qualify(Allocation recorded) {
        return OcsQualification.of(state, recorded);
    }

    /** An elastic job may have fewer than it wants. */
    private static int gpus(SliceState slice) {
        return slice.intent().demand() instanceof Demand.Traffic traffic
                ? slice.recorded()
                        .flatMap(record -> traffic.recorded(record.groups().size()))
                        .orElse(traffic)
                        .gpus()
                : slice.intent().demand().gpus();
    }

    @Override
    public FabricVerdict.Figures figures() {
        Set<String> held = new HashSet<>();
        // a node of a pod may be some job's by way of another fabric
        state.world()
                .ledger()
                .values()
                .forEach(entry -> entry.allocation().map(Allocation::nodes).ifPresent(held::addAll));
        boolean whole = !(state.intent().topology() instanceof OcsTopology.Logical);
        long allocated = 0;
        for (SliceState slice : slices) {
            if (slice.placed()) {
                slice.recorded()
                        .map(allocation -> CubeMembers.cubes(state.wiring(), allocation))
                        .ifPresent(held::addAll);
                allocated += gpus(slice);
            }
        }
        int nodes = 0;
        int faulty = 0;
        int allocatedNodes = 0;
        long gpus = 0;
        long usable = 0;
        for (OcsPod pod : state.intent().pods()) {
            gpus += pod.gpus();
            usable += usable(pod, whole, held);
            nodes += pod.nodes().size();
            allocatedNodes += whole
                    ? held.contains(pod.name()) ? pod.nodes().size() : 0
                    : (int) pod.nodes().keySet().stream().filter(held::contains).count();
            for (String node : pod.nodes().keySet()) {
                faulty += state.tracker().faulty(new Subject.OfNode(node)) ? 1 : 0;
            }
        }
        return new FabricVerdict.Figures(
                new FabricVerdict.Nodes(nodes, nodes - faulty, faulty, 0, allocatedNodes),
                new FabricVerdict.Gpus(Math.toIntExact(gpus), Math.toIntExact(usable), Math.toIntExact(allocated)),
                circuits(),
                invalidWiring());
    }

    /**
     * GPUs of a pod that plans may use, those that jobs hold included.
     *
     * @param whole whether jobs take pods as a whole
     * @param held names of nodes or, where they are taken as a whole, of pods
     */
    private int usable(OcsPod pod, boolean whole, Set<String> held) {
        if (state.health().pods().contains(pod.name())) {
            return 0;
        }
        if (whole) {
            return pod.placeable() || held.contains(pod.name()) ? pod.gpus() : 0;
        }
        int without = (int) pod.nodes().keySet().stream()
                .filter(node -> state.tracker().faulty(new Subject.OfNode(node))
                        || pod.closed().contains(node) && !held.contains(node))
                .count();
        return Math.max(0, pod.gpus() - without * state.intent().gpusPerNode());
    }

    private Optional<String> invalidWiring() {
        List<String> flaws = new ArrayList<>(state.findings());
        flaws.addAll(DeviceMismatch.told(state.intent().switches().values(), state.lacking()));
        return flaws.isEmpty() ? Optional.empty() : Optional.of(String.join("; ", flaws));
    }

    private FabricVerdict.Circuits circuits() {
        int lit = 0;
        int missing = 0;
        for (var entry : state.recorded().circuits().entrySet()) {
            OcsSwitch of = state.intent().switches().get(entry.getKey());
            DeviceState device = of == null ? null : state.device(of).orElse(null);
            for (Circuit circuit : entry.getValue()) {
                if (of != null && device != null && device.answers() && of.shows(device, circuit)) {
                    lit++;
                } else if (device != null && device.present()) {
                    missing++;
                }
            }
        }
        return new FabricVerdict.Circuits(
                state.recorded().size(), lit, circuits.foreign().size(), missing);
    }

    OcsVerdict switches(SortedMap<SliceId, SliceVerdict> verdicts) {
        SortedMap<String, OcsVerdict.OfSwitch> switches = new TreeMap<>();
        Map<String, Integer> failed =
                portsBySwitch(state.tracker().faults().stream().map(Fault::subject));
        Map<String, Integer> degraded = portsBySwitch(state.degrading().stream()
                .<Subject>map(DegradingPort::port)
                .filter(port -> !state.tracker().faulty(port))
                .distinct());
        state.intent()
                .switches()
                .values()
                .forEach(of -> switches.put(
                        of.name(),
                        ofSwitch(of, failed.getOrDefault(of.name(), 0), degraded.getOrDefault(of.name(), 0))));
        return new OcsVerdict(standing(verdicts), switches, circuits.discovery());
    }

    /** How many of these are ports that a switch is said to have, by switch. */
    private Map<String, Integer> portsBySwitch(Stream<Subject> subjects) {
        Map<String, Integer> ports = new HashMap<>();
        subjects.forEach(subject -> {
            if (subject instanceof Subject.OfPort port
                    && state.described().ports(port.device()).contains(port.port())) {
                ports.merge(port.device(), 1, Integer::sum);
            }
        });
        return ports;
    }

    private OcsVerdict.OfSwitch ofSwitch(OcsSwitch of, int failedPorts, int degradedPorts) {
        DeviceState device = state.device(of).orElse(null);
        int lit = 0;
        for (Circuit circuit : state.recorded().on(of.name())) {
            lit += device != null && of.shows(device, circuit) ? 1 : 0;
        }
        Set<String> ports = state.described().ports(of.name());
        boolean dead = state.health().switches().contains(of.name());
        int failed = dead ? ports.size() : failedPorts;
        return new OcsVerdict.OfSwitch(
                state.recorded().on(of.name()).size(),
                lit,
                device == null ? 0 : device.circuits().circuits().size(),
                circuits.foreign().on(of.name()).size(),
                device == null ? "" : device.digest(),
                ports.size(),
                failed,
                dead ? 0 : degradedPorts,
                state.findings().isEmpty() ? List.of() : WiringCheck.ofSwitch(state.wiring(), of));
    }

    private Optional<SliceVerdict.Obstacle> standing(SortedMap<SliceId, SliceVerdict> verdicts) {
        if (state.intent().topology() instanceof OcsTopology.Logical) {
            return Optional.empty();
        }
        for (SliceState slice : slices) {
            SliceVerdict verdict = verdicts.get(slice.id());
            if (slice.isStatic() && slice.intent().wanted() && verdict != null) {
                return obstacle(verdict);
            }
        }
        return Optional.of(SliceVerdict.Obstacle.programming("the FabricSlice of the topology is not made yet"));
    }

    private static Optional<SliceVerdict.Obstacle> obstacle(SliceVerdict verdict) {
        return switch (verdict.placement()) {
            case SliceVerdict.Placement.Placed placed ->
                verdict.light().qualified() ? Optional.empty() : verdict.light().obstacle();
            case SliceVerdict.Placement.Faulted faulted ->
                Optional.of(new SliceVerdict.Obstacle(
                        faulted.degraded() ? Reason.DEGRADED : Reason.FAULT_PENDING, faulted.message()));
            case SliceVerdict.Placement.Unplaced unplaced ->
                Optional.of(
                        unplaced.reason() == Reason.RECORDING
                                ? SliceVerdict.Obstacle.programming(unplaced.message())
                                : new SliceVerdict.Obstacle(unplaced.reason(), unplaced.message()));
            case SliceVerdict.Placement.Releasing releasing ->
                Optional.of(new SliceVerdict.Obstacle(Reason.RELEASING, releasing.waitsFor()));
            case SliceVerdict.Placement.Released released ->
                Optional.of(new SliceVerdict.Obstacle(Reason.RELEASING, "the light of the topology is down"));
        };
    }
}
