package dev.lightpath.console.forecast;

import dev.lightpath.console.text.BadInput;
import dev.lightpath.crds.fabric.OcsTrx;
import dev.lightpath.crds.fabric.OpticalFabric;
import dev.lightpath.crds.opticalswitch.OpticalSwitch;
import dev.lightpath.planner.fault.Subject;
import dev.lightpath.planner.world.LedgerEntry;
import dev.lightpath.planner.world.OcsIntent;
import dev.lightpath.planner.world.RingIntent;
import dev.lightpath.planner.world.SliceId;
import dev.lightpath.planner.world.SliceIntent;
import dev.lightpath.reading.OcsIntentReader;
import dev.lightpath.reading.RingIntentReader;
import dev.lightpath.reading.pod.PodAttribution;
import io.fabric8.kubernetes.api.model.Node;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * A ring as the operator's planner would see it now, read from the API server.
 *
 * @param slices wishes with the pods that use their light
 * @param idle the same as they would be without any pod
 * @param faulty what the operator counts as faulty now
 */
public record Situation(
        RingIntent ring,
        SortedMap<SliceId, SliceIntent> slices,
        SortedMap<SliceId, SliceIntent> idle,
        SortedMap<SliceId, LedgerEntry> ledger,
        List<Subject> faulty) {

    /**
     * Linear in the nodes.
     *
     * @param standing what is wished of the fabric and recorded
     * @param lit nodes with light that nobody planned: nothing is placed on them
     * @throws BadInput when the fabric is none of transceivers, or what is written contradicts itself
     */
    static Situation of(
            OpticalFabric fabric, Collection<Node> nodes, Standing standing, PodAttribution pods, Set<String> lit) {
        return new Situation(
                ring(fabric, nodes, busy(pods, fabric, lit)),
                standing.slices(),
                standing.idle(),
                standing.ledger(),
                faulty(fabric));
    }

    /**
     * Nodes that are closed to plans, by resource: those of other pods, and on a ring those with light that nobody
     * planned.
     */
    static Map<String, Set<String>> busy(PodAttribution pods, OpticalFabric fabric, Set<String> lit) {
        @Nullable OcsTrx ring = fabric.getSpec().ocsTrx();
        if (ring == null || lit.isEmpty()) {
            return pods.busy();
        }
        Map<String, Set<String>> busy = new HashMap<>(pods.busy());
        busy.merge(ring.gpuResource(), lit, Situation::both);
        return busy;
    }

    private static Set<String> both(Set<String> some, Set<String> others) {
        Set<String> all = new HashSet<>(some);
        all.addAll(others);
        return all;
    }

    /**
     * A fabric of optical switches as the operator's planner would see it now.
     *
     * @throws BadInput when it is none, or what is written contradicts itself
     */
    public static OcsIntent spine(
            OpticalFabric spine,
            Collection<OpticalSwitch> switches,
            Collection<Node> nodes,
            Map<String, Set<String>> busy) {
        try {
            return new OcsIntentReader("")
                    .read(spine, switches, nodes, busy)
                    .orElseThrow(() -> new IllegalArgumentException("it has no optical switches (ocs)"));
        } catch (IllegalArgumentException e) {
            throw new BadInput("fabric " + spine.getMetadata().getName() + ": " + e.getMessage(), e);
        }
    }

    public static RingIntent ring(OpticalFabric fabric, Collection<Node> nodes, Map<String, Set<String>> busy) {
        String name = fabric.getMetadata().getName();
        try {
            return new RingIntentReader("")
                    .read(fabric, nodes, busy)
                    .orElseThrow(() -> new BadInput("fabric " + name
                            + " has optical circuit switches (ocs); places are previewed on rings (ocsTrx) only"));
        } catch (IllegalArgumentException e) {
            throw new BadInput("fabric " + name + ": " + e.getMessage(), e);
        }
    }

    public static List<Subject> faulty(OpticalFabric fabric) {
        if (fabric.getStatus() == null) {
            return List.of();
        }
        return fabric.getStatus().faults().stream()
                .flatMap(fault -> subject(fault.subject()).stream())
                .toList();
    }

    /** The subject that a status names. */
    static Optional<Subject> subject(String label) {
        String[] parts = label.split("/", 3);
        return switch (parts[0] + parts.length) {
            case "node2" -> Optional.of(new Subject.OfNode(parts[1]));
            case "device2" -> Optional.of(new Subject.OfDevice(parts[1]));
            case "port3" -> Optional.of(new Subject.OfPort(parts[1], parts[2]));
            default -> Optional.empty();
        };
    }
}
