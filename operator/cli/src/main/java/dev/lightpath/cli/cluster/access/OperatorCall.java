package dev.lightpath.cli.cluster.access;

import dev.lightpath.console.text.BadInput;
import dev.lightpath.crds.LightpathNames;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * A request to the leading operator, with the user's token.
 *
 * @param namespace where it runs
 */
public record OperatorCall(Cluster cluster, String namespace) {
    private static final int USUAL_PORT = 8080;
    private static final String PORT_FORWARD =
            "name its address with --operator URL (kubectl port-forward makes one: -n lightpath-system"
                    + " deployment/lightpath-operator 8080)";

    /**
     * Asks with the user's rights.
     *
     * @param url its address, if the user named one
     * @throws BadInput when it cannot be found, does not answer or refuses
     */
    OperatorAnswer ask(Optional<String> url, HttpQuestion question) {
        if (url.isPresent()) {
            return ask(address(url.get(), question.path()), question);
        }
        try {
            Optional<Pod> pod = leader();
            if (pod.isPresent()) {
                return forwarded(pod.get(), question);
            }
            String known = published()
                    .orElseThrow(() ->
                            new BadInput("no operator has ever led in namespace " + namespace + "; " + PORT_FORWARD));
            return ask(URI.create(known).resolve(question.path()), question);
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
    public Optional<Pod> leader() {
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

    private Optional<String> published() {
        ConfigMap epoch = cluster.epoch(namespace);
        return epoch == null || epoch.getData() == null
                ? Optional.empty()
                : Optional.ofNullable(epoch.getData().get(LightpathNames.VIEW_KEY));
    }

    private OperatorAnswer forwarded(Pod pod, HttpQuestion question) {
        try {
            return new OperatorAnswer("the operator's pod " + pod.getMetadata().getName(), read(pod, question));
        } catch (BadInput e) {
            throw e.getCause() instanceof IOException ? new BadInput(e.getMessage() + "; " + PORT_FORWARD, e) : e;
        }
    }

    /**
     * A page of one replica, with the user's token.
     *
     * @throws BadInput when it cannot be reached or refuses
     */
    public String read(Pod pod, HttpQuestion question) {
        String token = new OwnToken(cluster.client(), namespace).get();
        return new PodHttp(cluster.client(), pod, "the operator", USUAL_PORT).read(question, Optional.of(token));
    }

    private OperatorAnswer ask(URI address, HttpQuestion question) {
        if (!address.getScheme().equals("https") && !isLoopback(address.getHost())) {
            throw new BadInput("the operator at " + address
                    + " is not asked: a token goes by https or to this machine only; " + PORT_FORWARD);
        }
        String token = new OwnToken(cluster.client(), namespace).get();
        String who = "the operator at " + address;
        try {
            return new OperatorAnswer(
                    who, new Page(who, address, Optional.empty(), Optional.of(token), question.body()).read());
        } catch (IOException e) {
            throw new BadInput(
                    who + " does not answer ("
                            + Objects.requireNonNullElse(
                                    e.getMessage(), e.getClass().getSimpleName())
                            + "); " + PORT_FORWARD,
                    e);
        }
    }

    /** By its spelling: what a name leads to may change between two looks. */
    public static boolean isLoopback(String host) {
        return host.equals("localhost") || host.equals("[::1]") || host.matches("127(\\.[0-9]{1,3}){3}");
    }

    /** A path beside any page of the operator: people copy the address of its metrics. */
    public static URI address(String url, String path) {
        try {
            URI given = URI.create(url);
            if (given.getHost() == null || !List.of("http", "https").contains(given.getScheme())) {
                throw new IllegalArgumentException("no host");
            }
            return given.resolve(path);
        } catch (IllegalArgumentException e) {
            throw new BadInput("--operator '" + url + "': allowed is http://HOST:PORT", e);
        }
    }
}
