package dev.lightpath.app.kueue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An API server that does not tell the AdmissionChecks at once. */
class AdmissionChecksTest {
    private static final String CHECKS = """
        {"apiVersion": "kueue.x-k8s.io/v1beta2", "kind": "AdmissionCheckList", "metadata": {"resourceVersion": "7"},
         "items": [
          {"apiVersion": "kueue.x-k8s.io/v1beta2", "kind": "AdmissionCheck",
           "metadata": {"name": "light", "uid": "1", "resourceVersion": "5"},
           "spec": {"controllerName": "lightpath.dev/light"}},
          {"apiVersion": "kueue.x-k8s.io/v1beta2", "kind": "AdmissionCheck",
           "metadata": {"name": "other", "uid": "2", "resourceVersion": "6"},
           "spec": {"controllerName": "example.com/other"}}]}
        """;

    private final CountDownLatch refused = new CountDownLatch(1);
    private final CountDownLatch well = new CountDownLatch(1);
    private final CountDownLatch end = new CountDownLatch(1);
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private HttpServer server;
    private KubernetesClient client;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/", this::answer);
        server.start();
        client = new KubernetesClientBuilder()
                .withConfig(new ConfigBuilder()
                        .withAutoConfigure(false)
                        .withMasterUrl("http://127.0.0.1:" + server.getAddress().getPort())
                        .withRequestRetryBackoffLimit(0)
                        .withWatchReconnectInterval(10)
                        .build())
                .build();
    }

    private void answer(HttpExchange exchange) throws IOException {
        if (String.valueOf(exchange.getRequestURI().getQuery()).contains("watch=true")) {
            try {
                end.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            exchange.close();
            return;
        }
        boolean answers = well.getCount() == 0;
        byte[] body = (answers ? CHECKS : "{}").getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().add("Content-Type", "application/json");
        exchange.sendResponseHeaders(answers ? 200 : 403, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
        refused.countDown();
    }

    @AfterEach
    void stop() {
        end.countDown();
        client.close();
        server.stop(0);
        threads.shutdownNow();
    }

    /** Without its check a Workload would count as one without quota, and its job would give its place back. */
    @Test
    @Timeout(120)
    void nobodyIsTakenToHaveNoCheckBeforeAllAreRead() throws InterruptedException {
        try (AdmissionChecks checks = AdmissionChecks.watch(client, () -> false)) {
            refused.await();
            assertThat(checks.isRead()).isFalse();
            assertThatThrownBy(checks::names)
                    .isInstanceOf(KubernetesClientException.class)
                    .hasMessageContaining("AdmissionChecks");
            well.countDown();
            assertThat(read(checks)).containsExactly("light");
            assertThat(checks.isRead()).isTrue();
        }
    }

    private static Set<String> read(AdmissionChecks checks) throws InterruptedException {
        while (true) {
            try {
                return checks.names();
            } catch (KubernetesClientException notYet) {
                Thread.sleep(20);
            }
        }
    }
}
