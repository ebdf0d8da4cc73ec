package dev.lightpath.planner.engine.state;

import dev.lightpath.planner.engine.allocation.SliceState;
import dev.lightpath.planner.engine.degrading.LightWatch;
import dev.lightpath.planner.fault.Fault;
import dev.lightpath.planner.fault.FaultTracker;
import dev.lightpath.planner.fault.Subject;
import dev.lightpath.planner.health.Place;
import dev.lightpath.planner.light.DeviceState;
import dev.lightpath.planner.light.SwitchedLight;
import dev.lightpath.planner.memory.Memo;
import dev.lightpath.planner.memory.PassMemory;
import dev.lightpath.planner.ocs.LinkPlan;
import dev.lightpath.planner.ocs.OcsHealth;
import dev.lightpath.planner.ocs.OcsWiring;
import dev.lightpath.planner.stripe.Striper;
import dev.lightpath.planner.stripe.Striping;
import dev.lightpath.planner.world.Allocation;
import dev.lightpath.planner.world.OcsIntent;
import dev.lightpath.planner.world.OcsPod;
import dev.lightpath.planner.world.OcsSwitch;
import dev.lightpath.planner.world.OcsTopology;
import dev.lightpath.planner.world.World;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * One fabric of switches in one world, with its faults judged: what every step of a pass looks at.
 *
 * @param residual what may shine on without being planned
 * @param recorded the light of all records
 * @param dark what of it is made and not seen
 * @param findings what contradicts itself in the wiring: nothing new is planned while there is any, and no darkness is
 *     believed, because it is unknown where fibres end
 * @param lacking ports that switches are wired by and do not have, by switch, with the reason; left out of plans, and
 *     no faults
 * @param described what follows from the description alone
 * @param memory of this pass
 * @param forecasts that this pass asks for
 */
