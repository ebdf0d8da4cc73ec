package dev.lightpath.cli.cluster;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.lightpath.cli.BadInput;
import dev.lightpath.crds.LightpathNames;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ContainerPort;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What the leading operator saw in its last pass, as it tells at {@code GET /view}: the light that was read back is
 * nowhere else, because in steady state the operator writes nothing.
 *
 * @param at the moment of the pass, RFC 3339
 */
@JsonIgnoreProperties(ignoreUnknown = true)
record OperatorView(String at, long epoch, List<FabricView> fabrics, List<SliceView> slices) {
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final String PORT_FORWARD =
            "name its address with --operator URL (kubectl port-forward makes one: -n lightpath-system"
                    + " deployment/lightpath-operator 8080)";

    OperatorView {
        fabrics = fabrics == null ? List.of() : List.copyOf(fabrics);
        slices = slices == null ? List.of() : List.copyOf(slices);
    }

    @JsonIgnoreProperties(ignoreUnknown = true)
    record FabricView(
            String name, DriverView driver, Figures circuits, List<String> foreign, List<DeviceView> devices) {}

    @JsonIgnoreProperties(ignoreUnknown = true)
    record DriverView(
            String endpoint, boolean connected, @Nullable String problem) {}

    @JsonIgnoreProperties(ignoreUnknown = true)
    record Figures(int planned, int lit, int foreign, int missing) {}

    /** @param presence present, silent, foreign, or unknown */
    @JsonIgnoreProperties(ignoreUnknown = true)
    record DeviceView(
            String device,
            @Nullable Integer position,
            String presence,
            List<String> wanted,
            List<String> observed,
            List<String> missing,
            List<String> surplus) {

        boolean asMeant() {
            return "present".equals(presence) && missing.isEmpty() && surplus.isEmpty();
        }
    }

    @JsonIgnoreProperties(ignoreUnknown = true)
    record SliceView(
            String namespace,
            String name,
            String fabric,
            @Nullable Long revision) {}

    /**
     * Asks the operator.
     *
     * @param namespace where it runs
     * @param url its address, if the user named one
     * @throws BadInput when it cannot be found or does not answer
     */
    static OperatorView fetch(Cluster cluster, String namespace, Optional<String> url) {
        if (url.isPresent()) {
            return direct(url.get());
        }
        try {
            Optional<String> pod = leader(cluster, namespace);
            if (pod.isPresent()) {
                return proxied(cluster, namespace, pod.get());
            }
            return direct(published(cluster, namespace)
                    .orElseThrow(() ->
                            new BadInput("no operator has ever led in namespace " + namespace + "; " + PORT_FORWARD)));
        } catch (KubernetesClientException e) {
            if (e.getCode() == HttpURLConnection.HTTP_FORBIDDEN) {
                throw new BadInput(
                        "the operator cannot be looked up: "
                                + Connection.explain(e, "").getMessage() + "; " + PORT_FORWARD,
                        e);
            }
            throw e;
        }
    }

    /** The pod that holds the Lease, with its port. */
    private static Optional<String> leader(Cluster cluster, String namespace) {
        Lease lease = cluster.client()
                .leases()
                .inNamespace(namespace)
                .withName(LightpathNames.LEASE)
                .get();
        String holder = lease == null ? null : lease.getSpec().getHolderIdentity();
        if (holder == null || holder.isEmpty()) {
            return Optional.empty();
        }
        return cluster.client().pods().inNamespace(namespace).list().getItems().stream()
                .filter(pod -> holder.startsWith(pod.getMetadata().getName() + "-"))
                .findFirst()
                .map(pod -> pod.getMetadata().getName() + ":" + port(pod));
    }

    private static int port(Pod pod) {
        return pod.getSpec().getContainers().stream()
                .flatMap(container -> container.getPorts().stream())
                .filter(port -> "http".equals(port.getName()))
                .map(ContainerPort::getContainerPort)
                .findFirst()
                .orElse(8080);
    }

    private static Optional<String> published(Cluster cluster, String namespace) {
        ConfigMap epoch = cluster.client()
                .configMaps()
                .inNamespace(namespace)
                .withName(LightpathNames.EPOCH_CONFIG_MAP)
                .get();
        return epoch == null || epoch.getData() == null
                ? Optional.empty()
                : Optional.ofNullable(epoch.getData().get(LightpathNames.VIEW_KEY));
    }

    private static OperatorView proxied(Cluster cluster, String namespace, String pod) {
        String path = "/api/v1/namespaces/" + namespace + "/pods/" + pod + "/proxy/view";
        try {
            String body = cluster.client().raw(path);
            if (body == null) {
                throw new BadInput("the operator's pod " + pod + " has no /view; " + PORT_FORWARD);
            }
            return parse("the operator's pod " + pod, body);
        } catch (KubernetesClientException e) {
            if (e.getCode() == HttpURLConnection.HTTP_FORBIDDEN) {
                throw e;
            }
            throw new BadInput(
                    "the operator's pod " + pod + " cannot be reached through the API server: "
                            + Connection.firstLine(e.getMessage()) + "; " + PORT_FORWARD,
                    e);
        }
    }

    private static OperatorView direct(String url) {
        URI address = address(url);
        try (HttpClient http = HttpClient.newBuilder().connectTimeout(PATIENCE).build()) {
            HttpResponse<String> answer = http.send(
                    HttpRequest.newBuilder(address).timeout(PATIENCE).build(), HttpResponse.BodyHandlers.ofString());
            if (answer.statusCode() != 200) {
                throw new BadInput("the operator at " + address + " answered " + answer.statusCode() + ": "
                        + Connection.firstLine(answer.body()));
            }
            return parse("the operator at " + address, answer.body());
        } catch (IOException e) {
            throw new BadInput(
                    "the operator at " + address + " does not answer ("
                            + Objects.requireNonNullElse(
                                    e.getMessage(), e.getClass().getSimpleName())
                            + "); " + PORT_FORWARD,
                    e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new BadInput("interrupted while asking the operator at " + address, e);
        }
    }

    /** The view beside any page of the operator: people copy the address of its metrics. */
    static URI address(String url) {
        try {
            URI given = URI.create(url);
            if (given.getHost() == null || !List.of("http", "https").contains(given.getScheme())) {
                throw new IllegalArgumentException("no host");
            }
            return given.resolve("/view");
        } catch (IllegalArgumentException e) {
            throw new BadInput("--operator '" + url + "': allowed is http://HOST:PORT", e);
        }
    }

    static OperatorView parse(String who, String body) {
        try {
            return new ObjectMapper().readValue(body, OperatorView.class);
        } catch (JsonProcessingException e) {
            throw new BadInput(who + " answered something that is no view: " + e.getOriginalMessage(), e);
        }
    }
}
