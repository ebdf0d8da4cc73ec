package dev.lightpath.cli.cluster.console;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpServer;
import dev.lightpath.cli.cluster.AccountKubeconfig;
import dev.lightpath.cli.cluster.show.LightDiffTest;
import dev.lightpath.cli.cluster.show.Shown;
import dev.lightpath.crds.apiserver.ApiServer;
import dev.lightpath.crds.apiserver.ApiServerExtension;
import io.fabric8.kubernetes.api.model.ServiceAccountBuilder;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBindingBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PipedReader;
import java.io.PipedWriter;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** What an open console goes on to read beside its watches: the light, and whether an operator leads. */
@ExtendWith(ApiServerExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ConsoleReadBackIT {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration PATIENCE = Duration.ofSeconds(120);

    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final AtomicReference<String> view = new AtomicReference<>(LightDiffTest.VIEW);
    private final AtomicInteger views = new AtomicInteger();
    private KubernetesClient client;
    private HttpServer operator;
    private Wire wire;
    private Thread running;
    private String base;
    private String token;
    private BufferedReader stream;

    @BeforeAll
    void open(ApiServer server, @TempDir Path folder) throws IOException, InterruptedException {
        client = server.client();
        Shown.create(client);
        ApiServer.namespace(client, "led");
        client.resource(new ServiceAccountBuilder()
                        .withNewMetadata()
                        .withNamespace("led")
                        .withName("somebody")
                        .endMetadata()
                        .build())
                .create();
        client.resource(new ClusterRoleBindingBuilder()
                        .withNewMetadata()
                        .withName("somebody")
                        .endMetadata()
                        .withNewRoleRef("rbac.authorization.k8s.io", "ClusterRole", "cluster-admin")
                        .addNewSubject("", "ServiceAccount", "somebody", "led")
                        .build())
                .create();
        renewed(Instant.now().plus(Duration.ofHours(1)));
        URI api = URI.create(client.getConfiguration().getMasterUrl());
        wire = new Wire(api);
        Path kubeconfig = AccountKubeconfig.write(client, "led", "somebody", folder.resolve("kubeconfig"))
                .file();
        Files.writeString(
                kubeconfig,
                Files.readString(kubeconfig)
                        .replace(
                                client.getConfiguration().getMasterUrl(),
                                wire.address().toString()));
        operator = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        operator.createContext("/view", exchange -> {
            byte[] body = view.get().getBytes(UTF_8);
            views.incrementAndGet();
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        operator.start();
        String address = null;
        // a role holds a moment after it was written
        for (long end = System.nanoTime() + PATIENCE.toNanos(); address == null && System.nanoTime() < end; ) {
            address = start(
                    "console",
                    "--kubeconfig",
                    kubeconfig.toString(),
                    "--operator-namespace",
                    "led",
                    "--operator",
                    "http://127.0.0.1:" + operator.getAddress().getPort());
        }
        assertThat(address).isNotNull();
        base = address.substring(0, address.indexOf("#"));
        token = address.substring(address.indexOf("=") + 1);
        stream = new BufferedReader(new InputStreamReader(
                http.send(request("api/live"), HttpResponse.BodyHandlers.ofInputStream())
                        .body(),
                UTF_8));
        assertThat(stream.readLine()).isEqualTo(": open");
    }

    @AfterAll
    void close() throws InterruptedException, IOException {
        stream.close();
        running.interrupt();
        running.join();
        operator.stop(0);
        wire.close();
        client.close();
    }

    /** @return null where the command ended at once */
    private String start(String... arguments) throws IOException {
        PipedWriter out = new PipedWriter();
        BufferedReader printed = new BufferedReader(new PipedReader(out));
        CommandLine line = dev.lightpath.cli.Lightpath.commandLine().setOut(new PrintWriter(out, true));
        running = Thread.ofPlatform().daemon().start(() -> {
            try (out) {
                line.execute(arguments);
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        });
        return printed.readLine();
    }

    private void renewed(Instant when) {
        client.resource(new LeaseBuilder()
                        .withNewMetadata()
                        .withNamespace("led")
                        .withName("lightpath-operator")
                        .endMetadata()
                        .withNewSpec()
                        .withHolderIdentity("op-1")
                        .withRenewTime(when.atZone(ZoneOffset.UTC))
                        .endSpec()
                        .build())
                .forceConflicts()
                .serverSideApply();
    }

    private HttpRequest request(String path) {
        return HttpRequest.newBuilder(URI.create(base + path))
                .header("Authorization", "Bearer " + token)
                .build();
    }

    private JsonNode get(String path) {
        try (InputStream in = new GZIPInputStream(
                new ByteArrayInputStream(http.send(request(path), HttpResponse.BodyHandlers.ofByteArray())
                        .body()))) {
            return JSON.readTree(in);
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(path, e);
        }
    }

    private static void await(String what, BooleanSupplier holds) throws InterruptedException {
        for (long end = System.nanoTime() + PATIENCE.toNanos(); !holds.getAsBoolean(); ) {
            assertThat(System.nanoTime()).as(what).isLessThan(end);
            Thread.sleep(100);
        }
    }

    private boolean readBackAt(String when) {
        return get("api/ring/ring-a").at("/readBack").asText().equals(when);
    }

    @Test
    void goesOnReadingWhenTheApiServerWasAway() throws InterruptedException {
        await("the light of the ring", () -> readBackAt("2026-11-21T08:00:00Z"));
        wire.cut();
        int before = views.get();
        // the second after the first whose Lease could not be read
        await("the operator is asked again", () -> views.get() >= before + 3);
        view.set(LightDiffTest.VIEW.replace("2026-11-21T08:00:00Z", "2026-11-21T09:00:00Z"));
        wire.mend();
        await("the light that was read since", () -> {
            // what is read back at another moment alone is no change
            client.nodes().withName("n2").edit(node -> {
                node.getMetadata()
                        .setLabels(java.util.Map.of(
                                "lightpath.dev/ring",
                                "ring-a",
                                "lightpath.dev/ring-position",
                                "2",
                                "touched",
                                "t" + System.nanoTime()));
                return node;
            });
            return readBackAt("2026-11-21T09:00:00Z");
        });
    }

    @Test
    void tellsThatNobodyLeadsAnyMore() throws InterruptedException, IOException {
        await("somebody leads", () -> get("api/overview").at("/leader/leads").asBoolean());
        renewed(Instant.now().minus(Duration.ofHours(1)));
        String line = stream.readLine();
        while (line != null && !line.contains("\"leader\"")) {
            line = stream.readLine();
        }
        assertThat(line).startsWith("data: {\"what\":[").contains("\"leader\"");
        assertThat(get("api/overview").at("/leader/leads").asBoolean()).isFalse();
    }
}
