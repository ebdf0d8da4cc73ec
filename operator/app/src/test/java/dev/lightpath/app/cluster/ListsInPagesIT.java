package dev.lightpath.app.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.lightpath.app.Page;
import dev.lightpath.crds.apiserver.ApiServer;
import dev.lightpath.crds.apiserver.ApiServerExtension;
import dev.lightpath.reading.OcsIntentReader;
import dev.lightpath.reading.RingIntentReader;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.http.BasicBuilder;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.Interceptor;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Informers, as the application makes them, of more Nodes than a page holds. */
@ExtendWith(ApiServerExtension.class)
class ListsInPagesIT {
    private static final Duration TRUSTED = Duration.ofMinutes(5);
    /** Operators and other API servers start beside this one on the same processors. */
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    private static final int NODES = (int) Page.OBJECTS + 1;
    private static final String LABEL = "listed-in-pages";

    private final Config config;
    private final KubernetesClient admin;
    private final Queue<String> asked = new ConcurrentLinkedQueue<>();
    private volatile long laterNanos;

    ListsInPagesIT(ApiServer server) {
        config = Config.fromKubeconfig(server.kubeConfigYaml());
        admin = server.client();
    }

    @BeforeEach
    void createNodes() {
        IntStream.range(0, NODES)
                .parallel()
                .forEach(number -> admin.resource(new NodeBuilder()
                                .withNewMetadata()
                                .withName("page-" + number)
                                .addToLabels(LABEL, "")
                                .endMetadata()
                                .build())
                        .create());
    }

    @AfterEach
    void deleteNodes() {
        admin.nodes().withLabel(LABEL).delete();
        admin.close();
    }

    @Test
    void everyListComesInPagesTheFirstAndThatOfAWatchThatGoesOnNoMore() {
        try (Relay relay = new Relay(URI.create(config.getMasterUrl()))) {
            config.setMasterUrl(relay.url());
            try (KubernetesClient client = client();
                    ClusterInformers informers = new ClusterInformers(
                            client, new RingIntentReader("cluster"), new OcsIntentReader("cluster"))) {
                informers.start();
                await().atMost(PATIENCE).until(() -> informers.synced() && watched());
                assertThat(known(informers)).isEqualTo(NODES);
                assertListed();
                assertThat(asked).anyMatch(ListsInPagesIT::isLarge);

                assertThat(Page.all(admin.nodes().withLabel(LABEL)))
                        .as("in eleven pages")
                        .extracting(node -> node.getMetadata().getName())
                        .doesNotHaveDuplicates()
                        .hasSize(NODES);

                asked.clear();
                laterNanos = TRUSTED.plusMinutes(1).toNanos();
                await().atMost(PATIENCE).until(() -> cutAndWatched(relay));
                assertListed();
                admin.nodes().withName("page-0").delete();
                await().atMost(PATIENCE).until(() -> known(informers) == NODES - 1);
            }
        }
    }

    private KubernetesClient client() {
        return new KubernetesClientBuilder()
                .withConfig(config)
                .withHttpClientBuilderConsumer(http -> http.addOrReplaceInterceptor(
                                ListAge.NAME, new ListAge("", TRUSTED, () -> System.nanoTime() + laterNanos))
                        .addOrReplaceInterceptor("asked", new Interceptor() {
                            @Override
                            public void before(BasicBuilder builder, HttpRequest request, RequestTags tags) {
                                asked.add(request.uri().getRawPath() + "?"
                                        + request.uri().getRawQuery() + "&");
                            }
                        }))
                .build();
    }

    /**
     * A watch that was asked for may have no connection yet that could be cut: it is cut until Nodes are asked for
     * anew.
     */
    private boolean cutAndWatched(Relay relay) {
        if (asked.stream().noneMatch(ListsInPagesIT::isOfNodes)) {
            relay.cut();
        }
        return watched();
    }

    private boolean watched() {
        return asked.stream().anyMatch(uri -> isOfNodes(uri) && isWatch(uri));
    }

    private void assertListed() {
        List<String> lists = asked.stream().filter(uri -> !isWatch(uri)).toList();
        assertThat(lists).allMatch(uri -> uri.matches(".*[?&]limit=(20|50|500)&.*"));
        assertThat(lists).filteredOn(ListsInPagesIT::isLarge).allMatch(uri -> uri.contains("limit=20&"));
        assertThat(lists)
                .filteredOn(uri -> uri.matches(".*/(pods|jobs)\\?.*"))
                .allMatch(uri -> uri.contains("limit=50&"));
        assertThat(lists.stream().filter(ListsInPagesIT::isOfNodes))
                .hasSizeGreaterThanOrEqualTo(2)
                .anyMatch(uri -> uri.contains("continue="));
    }

    private static boolean isLarge(String uri) {
        return uri.contains("/trainingjobs?") || uri.contains("/fabricslices?");
    }

    private static boolean isWatch(String uri) {
        return uri.contains("watch=true&");
    }

    private static boolean isOfNodes(String uri) {
        return uri.startsWith("/api/v1/nodes?");
    }

    private static long known(ClusterInformers informers) {
        return informers.nodes().stream()
                .filter(node -> node.getMetadata().getLabels() != null
                        && node.getMetadata().getLabels().containsKey(LABEL))
                .count();
    }
}
