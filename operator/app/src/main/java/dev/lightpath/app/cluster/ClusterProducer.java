package dev.lightpath.app.cluster;

import dev.lightpath.app.WholeObjects;
import dev.lightpath.reading.OcsIntentReader;
import dev.lightpath.reading.RingIntentReader;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.smallrye.common.annotation.Identifier;
import jakarta.enterprise.inject.Any;
import jakarta.enterprise.inject.Disposes;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.net.URI;
import java.time.Duration;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/**
 * The application's one set of watches. Made when first asked for; while the API server does not answer, that fails.
 */
@Singleton
final class ClusterProducer {
    private static final String OF_INFORMERS = "informers";

    /**
     * As the extension makes it, but that its watches go on from no old lists. Informers of the framework are its own:
     * jobs have no template here ({@link WatchedJson}).
     */
    @Produces
    @Singleton
    KubernetesClient client(
            KubernetesSerialization serialization,
            Config config,
            @ConfigProperty(name = "lightpath.watch.trusted-for", defaultValue = "PT5M") Duration trusted) {
        return watching(serialization, config, trusted);
    }

    /** Of the loop's informers, some of which watch what those of the framework watch: {@link ListAge}. */
    @Produces
    @Singleton
    @Identifier(OF_INFORMERS)
    KubernetesClient ofInformers(
            KubernetesSerialization serialization,
            Config config,
            @ConfigProperty(name = "lightpath.watch.trusted-for", defaultValue = "PT5M") Duration trusted) {
        return watching(serialization, config, trusted);
    }

    /** Reads whole jobs, and watches nothing. */
    @Produces
    @Singleton
    @Identifier(WholeObjects.CLIENT)
    KubernetesClient whole(Config config) {
        return WholeObjects.client(config);
    }

    static KubernetesClient watching(KubernetesSerialization serialization, Config config, Duration trusted) {
        String prefix = URI.create(config.getMasterUrl()).getRawPath().replaceFirst("/$", "");
        ListAge age = new ListAge(prefix, trusted, System::nanoTime);
        return new KubernetesClientBuilder()
                .withKubernetesSerialization(serialization)
                .withConfig(config)
                .withHttpClientBuilderConsumer(http -> http.addOrReplaceInterceptor(ListAge.NAME, age))
                .build();
    }

    void close(@Disposes @Any KubernetesClient client) {
        client.close();
    }

    @Produces
    @Singleton
    RingIntentReader reader(KubernetesClient client) {
        return new RingIntentReader(cluster(client));
    }

    private static String cluster(KubernetesClient client) {
        Namespace system = client.namespaces().withName("kube-system").get();
        if (system == null) {
            throw new IllegalStateException(
                    "there is no namespace kube-system, whose UID names the cluster to drivers");
        }
        return system.getMetadata().getUid();
    }

    @Produces
    @Singleton
    ClusterInformers informers(@Identifier(OF_INFORMERS) KubernetesClient client, RingIntentReader reader) {
        return new ClusterInformers(client, reader, new OcsIntentReader(cluster(client)));
    }

    void close(@Disposes ClusterInformers informers) {
        informers.close();
    }
}
