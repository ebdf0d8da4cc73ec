package dev.lightpath.cli.cluster.console;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.lightpath.cli.TestRun;
import dev.lightpath.cli.cluster.show.Shown;
import dev.lightpath.crds.apiserver.ApiServer;
import dev.lightpath.crds.apiserver.ApiServerExtension;
import dev.lightpath.crds.fabric.OpticalFabric;
import dev.lightpath.crds.opticalswitch.OpticalSwitch;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PipedReader;
import java.io.PipedWriter;
import java.io.PrintWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The console as a browser meets it, on a real API server that holds what an operator would have written. */
@ExtendWith(ApiServerExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ConsoleIT {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private KubernetesClient client;
    private Path kubeconfig;
    private Thread running;
    private String base;
    private String token;

    @BeforeAll
    void open(ApiServer server, @TempDir Path folder) throws IOException {
        client = server.client();
        kubeconfig = Files.writeString(folder.resolve("kubeconfig"), server.kubeConfigYaml());
        Shown.create(client);
        String address = start();
        base = address.substring(0, address.indexOf("#"));
        token = address.substring(address.indexOf("=") + 1);
    }

    @AfterAll
    void close() throws InterruptedException {
        running.interrupt();
        running.join();
        client.close();
    }

    private String start(String... more) throws IOException {
        PipedWriter out = new PipedWriter();
        BufferedReader printed = new BufferedReader(new PipedReader(out));
        CommandLine line = dev.lightpath.cli.Lightpath.commandLine().setOut(new PrintWriter(out, true));
        String[] all = new String[3 + more.length];
        System.arraycopy(new String[] {"console", "--kubeconfig", kubeconfig.toString()}, 0, all, 0, 3);
        System.arraycopy(more, 0, all, 3, more.length);
        running = Thread.ofPlatform().daemon().start(() -> line.execute(all));
        return printed.readLine();
    }

    private HttpResponse<byte[]> ask(String method, String path, String body, Map<String, String> headers) {
        try {
            HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(base + path))
                    .method(method, HttpRequest.BodyPublishers.ofString(body));
            headers.forEach(request::header);
            return http.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(path, e);
        }
    }

    private JsonNode get(String path) {
        HttpResponse<byte[]> answer = ask("GET", path, "", Map.of("Authorization", "Bearer " + token));
        assertThat(answer.statusCode()).as(path).isEqualTo(200);
        try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(answer.body()))) {
            return JSON.readTree(in);
        } catch (IOException e) {
            throw new IllegalStateException(path, e);
        }
    }

    @Test
    void servesThePageWithAPolicyThatLetsNothingElseRun() {
        HttpResponse<byte[]> page = ask("GET", "", "", Map.of());
        assertThat(page.statusCode()).isEqualTo(200);
        assertThat(page.headers().firstValue("Content-Security-Policy").orElse(""))
                .contains("default-src 'none'", "script-src 'self'", "require-trusted-types-for 'script'")
                .doesNotContain("unsafe");
        assertThat(new String(page.body(), UTF_8)).contains("<script type=\"module\" src=\"main.js\">");
        assertThat(ask("GET", "vendor/lit-html/lit-html.js", "", Map.of()).statusCode())
                .isEqualTo(200);
        assertThat(ask("GET", "../Views.class", "", Map.of()).statusCode()).isEqualTo(404);
    }

    @Test
    void givesDataOnlyToWhoHasTheToken() {
        for (Map<String, String> headers : java.util.List.of(
                Map.<String, String>of(), Map.of("Authorization", "Bearer wrong"), Map.of("Authorization", "Bearer"))) {
            HttpResponse<byte[]> refused = ask("GET", "api/overview", "", headers);
            assertThat(refused.statusCode()).isEqualTo(401);
            assertThat(new String(refused.body(), UTF_8)).doesNotContain("ring-a");
        }
        assertThat(ask(
                                "GET",
                                "api/overview",
                                "",
                                Map.of("Authorization", "Bearer " + token, "Origin", "http://evil.example"))
                        .statusCode())
                .isEqualTo(403);
    }

    @Test
    void showsWhatStatusSays() {
        JsonNode overview = get("api/overview");
        assertThat(overview.at("/fabrics/0/name").asText()).isEqualTo("ring-a");
        JsonNode status = TestRun.of("status", "-o", "json", "--kubeconfig", kubeconfig.toString())
                .json();
        for (String part : java.util.List.of("leader", "fabrics", "jobs", "slices")) {
            assertThat(overview.get(part)).as(part).isEqualTo(status.get(part));
        }
    }

    @Test
    void drawsTheRingAsRecorded() {
        JsonNode ring = get("api/ring/ring-a");
        assertThat(ring.at("/seats").size()).isEqualTo(8);
        assertThat(ring.at("/seats/5/wanted").asText())
                .as("path 1 to both neighbours")
                .isEqualTo("11L");
        assertThat(ring.at("/seats/7/fault").asText()).isEqualTo("DeclaredFaulty: smells of smoke");
        assertThat(ring.at("/seats/7/releasing").asBoolean()).isTrue();
        assertThat(ring.at("/seats/3/tenant").isMissingNode()).isTrue();
        assertThat(ring.at("/tenants/0/job").asText()).isEqualTo("llm");
    }

    @Test
    void saysWhyAJobWaitsInTheWordsOfItsStatus() {
        assertThat(get("api/job/default/llm").at("/waits/0").asText()).isEqualTo("Programming: 3 of 18 circuits lit");
        assertThat(get("api/explain/default/llm").toString()).contains("why these seats: n0 in for n7");
    }

    @Test
    void simulatesAFaultAsTheCommandDoes() {
        String said = TestRun.of("simulate-fault", "node/n3", "--kubeconfig", kubeconfig.toString())
                .out();
        JsonNode lines = get("api/what-if?fault=node%2Fn3").at("/lines");
        assertThat(lines.get(lines.size() - 1).asText())
                .isEqualTo(said.lines().reduce((first, last) -> last).orElse(""));
    }

    @Test
    void saysWhatAnActWillDoAndDoesItOnce() {
        assertThat(get("api/acts?act=drain&object=switch%2Focs-3").toString()).contains("no new circuit is made on it");
        HttpResponse<byte[]> done = ask(
                "POST",
                "api/acts",
                "{\"act\":\"drain\",\"object\":\"switch/ocs-3\"}",
                Map.of("Authorization", "Bearer " + token));
        assertThat(done.statusCode()).isEqualTo(200);
        assertThat(client.resources(OpticalSwitch.class)
                        .withName("ocs-3")
                        .get()
                        .getSpec()
                        .drained())
                .isTrue();
        assertThat(get("api/acts?act=drain&object=switch%2Focs-3").toString()).contains("it is drained already");
    }

    @Test
    void saysInOneLineWhatIsNoActAndWhatIsGone() {
        Map<String, String> mine = Map.of("Authorization", "Bearer " + token);
        HttpResponse<byte[]> gone = ask("POST", "api/acts", "{\"act\":\"drain\",\"object\":\"switch/ocs-9\"}", mine);
        assertThat(gone.statusCode()).isEqualTo(400);
        assertThat(new String(gone.body(), UTF_8)).startsWith("there is no switch ocs-9; there are ocs-3");
        assertThat(new String(ask("POST", "api/acts", "[]", mine).body(), UTF_8))
                .isEqualTo("the body is no JSON object with act and object\n");
        assertThat(new String(
                        ask("GET", "api/acts?act=burn&object=node/n1", "", mine).body(), UTF_8))
                .contains("'burn' is no act: allowed are pause");
        assertThat(ask("GET", "api/ring/none", "", mine).statusCode()).isEqualTo(404);
        assertThat(ask("GET", "api/switch/", "", mine).statusCode()).isEqualTo(404);
        assertThat(ask("DELETE", "api/overview", "", mine).statusCode()).isEqualTo(405);
    }

    @Test
    void showsAViewAsItWas() {
        String first = get("api/moments").at("/moments/0").asText();
        assertThat(get("api/ring/ring-a?at=" + first).at("/seats").size()).isEqualTo(8);
        Map<String, String> mine = Map.of("Authorization", "Bearer " + token);
        HttpResponse<byte[]> early = ask("GET", "api/ring/ring-a?at=2020-01-01T00:00:00Z", "", mine);
        assertThat(early.statusCode()).isEqualTo(404);
        assertThat(new String(early.body(), UTF_8))
                .isEqualTo("how it was at 2020-01-01T00:00:00Z is not known: this console recorded nothing before "
                        + first + "\n");
        assertThat(new String(ask("GET", "api/overview?at=noon", "", mine).body(), UTF_8))
                .startsWith("'noon' is no moment: allowed is RFC 3339");
    }

    @Test
    void tellsOfEachChangeOverItsStream() throws IOException, InterruptedException {
        HttpResponse<java.io.InputStream> stream = http.send(
                HttpRequest.newBuilder(URI.create(base + "api/live"))
                        .header("Authorization", "Bearer " + token)
                        .build(),
                HttpResponse.BodyHandlers.ofInputStream());
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(stream.body(), UTF_8))) {
            assertThat(lines.readLine()).isEqualTo(": open");
            client.resources(OpticalFabric.class).withName("ring-a").edit(fabric -> {
                fabric.getMetadata().setLabels(Map.of("touched", "yes"));
                return fabric;
            });
            String line = lines.readLine();
            while (line != null && !line.contains("fabrics")) {
                line = lines.readLine();
            }
            assertThat(line).startsWith("data: {\"what\":[").contains("\"fabrics\"");
        }
    }
}
