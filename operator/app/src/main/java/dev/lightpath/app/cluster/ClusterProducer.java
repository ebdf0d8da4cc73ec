package dev.lightpath.app.cluster;

import dev.lightpath.reading.OcsIntentReader;
import dev.lightpath.reading.RingIntentReader;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import jakarta.enterprise.inject.Disposes;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.time.Duration;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/** The application's one set of watches. Made when first asked for; while the API server does not answer, that fails. */
@Singleton
final class ClusterProducer {
    /** As the extension makes it, but that its watches go on from no old lists. */
    @Produces
    @Singleton
    KubernetesClient client(
            KubernetesSerialization serialization,
            Config config,
            @ConfigProperty(name = "lightpath.watch.trusted-for", defaultValue = "PT5M") Duration trusted) {
        ListAge age = new ListAge(trusted, System::nanoTime);
        return new KubernetesClientBuilder()
                .withKubernetesSerialization(serialization)
                .withConfig(config)
                .withHttpClientBuilderConsumer(http -> http.addOrReplaceInterceptor(ListAge.NAME, age))
                .build();
    }

    void close(@Disposes KubernetesClient client) {
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
    ClusterInformers informers(KubernetesClient client, RingIntentReader reader) {
        return new ClusterInformers(client, reader, new OcsIntentReader(cluster(client)));
    }

    void close(@Disposes ClusterInformers informers) {
        informers.close();
    }
}
