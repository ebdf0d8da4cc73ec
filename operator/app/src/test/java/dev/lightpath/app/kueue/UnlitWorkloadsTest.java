package dev.lightpath.app.kueue;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Workloads that wait for an answer, one after the other. The API server has each that it is asked for. */
class UnlitWorkloadsTest {
    private final BlockingQueue<String> looked = new LinkedBlockingQueue<>();
    private HttpServer server;
    private KubernetesClient client;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", UnlitWorkloadsTest::answer);
        server.start();
        client = new KubernetesClientBuilder()
                .withConfig(new ConfigBuilder()
                        .withAutoConfigure(false)
                        .withMasterUrl("http://127.0.0.1:" + server.getAddress().getPort())
                        .build())
                .build();
    }

    private static void answer(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath();
        byte[] body = """
            {"apiVersion": "kueue.x-k8s.io/v1beta2", "kind": "Workload",
             "metadata": {"namespace": "team", "name": "%s", "uid": "1", "resourceVersion": "1"}}
            """.formatted(path.substring(path.lastIndexOf('/') + 1)).getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().add("Content-Type", "application/json");
        exchange.sendResponseHeaders(200, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    @AfterEach
    void stop() {
        client.close();
        server.stop(0);
    }

    private UnlitWorkloads unlit(AtomicBoolean fails) {
        return unlit(fails, () -> true);
    }

    private UnlitWorkloads unlit(AtomicBoolean fails, BooleanSupplier leading) {
        return new UnlitWorkloads(
                new Workloads(client, () -> Optional.of(Set.of("light"))),
                workload -> {
                    looked.add(workload.name());
                    if (fails.getAndSet(false)) {
                        throw new IllegalStateException("a bug");
                    }
                    return new Standing.Answered();
                },
                leading,
                InstantSource.system());
    }

    private static GenericKubernetesResource workload(String name) {
        GenericKubernetesResource workload = new GenericKubernetesResource();
        workload.setMetadata(
                new ObjectMetaBuilder().withNamespace("team").withName(name).build());
        return workload;
    }

    @Test
    void oneThatCannotBeLookedAtKeepsNoOtherFromItsAnswer() throws InterruptedException {
        try (UnlitWorkloads unlit = unlit(new AtomicBoolean(true))) {
            unlit.begin();
            unlit.saw(workload("bad"));
            assertThat(looked.poll(60, TimeUnit.SECONDS)).isEqualTo("bad");
            unlit.saw(workload("good"));
            assertThat(looked.poll(60, TimeUnit.SECONDS)).isIn("good", "bad");
            assertThat(looked.poll(60, TimeUnit.SECONDS))
                    .as("and it is tried again")
                    .isIn("good", "bad");
        }
    }

    @Test
    void whatComesWhileNothingMayBeAnsweredIsAnsweredLater() throws InterruptedException {
        AtomicBoolean read = new AtomicBoolean();
        try (UnlitWorkloads unlit = unlit(new AtomicBoolean(false), read::get)) {
            unlit.begin();
            unlit.saw(workload("early"));
            assertThat(looked.poll(1, TimeUnit.SECONDS)).isNull();
            read.set(true);
            assertThat(looked.poll(60, TimeUnit.SECONDS)).isEqualTo("early");
        }
    }

    /** Pods that are not read yet name no TrainingJob: their Workload would lose its quota. */
    @Test
    void nothingIsAnsweredBeforeAllIsRead() throws InterruptedException {
        try (UnlitWorkloads unlit = unlit(new AtomicBoolean(false))) {
            unlit.saw(workload("early"));
            assertThat(looked.poll(1, TimeUnit.SECONDS)).isNull();
            unlit.begin();
            assertThat(looked.poll(60, TimeUnit.SECONDS)).isEqualTo("early");
        }
    }
}
