package dev.lightpath.soak;

import dev.lightpath.cli.cluster.access.Cluster;
import dev.lightpath.console.text.BadInput;
import dev.lightpath.crds.fabric.OcsTrx;
import dev.lightpath.crds.fabric.OpticalFabric;
import dev.lightpath.crds.fabric.Shape;
import dev.lightpath.crds.job.TrainingJob;
import dev.lightpath.crds.opticalswitch.OpticalSwitch;
import dev.lightpath.crds.opticalswitch.PortWiring;
import dev.lightpath.crds.opticalswitch.StripedWiring;
import dev.lightpath.soak.oracle.RingScheme;
import dev.lightpath.soak.oracle.SpineScheme;
import io.fabric8.kubernetes.api.model.Node;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The environment under study.
 *
 * @param nodes as they are when all is well, by name
 */
record Site(RingScheme ring, Optional<SpineScheme> spine, Map<String, Node> nodes) {
    private static final int FEWEST_NODES = 8;

    /**
     * Looks at it.
     *
     * @param chosen the ring's fabric
     * @param devices that the emulator has
     * @throws BadInput when it is not fit for the study
     */
    static Site read(Cluster cluster, Optional<String> chosen, Set<String> devices) {
        List<OpticalFabric> fabrics = cluster.fabrics();
        List<OpticalFabric> rings = fabrics.stream()
                .filter(fabric -> fabric.getSpec().ocsTrx() != null)
                .filter(fabric ->
                        chosen.isEmpty() || fabric.getMetadata().getName().equals(chosen.get()))
                .toList();
        if (rings.size() != 1) {
            String there = fabrics.stream()
                    .filter(fabric -> fabric.getSpec().ocsTrx() != null)
                    .map(fabric -> fabric.getMetadata().getName())
                    .collect(Collectors.joining(", "));
            throw new BadInput((chosen.isPresent()
                            ? "--fabric " + chosen.get() + ": is no ring fabric here"
                            : "which ring? name it with --fabric")
                    + "; there " + (there.isEmpty() ? "is none" : "is " + there));
        }
        List<TrainingJob> jobs = cluster.jobs(Optional.empty());
        if (!jobs.isEmpty()) {
            throw new BadInput("there are " + jobs.size() + " TrainingJobs already, the first is "
                    + jobs.getFirst().getMetadata().getNamespace() + "/"
                    + jobs.getFirst().getMetadata().getName()
                    + ": the study wants the environment for itself, delete them first");
        }
        Map<String, Node> nodes = new TreeMap<>();
        RingScheme ring = ring(rings.getFirst(), cluster.nodes(), devices, nodes);
        return new Site(ring, spine(fabrics, cluster.switches(), devices), nodes);
    }

    private static RingScheme ring(OpticalFabric fabric, List<Node> all, Set<String> devices, Map<String, Node> mine) {
        String name = fabric.getMetadata().getName();
        OcsTrx trx = Objects.requireNonNull(fabric.getSpec().ocsTrx(), name);
        Map<Integer, String> places = new TreeMap<>();
        Map<String, String> selector =
                trx.nodeSelector() == null || trx.nodeSelector().getMatchLabels() == null
                        ? Map.of()
                        : trx.nodeSelector().getMatchLabels();
        for (Node node : all) {
            Map<String, String> labels = node.getMetadata().getLabels() == null
                    ? Map.of()
                    : node.getMetadata().getLabels();
            String place = labels.get(trx.positionLabel());
            if (place != null && labels.entrySet().containsAll(selector.entrySet())) {
                places.put(Integer.parseInt(place), node.getMetadata().getName());
                mine.put(node.getMetadata().getName(), node);
            }
        }
        int positions = trx.positions() == null ? places.size() : trx.positions();
        List<String> names = new ArrayList<>();
        for (int position = 0; position < positions; position++) {
            String node = places.get(position);
            if (node == null || !devices.contains(node)) {
                throw new BadInput("fabric " + name + ": "
                        + (node == null
                                ? "no Node has position " + position + " of " + positions
                                : "the emulator has no device " + node)
                        + "; the study wants a ring whose nodes are all there");
            }
            names.add(node);
        }
        if (names.size() < FEWEST_NODES) {
            throw new BadInput(
                    "fabric " + name + " has " + names.size() + " nodes: the study wants at least " + FEWEST_NODES);
        }
        return new RingScheme(name, trx.shape() == Shape.RING, trx.reach(), trx.gpusPerNode(), names);
    }

    private static Optional<SpineScheme> spine(
            List<OpticalFabric> fabrics, List<OpticalSwitch> switches, Set<String> devices) {
        return fabrics.stream()
                .filter(fabric -> fabric.getSpec().ocs() != null
                        && fabric.getSpec().ocs().topology().logical() != null)
                .findFirst()
                .map(fabric -> spine(fabric, switches, devices));
    }

    private static SpineScheme spine(OpticalFabric fabric, List<OpticalSwitch> switches, Set<String> devices) {
        String name = fabric.getMetadata().getName();
        Map<String, String> byName = new TreeMap<>();
        Map<String, Integer> pods = new TreeMap<>();
        Map<String, Integer> indices = new TreeMap<>();
        Objects.requireNonNull(fabric.getSpec().ocs(), name)
                .pods()
                .forEach(pod -> indices.put(pod.name(), pod.index()));
        for (OpticalSwitch of : switches) {
            if (!of.getSpec().fabric().equals(name)) {
                continue;
            }
            String device = of.getSpec().driver().deviceId();
            if (!devices.contains(device)) {
                throw new BadInput("switch " + of.getMetadata().getName() + ": the emulator has no device " + device);
            }
            byName.put(of.getMetadata().getName(), device);
            StripedWiring striped = of.getSpec().wiring().striped();
            if (striped != null) {
                indices.values().forEach(index -> stripe(striped, device, index, pods));
            } else {
                for (PortWiring port : of.getSpec().wiring().ports()) {
                    Integer pod = indices.get(port.pod());
                    if (pod != null) {
                        pods.put(device + "/" + port.ingress(), pod);
                        if (port.egress() != null) {
                            pods.put(device + "/" + port.egress(), pod);
                        }
                    }
                }
            }
        }
        return new SpineScheme(name, byName, pods);
    }

    private static void stripe(StripedWiring striped, String device, int index, Map<String, Integer> pods) {
        for (int port = 0; port < striped.portsPerPod(); port++) {
            int offset = index * striped.portsPerPod() + port;
            pods.put(device + "/" + (striped.firstIngress() + offset), index);
            if (striped.firstEgress() != null) {
                pods.put(device + "/" + (striped.firstEgress() + offset), index);
            }
        }
    }

    /** Fabrics that the study uses. */
    List<String> fabrics() {
        return spine.map(of -> List.of(ring.fabric(), of.fabric())).orElse(List.of(ring.fabric()));
    }
}
