package dev.lightpath.app.lead;

import dev.lightpath.app.driver.endpoint.DriverEndpoint;
import dev.lightpath.app.driver.endpoint.TlsMaterial;
import dev.lightpath.crds.DriverTls;
import dev.lightpath.crds.fabric.FabricDriver;
import dev.lightpath.crds.fabric.OcsTrx;
import dev.lightpath.crds.fabric.OpticalFabric;
import dev.lightpath.crds.opticalswitch.OpticalSwitch;
import dev.lightpath.crds.opticalswitch.SwitchDriver;
import dev.lightpath.crds.slice.FabricSlice;
import dev.lightpath.reading.RingIntentReader;
import dev.lightpath.reading.label.Labels;
import dev.lightpath.reading.node.AgentTemplate;
import dev.lightpath.reading.node.PositionLabels;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The driver servers that fabrics name, with the TLS material of the operator's own namespace. Where a fabric names the
 * agents of its nodes, these are those of its nodes, and of nodes that its records name or that were its own since this
 * process looks, and still are in the cluster: light may be left there.
 */
public final class DriverEndpoints {
    private final KubernetesClient client;
    private final String namespace;
    private final RingIntentReader roles;
    /** Names of nodes that were those of a fabric, by fabric. */
    private final Map<String, SortedSet<String>> nodesOf = new HashMap<>();

    /** @param namespace the operator's own: secrets are read from nowhere else */
    public DriverEndpoints(KubernetesClient client, String namespace, RingIntentReader roles) {
        this.client = client;
        this.namespace = namespace;
        this.roles = roles;
    }

    /** Under which light of the fabric is held at its drivers. */
    String role(OpticalFabric fabric) {
        return roles.role(fabric);
    }

    /**
     * A secret that is missing, or that the operator's Role does not name, gives material that no connection can use,
     * never plaintext: the fabric then says what is wrong with it.
     */
    public List<DriverEndpoint> of(
            Collection<OpticalFabric> fabrics,
            Collection<OpticalSwitch> switches,
            Collection<Node> nodes,
            Collection<FabricSlice> slices) {
        List<DriverEndpoint> endpoints = new ArrayList<>();
        for (OpticalFabric fabric : fabrics) {
            OcsTrx ring = fabric.getSpec().ocsTrx();
            if (ring == null) {
                continue;
            }
            FabricDriver driver = ring.driver();
            Optional<TlsMaterial> tls = Optional.ofNullable(driver.tls()).map(this::material);
            String role = roles.role(fabric);
            AgentTemplate.of(driver.endpoint())
                    .ifPresentOrElse(
                            template -> agents(fabric, ring, nodes, slices)
                                    .forEach(node -> template.address(node)
                                            .ifPresent(address -> endpoints.add(DriverEndpoint.agent(
                                                    driver.endpoint(),
                                                    node.getMetadata().getName(),
                                                    address,
                                                    role,
                                                    tls)))),
                            () -> endpoints.add(endpoint(driver.endpoint(), role, tls)));
        }
        nodesOf.keySet()
                .retainAll(fabrics.stream()
                        .map(fabric -> fabric.getMetadata().getName())
                        .toList());
        Map<DriverTls, TlsMaterial> read = new HashMap<>();
        SortedSet<DriverEndpoint> ofSwitches = new TreeSet<>();
        for (OpticalSwitch of : switches) {
            fabrics.stream()
                    .filter(fabric -> fabric.getSpec().ocs() != null
                            && fabric.getMetadata()
                                    .getName()
                                    .equals(of.getSpec().fabric()))
                    .findFirst()
                    .ifPresent(fabric -> {
                        SwitchDriver driver = of.getSpec().driver();
                        DriverTls tls = driver.tls();
                        ofSwitches.add(endpoint(
                                driver.endpoint(),
                                roles.role(fabric),
                                Optional.ofNullable(tls).map(ours -> read.computeIfAbsent(ours, this::material))));
                    });
        }
        endpoints.addAll(ofSwitches);
        return List.copyOf(endpoints);
    }

    /** Those of a fabric, in order of names. O(nodes + members of records). */
    private List<Node> agents(
            OpticalFabric fabric, OcsTrx ring, Collection<Node> nodes, Collection<FabricSlice> slices) {
        String name = fabric.getMetadata().getName();
        SortedSet<String> known = nodesOf.computeIfAbsent(name, unseen -> new TreeSet<>());
        // whoever leads may have recorded them in a moment at which this process did not look
        known.addAll(recorded(name, slices));
        SortedMap<String, Node> now = new TreeMap<>();
        nodes.forEach(node -> {
            boolean selected = Labels.selected(node, ring.nodeSelector())
                    && PositionLabels.position(node, ring).isPresent();
            if (selected || known.contains(node.getMetadata().getName())) {
                now.put(node.getMetadata().getName(), node);
            }
        });
        known.clear();
        known.addAll(now.keySet());
        return List.copyOf(now.values());
    }

    /** Nodes that records of a fabric name. */
    private static SortedSet<String> recorded(String fabric, Collection<FabricSlice> slices) {
        SortedSet<String> named = new TreeSet<>();
        slices.stream()
                .filter(slice -> fabric.equals(slice.getSpec().fabric()) && slice.getStatus() != null)
                .map(slice -> slice.getStatus().allocation())
                .filter(Objects::nonNull)
                .forEach(allocation -> {
                    allocation.groups().forEach(group -> named.addAll(group.nodes()));
                    if (allocation.releasing() != null) {
                        named.addAll(allocation.releasing().nodes());
                    }
                });
        return named;
    }

    private static DriverEndpoint endpoint(String address, String role, Optional<TlsMaterial> tls) {
        return tls.map(ours -> DriverEndpoint.secured(address, role, ours))
                .orElseGet(() -> DriverEndpoint.plaintext(address, role));
    }

    private TlsMaterial material(DriverTls tls) {
        return material(tls.secretName()).named(Optional.ofNullable(tls.serverName()));
    }

    private TlsMaterial material(String name) {
        String source = "Secret " + namespace + "/" + name;
        Secret secret;
        try {
            secret = client.secrets().inNamespace(namespace).withName(name).get();
        } catch (KubernetesClientException e) {
            if (e.getCode() != HttpURLConnection.HTTP_FORBIDDEN) {
                throw e;
            }
            return TlsMaterial.withheld(source);
        }
        if (secret == null) {
            return TlsMaterial.missing(source);
        }
        Map<String, String> data = secret.getData() == null ? Map.of() : secret.getData();
        return new TlsMaterial(source, text(data, "ca.crt"), text(data, "tls.crt"), text(data, "tls.key"));
    }

    private static String text(Map<String, String> data, String key) {
        return new String(Base64.getMimeDecoder().decode(data.getOrDefault(key, "")), StandardCharsets.UTF_8);
    }
}
