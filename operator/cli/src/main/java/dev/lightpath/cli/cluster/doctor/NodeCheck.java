package dev.lightpath.cli.cluster.doctor;

import dev.lightpath.crds.LightpathLabels;
import dev.lightpath.crds.fabric.FabricPod;
import dev.lightpath.crds.fabric.Ocs;
import dev.lightpath.crds.fabric.OcsTrx;
import dev.lightpath.crds.fabric.OpticalFabric;
import dev.lightpath.planner.words.Words;
import dev.lightpath.reading.label.LabelSelection;
import dev.lightpath.reading.node.PositionLabels;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Quantity;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;

/** The labels of Nodes say where they stand, each place is taken once, and GPUs are there. */
final class NodeCheck {
    private static final int NAMED = 5;
    private static final List<String> LABELS_OF_FABRICS =
            List.of(LightpathLabels.TOPOLOGY_SCALE_UP, LightpathLabels.TOPOLOGY_SCALE_OUT);

    private final List<Finding> findings = new ArrayList<>();
    /** A node may be on several fabrics. */
    private final Set<String> placed = new HashSet<>();

    private NodeCheck() {}

    static Diagnosis of(Collection<OpticalFabric> fabrics, Collection<Node> nodes) {
        NodeCheck check = new NodeCheck();
        for (OpticalFabric fabric : fabrics) {
            String where = "opticalfabric/" + fabric.getMetadata().getName();
            OcsTrx ring = fabric.getSpec().ocsTrx();
            Ocs ocs = fabric.getSpec().ocs();
            if (ring != null) {
                check.ring(where, ring, nodes);
            } else if (ocs != null) {
                check.pods(where, ocs, nodes);
            }
            if (fabric.getSpec().topologyLabels() != null) {
                check.topology(where, fabric.getMetadata().getName(), nodes);
            }
        }
        return new Diagnosis("nodes", check.placed.size() + " in their places, with their GPUs", check.findings);
    }

    /** Whether the operator may write them says its log alone. */
    private void topology(String where, String fabric, Collection<Node> nodes) {
        if (nodes.stream()
                .noneMatch(node -> LABELS_OF_FABRICS.stream()
                        .anyMatch(label -> labels(node).getOrDefault(label, "").equals(fabric)))) {
            findings.add(Finding.warning(
                    where,
                    "asks for labels of its nodes (spec.topologyLabels), and no node has them",
                    "kubectl apply -f deploy/kubernetes/access/topology-labels.yaml, or set topologyLabels.enabled of"
                            + " the chart"));
        }
    }

    private void ring(String where, OcsTrx ring, Collection<Node> nodes) {
        SortedMap<Integer, List<String>> at = new TreeMap<>();
        List<Node> ours = new ArrayList<>();
        List<String> astray = new ArrayList<>();
        int last = ring.positions() == null ? Integer.MAX_VALUE : ring.positions() - 1;
        for (Node node : nodes) {
            Map<String, String> labels = labels(node);
            if (!LabelSelection.matches(ring.nodeSelector(), labels)) {
                continue;
            }
            OptionalInt position = PositionLabels.position(node, ring);
            if (position.isPresent() && position.getAsInt() <= last) {
                at.computeIfAbsent(position.getAsInt(), unseen -> new ArrayList<>())
                        .add(name(node));
                ours.add(node);
            } else if (labels.containsKey(ring.positionLabel())) {
                astray.add(name(node) + "=" + labels.get(ring.positionLabel()));
            }
        }
        if (!astray.isEmpty()) {
            findings.add(Finding.wrong(
                    where,
                    "label " + ring.positionLabel() + " is no position: " + Words.first(NAMED, astray),
                    "allowed is a whole number from 0" + (ring.positions() == null ? "" : " to " + last)));
        }
        at.forEach((position, names) -> {
            if (names.size() > 1) {
                findings.add(Finding.wrong(
                        where,
                        "position " + position + " is claimed by " + Words.first(NAMED, names),
                        "label each node with its own " + ring.positionLabel()));
            }
        });
        gaps(where, ring, at);
        gpus(where, ring.gpuResource(), ring.gpusPerNode(), ours);
        ours.forEach(node -> placed.add(name(node)));
    }

    private static Map<String, String> labels(Node node) {
        return Objects.requireNonNullElse(node.getMetadata().getLabels(), Map.<String, String>of());
    }

    private void gaps(String where, OcsTrx ring, SortedMap<Integer, List<String>> at) {
        int positions = ring.positions() != null ? ring.positions() : at.isEmpty() ? 0 : at.lastKey() + 1;
        List<String> empty = IntStream.range(0, positions)
                .filter(position -> !at.containsKey(position))
                .mapToObj(Integer::toString)
                .toList();
        if (at.isEmpty()) {
            findings.add(Finding.wrong(
                    where,
                    "no node has a position: the label " + ring.positionLabel() + " or the labels of nodeSelector"
                            + " are missing",
                    "kubectl label node NAME " + ring.positionLabel() + "=0"));
        } else if (!empty.isEmpty()) {
            findings.add(Finding.warning(
                    where,
                    empty.size() + " of " + positions + " positions have no node: " + Words.first(NAMED, empty),
                    "label the nodes that stand there, or correct spec.ocsTrx.positions"));
        }
    }

    private void pods(String where, Ocs ocs, Collection<Node> nodes) {
        Map<String, List<Node>> byPod = new TreeMap<>();
        for (Node node : nodes) {
            String pod = labels(node).get(ocs.podLabel());
            if (pod != null) {
                byPod.computeIfAbsent(pod, unseen -> new ArrayList<>()).add(node);
            }
        }
        List<String> names = ocs.pods().stream().map(FabricPod::name).toList();
        List<String> empty =
                names.stream().filter(name -> !byPod.containsKey(name)).toList();
        if (!empty.isEmpty()) {
            findings.add(Finding.warning(
                    where,
                    empty.size() + " of " + names.size() + " pods have no node: " + Words.first(NAMED, empty),
                    "label their nodes " + ocs.podLabel() + "=NAME; jobs without pods need none"));
        }
        List<Node> ours = names.stream()
                .flatMap(name -> byPod.getOrDefault(name, List.of()).stream())
                .toList();
        gpus(where, ocs.gpuResource(), ocs.gpusPerNode(), ours);
        ours.forEach(node -> placed.add(name(node)));
    }

    private void gpus(String where, String resource, int wanted, List<Node> nodes) {
        List<String> lacking = nodes.stream()
                .filter(node -> allocatable(node, resource).compareTo(BigDecimal.valueOf(wanted)) < 0)
                .map(NodeCheck::name)
                .toList();
        if (lacking.isEmpty()) {
            return;
        }
        boolean all = lacking.size() == nodes.size();
        findings.add(new Finding(
                all ? Level.wrong : Level.warning,
                where,
                (all ? "no node has " : lacking.size() + " nodes do not have ") + wanted + " " + resource
                        + " allocatable: " + Words.first(NAMED, lacking),
                "see the device plugin there, or correct gpusPerNode and gpuResource"));
    }

    private static BigDecimal allocatable(Node node, String resource) {
        Quantity quantity = node.getStatus() == null || node.getStatus().getAllocatable() == null
                ? null
                : node.getStatus().getAllocatable().get(resource);
        return quantity == null ? BigDecimal.ZERO : quantity.getNumericalAmount();
    }

    private static String name(Node node) {
        return node.getMetadata().getName();
    }
}
