package dev.lightpath.app.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.lightpath.app.Page;
import dev.lightpath.crds.apiserver.ApiServer;
import dev.lightpath.crds.apiserver.ApiServerExtension;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** On an API server that has run since the first version of its cluster. */
@ExtendWith(ApiServerExtension.class)
class ListAgeIT {
    private static final Duration TRUSTED = Duration.ofMinutes(5);
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String NODE = "with-a-past";
    private static final String LABEL = "state";

    private final Config config;
    private final KubernetesClient admin;
    private final Queue<String> told = new ConcurrentLinkedQueue<>();
    private volatile long laterNanos;

    ListAgeIT(ApiServer server) {
        config = Config.fromKubeconfig(server.kubeConfigYaml());
        admin = server.client();
    }

    @AfterEach
    void deleteNode() {
        admin.nodes().withName(NODE).delete();
        admin.close();
    }

    @Test
    void aWatchThatGoesOnFromAnOldListTellsNothingOfThePast() {
        admin.resource(new NodeBuilder()
                        .withNewMetadata()
                        .withName(NODE)
                        .addToLabels(LABEL, "faulty")
                        .endMetadata()
                        .build())
                .create();
        label("mended");
        try (Relay relay = new Relay(URI.create(config.getMasterUrl()))) {
            config.setMasterUrl(relay.url());
            try (KubernetesClient client = client();
                    SharedIndexInformer<Node> nodes = client.nodes()
                            .withLimit(Page.OBJECTS)
                            .runnableInformer(0)
                            .addEventHandler(new Told())) {
                var unused = nodes.start();
                await().atMost(PATIENCE).until(() -> List.copyOf(told).equals(List.of("mended")));
                await().atMost(PATIENCE).until(nodes::isWatching);

                laterNanos = TRUSTED.plusMinutes(1).toNanos();
                relay.cut();
                label("renamed");
                await().atMost(PATIENCE).until(() -> told.contains("renamed"));
                label("last");
                await().atMost(PATIENCE).until(() -> told.contains("last"));
                assertThat(told).containsExactly("mended", "renamed", "last");
            }
        }
    }

    private KubernetesClient client() {
        ListAge age = new ListAge("", TRUSTED, () -> System.nanoTime() + laterNanos);
        return new KubernetesClientBuilder()
                .withConfig(config)
                .withHttpClientBuilderConsumer(http -> http.addOrReplaceInterceptor(ListAge.NAME, age))
                .build();
    }

    private void label(String state) {
        admin.nodes().withName(NODE).edit(node -> {
            node.getMetadata().getLabels().put(LABEL, state);
            return node;
        });
    }

    /** Notes what is told of the node. */
    private final class Told implements ResourceEventHandler<Node> {
        @Override
        public void onAdd(Node node) {
            note(node);
        }

        @Override
        public void onUpdate(Node before, Node node) {
            note(node);
        }

        @Override
        public void onDelete(Node node, boolean unknown) {
            note(node);
        }

        private void note(Node node) {
            if (node.getMetadata().getName().equals(NODE)) {
                told.add(node.getMetadata().getLabels().getOrDefault(LABEL, ""));
            }
        }
    }
}
