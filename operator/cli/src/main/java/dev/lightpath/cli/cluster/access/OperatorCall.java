package dev.lightpath.cli.cluster.access;

import dev.lightpath.console.text.BadInput;
import dev.lightpath.crds.LightpathNames;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ContainerPort;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.LocalPortForward;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * A request to the leading operator, with the user's token.
 *
 * @param namespace where it runs
 */
public record OperatorCall(Cluster cluster, String namespace) {
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final String PORT_FORWARD =
            "name its address with --operator URL (kubectl port-forward makes one: -n lightpath-system"
                    + " deployment/lightpath-operator 8080)";

    /**
     * Its view of the last pass, as far as the caller may see it.
     *
     * @param url its address, if the user named one
     * @throws BadInput when it cannot be found, does not answer or refuses
     */
    OperatorView view(Optional<String> url) {
        if (url.isPresent()) {
            return ask(address(url.get()));
        }
        try {
            Optional<Pod> pod = leader();
            if (pod.isPresent()) {
                return forwarded(pod.get());
            }
            return ask(published()
                    .map(URI::create)
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

    /** The pod that holds the Lease. */
    private Optional<Pod> leader() {
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
                .findFirst();
    }

    private static int port(Pod pod) {
        return pod.getSpec().getContainers().stream()
                .flatMap(container -> container.getPorts().stream())
                .filter(port -> "http".equals(port.getName()))
                .map(ContainerPort::getContainerPort)
                .findFirst()
                .orElse(8080);
    }

    private Optional<String> published() {
        ConfigMap epoch = cluster.epoch(namespace);
        return epoch == null || epoch.getData() == null
                ? Optional.empty()
                : Optional.ofNullable(epoch.getData().get(LightpathNames.VIEW_KEY));
    }

    /** Ends on the pod's own loopback: the token is in the clear nowhere on the way. */
    private OperatorView forwarded(Pod pod) {
        String name = pod.getMetadata().getName();
        try (LocalPortForward forward = cluster.client()
                .pods()
                .inNamespace(namespace)
                .withName(name)
                .portForward(port(pod), InetAddress.getLoopbackAddress(), 0)) {
            try {
                return ask(URI.create("http://127.0.0.1:" + forward.getLocalPort() + "/view"));
            } catch (BadInput e) {
                Throwable why = forward.getServerThrowables().stream()
                        .findFirst()
                        .or(() -> forward.getClientThrowables().stream().findFirst())
                        .orElse(null);
                if (why == null) {
                    throw e;
                }
                throw new BadInput(
                        "the operator's pod " + name + " cannot be reached by a port forward, which needs create"
                                + " pods/portforward in namespace " + namespace + ": "
                                + Connection.firstLine(why.getMessage()) + "; " + PORT_FORWARD,
                        e);
            }
        } catch (IOException e) {
            throw new BadInput("the port forward to the operator's pod " + name + " failed: " + e.getMessage(), e);
        }
    }

    private OperatorView ask(URI address) {
        if (!address.getScheme().equals("https") && !isLoopback(address.getHost())) {
            throw new BadInput("the operator at " + address
                    + " is not asked: a token goes by https or to this machine only; " + PORT_FORWARD);
        }
        String token = new OwnToken(cluster.client(), namespace).get();
        // without TLS it would ask for HTTP/2 first, and a large answer sometimes breaks in that change
        try (HttpClient http = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(PATIENCE)
                .build()) {
            HttpResponse<String> answer = http.send(
                    HttpRequest.newBuilder(address)
                            .timeout(PATIENCE)
                            .header("Authorization", "Bearer " + token)
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
            if (answer.statusCode() != HttpURLConnection.HTTP_OK) {
                throw new BadInput("the operator at " + address + " answered " + answer.statusCode() + ": "
                        + Connection.firstLine(answer.body()));
            }
            return OperatorView.parse("the operator at " + address, answer.body());
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

    /** By its spelling: what a name leads to may change between two looks. */
    public static boolean isLoopback(String host) {
        return host.equals("localhost") || host.equals("[::1]") || host.matches("127(\\.[0-9]{1,3}){3}");
    }

    /** The view beside any page of the operator: people copy the address of its metrics. */
    public static URI address(String url) {
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
}
