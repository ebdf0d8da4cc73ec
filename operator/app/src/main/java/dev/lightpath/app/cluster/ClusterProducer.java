package dev.lightpath.app.cluster;

import dev.lightpath.reading.OcsIntentReader;
import dev.lightpath.reading.RingIntentReader;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.client.KubernetesClient;
import jakarta.enterprise.inject.Disposes;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;

/** The application's one set of watches. Made when first asked for; while the API server does not answer, that fails. */
@Singleton
final class ClusterProducer {
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
