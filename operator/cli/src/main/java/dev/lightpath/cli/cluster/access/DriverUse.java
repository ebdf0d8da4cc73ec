package dev.lightpath.cli.cluster.access;

import dev.lightpath.crds.DriverTls;
import dev.lightpath.crds.fabric.OcsTrx;
import dev.lightpath.crds.fabric.OpticalFabric;
import dev.lightpath.crds.opticalswitch.OpticalSwitch;
import dev.lightpath.reading.label.Labels;
import dev.lightpath.reading.node.AgentTemplate;
import dev.lightpath.reading.node.PositionLabels;
import io.fabric8.kubernetes.api.model.Node;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A driver as a fabric or switch names it.
 *
 * @param where the fabric or switch, as kind/name
 * @param endpoint host:port
 * @param secret name of the Secret with the client's certificate; empty without TLS
 * @param serverName name that the driver's certificate must have; empty: the host of the endpoint
 * @param agent whether it is the agent of one node among others
 */
public record DriverUse(
        String where, String endpoint, Optional<String> secret, Optional<String> serverName, boolean agent) {
    private static final Pattern SERVICE = Pattern.compile("([a-z0-9-]+)\\.([a-z0-9-]+)(?:\\.svc(?:\\..*)?)?");

    /** A Service by its namespace and name. */
    public record Service(String namespace, String name) {}

    /** A driver whose certificate has its host. */
    public DriverUse(String where, String endpoint, Optional<String> secret) {
        this(where, endpoint, secret, Optional.empty(), false);
    }

    /** Whether a fabric has a driver on each of its nodes. */
    public static boolean anyAgents(Collection<OpticalFabric> fabrics) {
        return fabrics.stream()
                .map(fabric -> fabric.getSpec().ocsTrx())
                .anyMatch(ring -> ring != null
                        && AgentTemplate.of(ring.driver().endpoint()).isPresent());
    }

    /**
     * @param nodes of the cluster, for fabrics that have a driver on each of their nodes
     * @param agentsAtMost so many of each fabric, by name of their nodes
     */
    public static List<DriverUse> all(
            Collection<OpticalFabric> fabrics,
            Collection<OpticalSwitch> switches,
            Collection<Node> nodes,
            int agentsAtMost) {
        List<DriverUse> uses = new ArrayList<>();
        for (OpticalFabric fabric : fabrics) {
            OcsTrx ring = fabric.getSpec().ocsTrx();
            if (ring == null) {
                continue;
            }
            String where = "opticalfabric/" + fabric.getMetadata().getName();
            boolean agents = AgentTemplate.of(ring.driver().endpoint()).isPresent();
            endpoints(ring, nodes, agentsAtMost)
                    .forEach(endpoint -> uses.add(new DriverUse(
                            where,
                            endpoint,
                            secret(ring.driver().tls()),
                            serverName(ring.driver().tls()),
                            agents)));
        }
        for (OpticalSwitch of : switches) {
            uses.add(new DriverUse(
                    "opticalswitch/" + of.getMetadata().getName(),
                    of.getSpec().driver().endpoint(),
                    secret(of.getSpec().driver().tls()),
                    serverName(of.getSpec().driver().tls()),
                    false));
        }
        return uses;
    }

    /**
     * Who speaks to drivers without TLS: fabrics and switches as kind/name, by endpoint as they write it. Agents of
     * nodes are one endpoint, also where no node is there yet.
     */
    public static SortedMap<String, List<String>> withoutTls(
            Collection<OpticalFabric> fabrics, Collection<OpticalSwitch> switches) {
        SortedMap<String, List<String>> users = new TreeMap<>();
        for (OpticalFabric fabric : fabrics) {
            OcsTrx ring = fabric.getSpec().ocsTrx();
            if (ring != null && ring.driver().tls() == null) {
                users.computeIfAbsent(ring.driver().endpoint(), unseen -> new ArrayList<>())
                        .add("opticalfabric/" + fabric.getMetadata().getName());
            }
        }
        for (OpticalSwitch of : switches) {
            if (of.getSpec().driver().tls() == null) {
                users.computeIfAbsent(of.getSpec().driver().endpoint(), unseen -> new ArrayList<>())
                        .add("opticalswitch/" + of.getMetadata().getName());
            }
        }
        return users;
    }

    private static List<String> endpoints(OcsTrx ring, Collection<Node> nodes, int agentsAtMost) {
        return AgentTemplate.of(ring.driver().endpoint())
                .map(template -> nodes.stream()
                        .filter(node -> Labels.selected(node, ring.nodeSelector())
                                && PositionLabels.position(node, ring).isPresent())
                        .sorted(Comparator.comparing(node -> node.getMetadata().getName()))
                        .flatMap(node -> template.address(node).stream())
                        .limit(agentsAtMost)
                        .toList())
                .orElseGet(() -> List.of(ring.driver().endpoint()));
    }

    public String host() {
        return endpoint.substring(0, endpoint.lastIndexOf(':'));
    }

    public int port() {
        return Integer.parseInt(endpoint.substring(endpoint.lastIndexOf(':') + 1));
    }

    /** The Service of the cluster that the host names; empty for one outside, and for a node. */
    public Optional<Service> service() {
        Matcher matcher = SERVICE.matcher(host());
        return !agent
                        && matcher.matches()
                        && !host().matches("[0-9.]+")
                        && (host().contains(".svc") || host().split("\\.").length == 2)
                ? Optional.of(new Service(matcher.group(2), matcher.group(1)))
                : Optional.empty();
    }

    private static Optional<String> serverName(@Nullable DriverTls tls) {
        return Optional.ofNullable(tls).map(DriverTls::serverName);
    }

    private static Optional<String> secret(@Nullable DriverTls tls) {
        return Optional.ofNullable(tls).map(DriverTls::secretName);
    }
}
