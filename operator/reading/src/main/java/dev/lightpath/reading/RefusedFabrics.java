package dev.lightpath.reading;

import dev.lightpath.crds.fabric.OpticalFabric;
import dev.lightpath.crds.opticalswitch.OpticalSwitch;
import io.fabric8.kubernetes.api.model.Node;
import java.util.Collection;
import java.util.SortedMap;
import java.util.TreeMap;

/** Fabrics that claim what an older fabric has: nothing is read or written for them. */
public final class RefusedFabrics {
    private RefusedFabrics() {}

    /**
     * The reason for each refused fabric, by its name. O(fabrics * nodes).
     *
     * @param fabrics all that there are: they are judged together
     */
    public static SortedMap<String, String> of(
            Collection<OpticalFabric> fabrics, Collection<OpticalSwitch> switches, Collection<Node> nodes) {
        SortedMap<String, String> refused = new TreeMap<>(SharedDrivers.refused(fabrics, switches));
        refused.putAll(SharedNodes.refused(fabrics, nodes));
        return refused;
    }
}
