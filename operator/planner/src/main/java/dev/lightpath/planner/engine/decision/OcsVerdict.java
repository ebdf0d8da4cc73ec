package dev.lightpath.planner.engine.decision;

import dev.lightpath.planner.discovery.FabricDiscovery;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * How a fabric of switches stands after a pass, beside what every fabric has.
 *
 * @param topologyObstacle why the static topology is not whole; empty when it is, or when the fabric has none
 * @param switches by name
 * @param discovery where fibres lead, for the next pass and for people
 */
public record OcsVerdict(
        Optional<SliceVerdict.Obstacle> topologyObstacle,
        SortedMap<String, OfSwitch> switches,
        FabricDiscovery discovery) {
    public OcsVerdict {
        switches = Collections.unmodifiableSortedMap(new TreeMap<>(switches));
    }

    /**
     * One switch.
     *
     * @param planned circuits that slices hold on it
     * @param lit of these, read back
     * @param observed circuits read back in all
     * @param foreign of these, those that no record and no plan explains
     * @param digest of what was read back, empty when nothing was
     * @param ports wired and reserved ones
     * @param failedPorts of these, counting as failed
     * @param degradedPorts of the others, those whose light gets worse
     * @param flaws of its wiring, as the fabric tells them
     */
    public record OfSwitch(
            int planned,
            int lit,
            int observed,
            int foreign,
            String digest,
            int ports,
            int failedPorts,
            int degradedPorts,
            List<String> flaws) {
        public OfSwitch {
            flaws = List.copyOf(flaws);
        }
    }
}
