package dev.lightpath.reading;

import static java.util.Objects.requireNonNullElse;

import dev.lightpath.crds.LightpathAnnotations;
import dev.lightpath.crds.fabric.FabricPod;
import dev.lightpath.crds.fabric.Ocs;
import dev.lightpath.crds.fabric.OpticalFabric;
import dev.lightpath.crds.fabric.Replication;
import dev.lightpath.crds.fabric.Topology;
import dev.lightpath.crds.fabric.policy.FabricPolicy;
import dev.lightpath.crds.opticalswitch.OpticalSwitch;
import dev.lightpath.crds.opticalswitch.OpticalSwitchSpec;
import dev.lightpath.crds.opticalswitch.PortWiring;
import dev.lightpath.crds.opticalswitch.StripedWiring;
import dev.lightpath.planner.fault.Signal;
import dev.lightpath.planner.light.DeviceId;
import dev.lightpath.planner.polarfly.Expansion;
import dev.lightpath.planner.stripe.DeviceKind;
import dev.lightpath.planner.torus.Shape;
import dev.lightpath.planner.world.OcsIntent;
import dev.lightpath.planner.world.OcsPod;
import dev.lightpath.planner.world.OcsSwitch;
import dev.lightpath.planner.world.OcsTopology;
import dev.lightpath.reading.label.Labels;
import dev.lightpath.reading.node.NodeSignals;
import io.fabric8.kubernetes.api.model.Node;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Reads a fabric of optical switches as its administrator wrote it, its OpticalSwitches and its Nodes. */
public final class OcsIntentReader {
    /** Nodes are not judged by what they can allocate: a pod counts its GPUs itself. */
    private static final String NO_RESOURCE = "";

    private final String clusterUid;

    /** @param clusterUid UID of the namespace kube-system: names this cluster to drivers that several clusters share */
    public OcsIntentReader(String clusterUid) {
        this.clusterUid = clusterUid;
    }

    /** For nodes that no other pods use. */
    public Optional<OcsIntent> read(OpticalFabric fabric, Collection<OpticalSwitch> switches, Collection<Node> nodes) {
        return read(fabric, switches, nodes, Map.of());
    }

    /**
     * Linear in wires and nodes.
     *
     * @param switches all there are; those of other fabrics are left out
     * @param busy by resource, names of nodes of which pods of others hold GPUs
     * @return empty when the fabric is not one of optical switches
     * @throws IllegalArgumentException when its topology is impossible, naming the field
     */
    public Optional<OcsIntent> read(
            OpticalFabric fabric,
            Collection<OpticalSwitch> switches,
            Collection<Node> nodes,
            Map<String, ? extends Set<String>> busy) {
        Ocs ocs = fabric.getSpec().ocs();
        if (ocs == null) {
            return Optional.empty();
        }
        String name = fabric.getMetadata().getName();
        List<String> misread = new ArrayList<>();
        SortedMap<String, OcsSwitch> ours = new TreeMap<>();
        for (OpticalSwitch of : switches) {
            if (of.getSpec().fabric().equals(name)) {
                ours.put(of.getMetadata().getName(), read(of, ocs, misread));
            }
        }
        return Optional.of(new OcsIntent(
                name,
                clusterUid + "/" + name,
                pods(ocs, fabric.getSpec().policy(), nodes, requireNonNullElse(busy.get(ocs.gpuResource()), Set.of())),
                ours,
                topology(ocs.topology()),
                PolicyReader.read(fabric),
                fabric.getSpec().paused(),
                Labels.moment(fabric, LightpathAnnotations.RESUME_AFTER_MASS_FAILURE),
                fabric.getMetadata().getDeletionTimestamp() != null,
                misread,
                fabric.getStatus() == null
                        ? new TreeSet<>()
                        : new TreeSet<>(fabric.getStatus().quarantinedPorts()),
                RingIntentReader.told(fabric.getStatus()),
                clearances(ocs, nodes, switches, ours.keySet()),
                ocs.gpusPerNode(),
                ocs.circuitGbps(),
                DiscoveryCodec.read(switches, ours.keySet())));
    }

    private static SortedMap<String, Instant> clearances(
            Ocs ocs, Collection<Node> nodes, Collection<OpticalSwitch> switches, Set<String> ours) {
        SortedMap<String, Instant> clearances = new TreeMap<>();
        for (Node node : nodes) {
            if (Labels.label(node, ocs.podLabel()).isPresent()) {
                Labels.moment(node, LightpathAnnotations.CLEAR_FAULT)
                        .ifPresent(moment -> clearances.put(node.getMetadata().getName(), moment));
            }
        }
        for (OpticalSwitch of : switches) {
            String name = of.getMetadata().getName();
            if (ours.contains(name)) {
                Labels.moment(of, LightpathAnnotations.CLEAR_FAULT).ifPresent(moment -> clearances.put(name, moment));
            }
        }
        return clearances;
    }

