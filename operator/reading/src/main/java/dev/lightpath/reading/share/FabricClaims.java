package dev.lightpath.reading.share;

import dev.lightpath.crds.fabric.FabricPod;
import dev.lightpath.crds.fabric.Ocs;
import dev.lightpath.crds.fabric.OcsTrx;
import dev.lightpath.crds.fabric.OpticalFabric;
import dev.lightpath.crds.job.TrainingJobSpec;
import dev.lightpath.crds.opticalswitch.OpticalSwitch;
import dev.lightpath.crds.slice.Allocation;
import dev.lightpath.crds.slice.FabricSlice;
import dev.lightpath.crds.slice.FabricSliceStatus;
import dev.lightpath.crds.slice.JobReference;
import dev.lightpath.crds.slice.Releasing;
import dev.lightpath.planner.share.FabricGroups;
import dev.lightpath.reading.RefusedFabrics;
import dev.lightpath.reading.label.Labels;
import dev.lightpath.reading.node.AgentTemplate;
import io.fabric8.kubernetes.api.model.Node;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What fabrics have in common: drivers, nodes that they select, nodes and switches that are recorded for light of
 * another one, and jobs that are placed on several. Immutable.
 */
public final class FabricClaims {
    private static final String DRIVER = "driver ";
    private static final String NODE = "node ";
    private static final String SWITCH = "switch ";

    private final FabricGroups byClaims;
    /** By fabric, the nodes that it selects. */
    private final SortedMap<String, SortedSet<String>> nodes;

    /** By what is claimed, one of the fabrics that do: they are of one group. */
    private final Map<String, String> claimants = new HashMap<>();

    private FabricClaims(SortedMap<String, SortedSet<String>> claims) {
        this.byClaims = FabricGroups.of(claims);
        SortedMap<String, SortedSet<String>> nodesOf = new TreeMap<>();
        claims.forEach((fabric, claimed) -> {
            SortedSet<String> selected = new TreeSet<>();
            claimed.forEach(what -> {
                claimants.putIfAbsent(what, fabric);
                if (what.startsWith(NODE)) {
                    selected.add(what.substring(NODE.length()));
                }
            });
            nodesOf.put(fabric, Collections.unmodifiableSortedSet(selected));
        });
        this.nodes = Collections.unmodifiableSortedMap(nodesOf);
    }

    /** The nodes that each fabric selects, by its name. Always the same object. */
    public SortedMap<String, SortedSet<String>> nodes() {
        return nodes;
    }

    /**
     * The drivers and nodes that each fabric names or selects, rightly or not: one that is refused what an older one
     * has ({@link RefusedFabrics}) is told so by whoever leads both. O(fabrics * nodes + switches).
     */
    public static FabricClaims of(
            Collection<OpticalFabric> fabrics, Collection<OpticalSwitch> switches, Collection<Node> nodes) {
        SortedMap<String, SortedSet<String>> claims = new TreeMap<>();
        for (OpticalFabric fabric : fabrics) {
            SortedSet<String> claimed = new TreeSet<>();
            OcsTrx ring = fabric.getSpec().ocsTrx();
            // agents of nodes are as different as the nodes are
            if (ring != null && AgentTemplate.of(ring.driver().endpoint()).isEmpty()) {
                claimed.add(DRIVER + ring.driver().endpoint());
            }
            Predicate<Node> selects = selector(fabric);
            for (Node node : nodes) {
                if (selects.test(node)) {
                    claimed.add(NODE + node.getMetadata().getName());
                }
            }
            claims.put(fabric.getMetadata().getName(), claimed);
        }
        for (OpticalSwitch of : switches) {
            SortedSet<String> claimed = claims.computeIfAbsent(of.getSpec().fabric(), gone -> new TreeSet<>());
            claimed.add(DRIVER + of.getSpec().driver().endpoint());
            claimed.add(SWITCH + of.getMetadata().getName());
        }
        return new FabricClaims(claims);
    }

