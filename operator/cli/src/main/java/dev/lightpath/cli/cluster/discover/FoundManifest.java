package dev.lightpath.cli.cluster.discover;

import dev.lightpath.crds.opticalswitch.Discovery;
import dev.lightpath.crds.opticalswitch.OpticalSwitch;
import dev.lightpath.crds.opticalswitch.OpticalSwitchSpec;
import dev.lightpath.crds.opticalswitch.PortWiring;
import dev.lightpath.crds.opticalswitch.Wiring;
import dev.lightpath.planner.ocs.FoundWiring;
import dev.lightpath.planner.world.OcsIntent;
import dev.lightpath.planner.world.OcsPod;
import dev.lightpath.reading.DiscoveryCodec;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * An OpticalSwitch as it was, with its wiring as it was found.
 *
 * @param leftOut ports that it does not name
 */
record FoundManifest(OpticalSwitch manifest, List<LeftOut> leftOut) {
    /** Empty while the search goes on or has not begun, and where no port leads to a pod. */
    static Optional<FoundManifest> of(OpticalSwitch of, OcsIntent intent) {
        Discovery told = of.getStatus() == null ? null : of.getStatus().discovery();
        if (told == null || !told.ended() || !SwitchFibres.answers(told, of)) {
            return Optional.empty();
        }
        String name = of.getMetadata().getName();
        Set<String> pods = intent.pods().stream().map(OcsPod::name).collect(Collectors.toSet());
        List<PortWiring> ports = FoundWiring.wires(
                        Objects.requireNonNull(intent.switches().get(name)),
                        pods,
                        DiscoveryCodec.read(told).found())
                .stream()
                .map(wire -> new PortWiring(
                        wire.ingress(),
                        wire.egress().equals(wire.ingress()) ? null : wire.egress(),
                        wire.pod(),
                        wire.index()))
                .toList();
        if (ports.isEmpty()) {
            return Optional.empty();
        }
        OpticalSwitchSpec spec = of.getSpec();
        OpticalSwitch manifest = new OpticalSwitch();
        manifest.setMetadata(new ObjectMetaBuilder()
                .withName(name)
                .withLabels(of.getMetadata().getLabels())
                .build());
        manifest.setSpec(new OpticalSwitchSpec(
                spec.fabric(),
                spec.driver(),
                spec.domains(),
                new Wiring(null, ports, null),
                spec.reservedPorts(),
                spec.plane(),
                spec.drained()));
        return Optional.of(new FoundManifest(manifest, LeftOut.of(told, ports, pods)));
    }

    String name() {
        return manifest.getMetadata().getName();
    }

    /** Names each port that was found and is left out in a comment. */
    String yaml(KubernetesSerialization by) {
        String comments = leftOut.stream().map(each -> each.comment() + "\n").collect(Collectors.joining());
        String yaml = by.asYaml(manifest);
        int begun = yaml.startsWith("---\n") ? 4 : 0;
        return yaml.substring(0, begun) + comments + yaml.substring(begun);
    }

    /** What a person is told of it. */
    String omission() {
        return leftOut.isEmpty()
                ? ""
                : "; left out: " + leftOut.size() + " ports, such as " + leftOut.getFirst()
                        + ": the comments in it name each";
    }
}