    private static List<OcsPod> pods(Ocs ocs, FabricPolicy policy, Collection<Node> nodes, Set<String> busy) {
        Map<String, SortedMap<String, List<Signal>>> byPod = new HashMap<>();
        Set<String> partly = new HashSet<>();
        Map<String, SortedSet<String>> closed = new HashMap<>();
        Duration hold = Duration.ofMillis(policy.faults().holdMillis());
        for (Node node : nodes) {
            boolean closes = node.getMetadata().getDeletionTimestamp() != null
                    || (node.getSpec() != null
                            && Boolean.TRUE.equals(node.getSpec().getUnschedulable()));
            String name = node.getMetadata().getName();
            Labels.label(node, ocs.podLabel()).filter(pod -> closes).ifPresent(partly::add);
            Labels.label(node, ocs.podLabel())
                    .filter(pod -> closes || busy.contains(name))
                    .ifPresent(pod ->
                            closed.computeIfAbsent(pod, of -> new TreeSet<>()).add(name));
            Labels.label(node, ocs.podLabel())
                    .ifPresent(pod -> byPod.computeIfAbsent(pod, of -> new TreeMap<>())
                            .put(name, NodeSignals.of(node, policy.faults().nodeConditions(), NO_RESOURCE, 0, hold)));
        }
        return ocs.pods().stream()
                .sorted(Comparator.comparingInt(FabricPod::index).thenComparing(FabricPod::name))
                .map(pod -> new OcsPod(
                        pod.name(),
                        pod.index(),
                        pod.gpus(),
                        pod.ports(),
                        byPod.getOrDefault(pod.name(), new TreeMap<>()),
                        !partly.contains(pod.name()),
                        closed.getOrDefault(pod.name(), new TreeSet<>())))
                .toList();
    }

    private static OcsTopology topology(Topology topology) {
        if (topology.polarFly() != null) {
            return new OcsTopology.PolarFly(
                    topology.polarFly().order(),
                    topology.polarFly().copies().stream()
                            .map(copy -> copy.replicate() == Replication.QUADRIC
                                    ? Expansion.Method.QUADRIC
                                    : Expansion.Method.NON_QUADRIC)
                            .toList());
        }
        if (topology.twistedTorus() != null) {
            return new OcsTopology.TwistedTorus(
                    Shape.parse(topology.twistedTorus().cubes()));
        }
        return new OcsTopology.Logical();
    }

    private static OcsSwitch read(OpticalSwitch of, Ocs ocs, List<String> misread) {
        OpticalSwitchSpec spec = of.getSpec();
        String name = of.getMetadata().getName();
        StripedWiring striped = spec.wiring().striped();
        boolean twoSided = striped != null
                ? striped.firstEgress() != null
                : spec.wiring().ports().stream().anyMatch(port -> port.egress() != null);
        Integer plane = spec.plane();
        return new OcsSwitch(
                name,
                new DeviceId(spec.driver().endpoint(), spec.driver().deviceId()),
                twoSided ? DeviceKind.TWO_SIDED : DeviceKind.ANY_TO_ANY,
                plane == null ? OptionalInt.empty() : OptionalInt.of(plane),
                striped != null
                        ? striped(striped, ocs)
                        : listed(name, spec.wiring().ports(), twoSided, misread),
                new TreeSet<>(spec.reservedPorts()),
                spec.drained(),
                domains(spec.domains()));
    }

    private static OcsSwitch.Domains domains(dev.lightpath.crds.opticalswitch.@Nullable FailureDomains said) {
        return said == null
                ? OcsSwitch.Domains.NONE
                : new OcsSwitch.Domains(
                        Optional.ofNullable(said.power()),
                        Optional.ofNullable(said.control()),
                        Optional.ofNullable(said.rack()));
    }

    private static List<OcsSwitch.Wire> striped(StripedWiring striped, Ocs ocs) {
        List<OcsSwitch.Wire> wires = new ArrayList<>();
        Integer firstEgress = striped.firstEgress();
        for (FabricPod pod : ocs.pods()) {
            for (int port = 0; port < striped.portsPerPod(); port++) {
                long place = (long) pod.index() * striped.portsPerPod() + port;
                String ingress = Long.toString(striped.firstIngress() + place);
                wires.add(new OcsSwitch.Wire(
                        ingress, firstEgress == null ? ingress : Long.toString(firstEgress + place), pod.name(), port));
            }
        }
        return wires;
    }

    private static List<OcsSwitch.Wire> listed(
            String name, List<PortWiring> ports, boolean twoSided, List<String> misread) {
        List<OcsSwitch.Wire> wires = new ArrayList<>();
        for (PortWiring port : ports) {
            if (twoSided && port.egress() == null) {
                misread.add("switch " + name + ": port " + port.ingress() + " of pod " + port.pod()
                        + " has no egress, other ports have: write it for all or for none");
            }
            wires.add(new OcsSwitch.Wire(
                    port.ingress(), requireNonNullElse(port.egress(), port.ingress()), port.pod(), port.index()));
        }
        return wires;
    }
}
