package dev.lightpath.cli.cluster.access;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.lightpath.reading.ApiJson;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which cluster: found as kubectl finds it. */
public final class ClusterOptions {
    @Option(
            names = "--kubeconfig",
            paramLabel = "FILE",
            description = "instead of $KUBECONFIG, ~/.kube/config or the service account of the pod")
    @Nullable
    private Path kubeconfig;

    @Option(names = "--context", paramLabel = "NAME", description = "of the kubeconfig, instead of its current one")
    @Nullable
    private String context;

    @Option(
            names = {"-n", "--namespace"},
            paramLabel = "NAME",
            description = "instead of the namespace of the context")
    @Nullable
    private String namespace;

    /** The namespace that the user named. */
    public Optional<String> chosenNamespace() {
        return Optional.ofNullable(namespace);
    }

    /** Objects as the API server takes them. */
    public static KubernetesSerialization serialization() {
        return new KubernetesSerialization(ApiJson.generous(new ObjectMapper()), true);
    }

    /**
     * Asks the cluster.
     *
     * @throws dev.lightpath.cli.BadInput when there is none, it does not answer, or it refuses
     */
    public <T> T with(Function<Cluster, T> question) {
        Config config = Connection.config(kubeconfig, context);
        try (KubernetesClient client = new KubernetesClientBuilder()
                .withConfig(config)
                .withKubernetesSerialization(serialization())
                .build()) {
            String home = namespace == null ? config.getNamespace() : namespace;
            return question.apply(new Cluster(client, home == null || home.isEmpty() ? "default" : home));
        } catch (KubernetesClientException e) {
            throw Connection.explain(e, config.getMasterUrl());
        }
    }
}