public record OcsState(
        World world,
        OcsWiring wiring,
        PeerObservations farEnds,
        ResidualLight residual,
        SwitchedLight recorded,
        LossOfSignal dark,
        FaultTracker tracker,
        OcsHealth health,
        List<String> findings,
        SortedMap<String, SortedMap<String, String>> lacking,
        WiringIndex described,
        PassMemory memory,
        Forecasts forecasts)
        implements FabricState {

    /** @param mostTransfers that may be simulated for comparison */
    public static OcsState of(World world, OcsIntent told, List<SliceState> slices, int mostTransfers) {
        PassMemory memory = new PassMemory(world.cacheOf(told.name()));
        WiringIndex described = WiringIndex.of(world, told, memory.before(WiringIndex.SLOT));
        memory.keep(WiringIndex.SLOT, described);
        // that of the pass before where it was read anew and says the same
        OcsIntent intent = described.intent();
        OcsWiring wiring = described.wiring();
        SwitchedLight recorded = recorded(slices.stream());
        PeerObservations farEnds = PeerObservations.of(world, wiring, recorded);
        ResidualLight residual = ResidualLight.of(world, wiring, farEnds, slices, recorded);
        OpenedFaults faults = OpenedFaults.of(world, intent, intent.clearances());
        List<String> findings = described.findings();
        SortedMap<String, SortedMap<String, String>> lacking = lacking(world, described);
        LossOfSignal dark = new LossOfSignal(
                world,
                wiring,
                farEnds,
                residual,
                findings.isEmpty() ? recorded : SwitchedLight.none(),
                farEnds.doubtsAny() ? recorded(slices.stream().filter(SliceState::usesLight)) : SwitchedLight.none(),
                faults.before());
        FaultTracker proved = findings.isEmpty()
                ? faults.proving(dark.unproved(), links(world, intent, dark), world.now())
                : faults.cleared();
        FaultTracker left = proved.watching(faults.cleared(proved.light())
                .clearedPorts(farEndsCleared(world, intent, faults.clearances()))
                .after(
                        world.now(),
                        LightWatch.stamp(world, intent, memory),
                        () -> LightWatch.of(
                                world,
                                intent,
                                farEnds::device,
                                faults.clearances().keySet()),
                        intent.policy().health()));
        FaultTracker tracker = left.advance(
                OcsSignals.of(world, described, farEnds, recorded, dark, left),
                OcsSignals.sources(world, intent),
                world.now(),
                faults.policy());
        return new OcsState(
                world,
                wiring,
                farEnds,
                residual,
                recorded,
                dark,
                tracker,
                health(described, farEnds, residual, recorded, dark, tracker, lacking),
                findings,
                lacking,
                described,
                memory,
                new Forecasts(memory, mostTransfers));
    }

    private static StageLinks links(World world, OcsIntent intent, LossOfSignal dark) {
        Map<String, Set<String>> made = new HashMap<>();
        return new StageLinks(
                intent.policy(),
                port -> made.computeIfAbsent(
                                port.device(),
                                name -> world.device(intent, name)
                                        .map(OcsState::made)
                                        .orElse(Set.of()))
                        .contains(port.port()),
                dark.unlit()::contains,
                name -> world.device(intent, name).orElse(null));
    }

    private static SwitchedLight recorded(Stream<SliceState> slices) {
        return SwitchedLight.all(slices.flatMap(slice -> slice.recorded().stream())
                .map(Allocation::circuits)
                .toList());
    }

    /** Far ends that switches lead to which a person declared healthy: what they receive is judged anew, too. */
    private static Map<Place, Instant> farEndsCleared(World world, OcsIntent intent, Map<String, Instant> clearances) {
        Map<Place, Instant> cleared = new HashMap<>();
        clearances.forEach((name, moment) -> {
            world.device(intent, name).stream()
                    .flatMap(device -> device.peers().values().stream())
                    .forEach(end -> cleared.merge(
                            new Place(end.device(), end.port()),
                            moment,
                            (one, other) -> one.isAfter(other) ? one : other));
        });
        return cleared;
    }

    /** Ports of circuits that are there and at rest. */
    private static Set<String> made(DeviceState device) {
        if (!device.present() || device.operation().isPresent()) {
            return Set.of();
        }
        Set<String> made = new HashSet<>();
        device.circuits().circuits().forEach(circuit -> {
            made.add(circuit.ingress());
            made.add(circuit.egress());
        });
        made.removeAll(device.moving());
        return made;
    }

    private static SortedMap<String, SortedMap<String, String>> lacking(World world, WiringIndex described) {
        SortedMap<String, SortedMap<String, String>> lacking = new TreeMap<>();
        described.equipment().forEach((name, equipped) -> {
            OcsSwitch of = Objects.requireNonNull(described.intent().switches().get(name));
            if (!equipped.lacking().isEmpty()
                    && world.driver(of.device().driver()).synced()) {
                lacking.put(name, equipped.lacking());
            }
        });
        return lacking;
    }

    @Override
    public OcsIntent intent() {
        return wiring.intent();
    }

    /** Searches for ports for circuits. */
    public Memo<Striping, Striper.Partial> stripings() {
        return memory.memo(LinkPlan.STRIPINGS);
    }

    /** The device of a switch, if its driver ever told of it. */
    public Optional<DeviceState> device(OcsSwitch of) {
        return world.device(of.device());
    }

    /** Whether all of some light works and joins pods as it is wired now. */
    public boolean sound(SwitchedLight recorded) {
        return recorded.allMatch((name, circuit) ->
                health.supports(name, circuit) && wiring.ends(name, circuit).isPresent());
    }

    /** Which of these circuits are broken, by name. */
    public List<String> broken(SwitchedLight recorded) {
        List<String> broken = new ArrayList<>();
        recorded.forEach((name, circuit) -> {
            if (!health.supports(name, circuit)) {
                broken.add(name + "/" + circuit);
            }
        });
        return broken;
    }

    private static OcsHealth health(
            WiringIndex described,
            PeerObservations farEnds,
            ResidualLight residual,
            SwitchedLight recorded,
            LossOfSignal dark,
            FaultTracker tracker,
            SortedMap<String, SortedMap<String, String>> lacking) {
        OcsIntent intent = described.intent();
        Set<String> switches = new HashSet<>();
        Set<OcsHealth.FailedPort> ports = new HashSet<>();
        Set<String> silentPods = new HashSet<>();
        Set<String> nodes = new HashSet<>();
        for (Fault fault : tracker.faults()) {
            switch (fault.subject()) {
                case Subject.OfNode of -> nodes.add(of.node());
                case Subject.OfDevice of ->
                    (intent.switches().containsKey(of.device()) ? switches : silentPods).add(of.device());
                case Subject.OfPort of -> ports.add(new OcsHealth.FailedPort(of.device(), of.port()));
            }
        }
        for (String name : lacking.keySet()) {
            ports.addAll(Objects.requireNonNull(described.equipment().get(name)).unfit());
        }
        return new OcsHealth(
                switches,
                ports,
                brokenCubes(intent, silentPods, nodes),
                new BurningLight(
                                described.wiring(),
                                farEnds,
                                residual,
                                recorded,
                                dark,
                                tracker.stage().links())
                        .on(switches));
    }

    /** A torus needs every chip of a cube; other topologies carry what is left of a pod. */
    private static Set<String> brokenCubes(OcsIntent intent, Set<String> silent, Set<String> nodes) {
        Set<String> broken = new HashSet<>();
        if (intent.topology() instanceof OcsTopology.TwistedTorus) {
            for (OcsPod pod : intent.pods()) {
                if (silent.contains(pod.name()) || pod.nodes().keySet().stream().anyMatch(nodes::contains)) {
                    broken.add(pod.name());
                }
            }
        }
        return broken;
    }
}
