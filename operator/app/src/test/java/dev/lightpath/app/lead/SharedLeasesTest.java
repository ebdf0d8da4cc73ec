package dev.lightpath.app.lead;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import dev.lightpath.planner.share.Seat;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An API server that takes requests and never answers, while the client as a whole would wait for it for an hour. */
class SharedLeasesTest {
    private static final int HOUR_MILLIS = 3_600_000;

    private final List<String> requests = new CopyOnWriteArrayList<>();
    private final CountDownLatch end = new CountDownLatch(1);
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private HttpServer server;
    private KubernetesClient client;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/", exchange -> {
            requests.add(exchange.getRequestMethod());
            try {
                end.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            exchange.close();
        });
        server.start();
        client = new KubernetesClientBuilder()
                .withConfig(new ConfigBuilder()
                        .withAutoConfigure(false)
                        .withMasterUrl("http://127.0.0.1:" + server.getAddress().getPort())
                        .withRequestTimeout(HOUR_MILLIS)
                        .build())
                .build();
    }

    @AfterEach
    void stop() {
        end.countDown();
        client.close();
        server.stop(0);
        threads.shutdownNow();
    }

    @Test
    @Timeout(120)
    void whatIsNotAnsweredIsGivenUpAndAskedOnce() {
        SharedLeases leases = new SharedLeases(client, "lightpath-system");
        assertThatThrownBy(leases::list).isInstanceOf(KubernetesClientException.class);
        assertThatThrownBy(() -> leases.write(Seat.ofFabric("ring-a"), "self", ""))
                .isInstanceOf(KubernetesClientException.class);
        assertThatThrownBy(() -> leases.write(Seat.ofFabric("ring-a"), "self", "7"))
                .isInstanceOf(KubernetesClientException.class);
        assertThat(requests).containsExactly("GET", "POST", "PUT");
    }

    /** One above it would be below 0, which is refused: nobody could take the Lease any more. */
    @Test
    void theHighestNumberOfTransitionsStays() {
        List<String> written = new CopyOnWriteArrayList<>();
        server.createContext("/apis/coordination.k8s.io/v1/namespaces/answers/leases", exchange -> {
            byte[] sent = exchange.getRequestBody().readAllBytes();
            if (exchange.getRequestMethod().equals("PUT")) {
                written.add(new String(sent, StandardCharsets.UTF_8));
            }
            byte[] answer = exchange.getRequestMethod().equals("PUT") ? sent : """
                {"apiVersion": "coordination.k8s.io/v1", "kind": "LeaseList", "metadata": {}, "items": [
                  {"apiVersion": "coordination.k8s.io/v1", "kind": "Lease",
                   "metadata": {"namespace": "answers", "name": "lightpath-fabric-ring-a", "resourceVersion": "7"},
                   "spec": {"holderIdentity": "other", "leaseTransitions": 2147483647}}]}
                """.getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().add("Content-Type", "application/json");
            exchange.sendResponseHeaders(200, answer.length);
            exchange.getResponseBody().write(answer);
            exchange.close();
        });
        SharedLeases leases = new SharedLeases(client, "answers");
        assertThat(leases.list()).hasSize(1);
        assertThat(leases.write(Seat.ofFabric("ring-a"), "self", "7")).isPresent();
        assertThat(written).singleElement().asString().contains("self", "2147483647");
    }
}
