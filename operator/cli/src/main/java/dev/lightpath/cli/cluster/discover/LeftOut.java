package dev.lightpath.cli.cluster.discover;

import dev.lightpath.crds.opticalswitch.Discovery;
import dev.lightpath.crds.opticalswitch.PortWiring;
import dev.lightpath.planner.discovery.FibreEnd;
import dev.lightpath.planner.discovery.Found;
import dev.lightpath.planner.light.FarEnd;
import dev.lightpath.reading.DiscoveryCodec;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A port that the manifest of a switch does not name.
 *
 * @param why in a few words
 */
record LeftOut(FibreEnd end, String why) {
    /**
     * In the order of the ports. Linear in ports.
     *
     * @param wired what the manifest names
     * @param pods of the fabric
     */
    static List<LeftOut> of(Discovery told, List<PortWiring> wired, Set<String> pods) {
        Set<FibreEnd> named = new HashSet<>();
        for (PortWiring port : wired) {
            named.add(FibreEnd.both(port.ingress()));
            named.add(FibreEnd.ingress(port.ingress()));
            named.add(FibreEnd.egress(Objects.requireNonNullElse(port.egress(), port.ingress())));
        }
        List<LeftOut> all = new ArrayList<>();
        DiscoveryCodec.read(told).found().forEach((end, there) -> {
            if (!named.contains(end)) {
                all.add(new LeftOut(end, why(there, pods)));
            }
        });
        return all;
    }

    private static String why(Found there, Set<String> pods) {
        String to = there.farEnds().stream().map(FarEnd::toString).collect(Collectors.joining(" or "));
        return switch (there.evidence()) {
            case DARK -> "dark";
            case UNHEARD -> "not heard";
            case AMBIGUOUS -> "leads to " + to;
            case HEARD, IN_USE ->
                pods.contains(there.farEnds().getFirst().device())
                        ? "leads to " + to + ", whose other fibre was not found"
                        : "leads to " + to + ", which is no pod of the fabric";
        };
    }

    /** As a line of YAML that says nothing to a program. */
    String comment() {
        return "# left out: " + this;
    }

    @Override
    public String toString() {
        return end + " (" + why + ")";
    }
}
