package dev.lightpath.app.cluster;

import dev.lightpath.crds.fabric.OpticalFabric;
import dev.lightpath.crds.opticalswitch.OpticalSwitch;
import dev.lightpath.planner.world.OcsIntent;
import dev.lightpath.planner.world.RingIntent;
import dev.lightpath.reading.OcsIntentReader;
import dev.lightpath.reading.RingIntentReader;
import dev.lightpath.reading.node.RingNodes;
import io.fabric8.kubernetes.api.model.Node;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What fabrics are by their descriptions. They are read again when a fabric, a switch or a node is another than
 * before, or when other nodes are busy; of nodes only those that changed. Guarded by its owner.
 */
final class DescribedFabrics {
    private static final Logger LOG = LoggerFactory.getLogger(DescribedFabrics.class);

    /**
     * Fabrics as read of that description, while these nodes were busy.
     *
     * @param impossible by name, what is wrong with those that cannot be read
     */
    record Read(
            long description,
            Map<String, Set<String>> busy,
            SortedMap<String, RingIntent> rings,
            SortedMap<String, OcsIntent> ocsFabrics,
            SortedMap<String, String> impossible) {}

    /** The objects of a description. */
    record Objects(List<OpticalFabric> fabrics, List<OpticalSwitch> switches, List<Node> nodes) {}

    private final RingIntentReader rings;
    private final OcsIntentReader ocs;
    /** What was read of nodes, by fabric. */
    private final Map<String, RingNodes> ringNodes = new HashMap<>();

    private Optional<Read> last = Optional.empty();

    DescribedFabrics(RingIntentReader rings, OcsIntentReader ocs) {
        this.rings = rings;
        this.ocs = ocs;
    }

    /** What was read last, if it was of that description and the same nodes were busy. */
    Optional<Read> known(long description, Map<String, Set<String>> busy) {
        return last.filter(of -> of.description() == description && of.busy().equals(busy));
    }

    /** Nodes that are others than they were, by name; empty: gone. */
    void changed(Map<String, Optional<Node>> nodes) {
        ringNodes.values().forEach(remembered -> remembered.changed(nodes));
    }

    /** All is read anew. */
    void forget() {
        ringNodes.clear();
    }

    /**
     * Linear in fabrics and nodes.
     *
     * @param refused fabrics that an older one leaves no nodes or drivers, and why
     */
    Read read(long description, Map<String, Set<String>> busy, Objects objects, Map<String, String> refused) {
        SortedMap<String, RingIntent> ofRings = new TreeMap<>();
        SortedMap<String, OcsIntent> ofSwitches = new TreeMap<>();
        SortedMap<String, String> problems = new TreeMap<>();
        for (OpticalFabric fabric : objects.fabrics()) {
            String name = fabric.getMetadata().getName();
            try {
                if (refused.containsKey(name)) {
                    throw new IllegalArgumentException(refused.getOrDefault(name, ""));
                }
                RingNodes remembered = ringNodes.computeIfAbsent(name, of -> new RingNodes());
                rings.read(fabric, objects.nodes(), busy, remembered).ifPresent(intent -> ofRings.put(name, intent));
                ocs.read(fabric, objects.switches(), objects.nodes(), busy)
                        .ifPresent(intent -> ofSwitches.put(name, intent));
            } catch (IllegalArgumentException e) {
                String problem = String.valueOf(e.getMessage());
                problems.put(name, problem);
                warn(name, problem);
            }
        }
        ringNodes.keySet().retainAll(ofRings.keySet());
        Read read = new Read(description, busy, ofRings, ofSwitches, problems);
        last = Optional.of(read);
        return read;
    }

    private void warn(String fabric, String problem) {
        boolean said =
                last.filter(of -> problem.equals(of.impossible().get(fabric))).isPresent();
        if (!said) {
            LOG.atWarn()
                    .addKeyValue("fabric", fabric)
                    .addKeyValue("problem", problem)
                    .log("impossible fabric; left alone");
        }
    }
}
