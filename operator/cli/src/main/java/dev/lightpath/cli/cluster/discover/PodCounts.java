package dev.lightpath.cli.cluster.discover;

import dev.lightpath.crds.opticalswitch.PortWiring;
import dev.lightpath.planner.world.OcsIntent;
import dev.lightpath.planner.world.OcsPod;
import java.util.ArrayList;
import java.util.List;

/** The number of ports of each pod as found, against {@code spec.ocs.pods} of the fabric. */
final class PodCounts {
    private PodCounts() {}

    /**
     * One line for each pod whose number differs.
     *
     * @param manifests of all switches of the fabric
     */
    static List<String> differences(OcsIntent intent, List<FoundManifest> manifests) {
        List<String> lines = new ArrayList<>();
        for (OcsPod pod : intent.pods()) {
            long found = manifests.stream()
                    .flatMap(each -> each.manifest().getSpec().wiring().ports().stream())
                    .map(PortWiring::pod)
                    .filter(pod.name()::equals)
                    .count();
            if (pod.ports() != found) {
                lines.add("fabric/" + intent.name() + " spec.ocs.pods: pod " + pod.name() + " has ports: " + pod.ports()
                        + ", and the manifests name " + found);
            }
        }
        return lines;
    }
}