    /**
     * The groups of all fabrics that exist, or that switches or slices name. What a job asks for joins none: it can be
     * placed on two fabrics only where they have nodes in common, and then it has. Linear in slices, in what they
     * record, and in pods.
     *
     * @param podNodes by UID of a job, the nodes that its pods are on
     */
    public FabricGroups groups(Collection<FabricSlice> slices, Map<String, List<String>> podNodes) {
        SortedMap<String, SortedSet<String>> jobs = new TreeMap<>();
        List<Collection<String>> together = new ArrayList<>();
        Set<String> named = new TreeSet<>();
        for (FabricSlice slice : slices) {
            String fabric = slice.getSpec().fabric();
            named.add(fabric);
            JobReference job = slice.getSpec().job();
            if (job != null && allocation(slice).isPresent()) {
                jobs.computeIfAbsent(job.uid(), unseen -> new TreeSet<>()).add(fabric);
            }
            together(fabric, recorded(slice)).forEach(together::add);
        }
        jobs.forEach((uid, fabrics) -> podNodes.getOrDefault(uid, List.of())
                .forEach(node -> together(fabrics.first(), List.of(NODE + node)).forEach(together::add)));
        together.addAll(jobs.values());
        return byClaims.with(named).joining(together);
    }

    private List<Collection<String>> together(String fabric, Collection<String> uses) {
        List<Collection<String>> together = new ArrayList<>();
        for (String used : uses) {
            String claimant = claimants.getOrDefault(used, fabric);
            if (!claimant.equals(fabric)) {
                together.add(List.of(fabric, claimant));
            }
        }
        return together;
    }

    /** Nodes and switches of the record of a slice, and those whose light still goes down. */
    private static Collection<String> recorded(FabricSlice slice) {
        if (allocation(slice).isEmpty()) {
            return List.of();
        }
        Allocation allocation = allocation(slice).get();
        List<String> recorded = new ArrayList<>();
        allocation.groups().forEach(group -> group.nodes().forEach(node -> recorded.add(NODE + node)));
        allocation.circuits().forEach(of -> recorded.add(SWITCH + of.opticalSwitch()));
        Releasing releasing = allocation.releasing();
        if (releasing != null) {
            releasing.nodes().forEach(node -> recorded.add(NODE + node));
            releasing.circuits().forEach(of -> recorded.add(SWITCH + of.opticalSwitch()));
        }
        return recorded;
    }

    /** The nodes that a slice, or a part of one, has or had and has not left dark yet. */
    public static List<String> recordedNodes(FabricSlice slice) {
        return recorded(slice).stream()
                .filter(what -> what.startsWith(NODE))
                .map(what -> what.substring(NODE.length()))
                .toList();
    }

    private static Optional<Allocation> allocation(FabricSlice slice) {
        FabricSliceStatus status = slice.getStatus();
        return status == null ? Optional.empty() : Optional.ofNullable(status.allocation());
    }

    /** Which nodes a fabric selects. O(pods of the fabric), then constant for each node. */
    public static Predicate<Node> selector(OpticalFabric fabric) {
        OcsTrx ring = fabric.getSpec().ocsTrx();
        Ocs ocs = fabric.getSpec().ocs();
        Set<String> pods = pods(ocs);
        return node -> isOfRing(ring, node) || isOfPod(ocs, pods, node);
    }

    /** The fabrics that a job asks for light. */
    public static SortedSet<String> of(TrainingJobSpec job) {
        SortedSet<String> fabrics = new TreeSet<>();
        Optional.ofNullable(job.scaleUp()).ifPresent(scaleUp -> fabrics.add(scaleUp.fabric()));
        Optional.ofNullable(job.scaleOut()).ifPresent(scaleOut -> fabrics.add(scaleOut.fabric()));
        return fabrics;
    }

    private static boolean isOfRing(@Nullable OcsTrx ring, Node node) {
        return ring != null
                && Labels.selected(node, ring.nodeSelector())
                && Labels.label(node, ring.positionLabel()).isPresent();
    }

    private static boolean isOfPod(@Nullable Ocs ocs, Set<String> pods, Node node) {
        return ocs != null
                && Labels.label(node, ocs.podLabel()).filter(pods::contains).isPresent();
    }

    private static Set<String> pods(@Nullable Ocs ocs) {
        return ocs == null ? Set.of() : ocs.pods().stream().map(FabricPod::name).collect(Collectors.toSet());
    }
}
