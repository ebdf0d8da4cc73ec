package dev.lightpath.app.whole;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.lightpath.crds.apiserver.ApiServer;
import dev.lightpath.crds.apiserver.ApiServerExtension;
import dev.lightpath.crds.job.TrainingJob;
import dev.lightpath.crds.slice.FabricSlice;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBindingBuilder;
import io.fabric8.kubernetes.api.model.rbac.RoleBindingBuilder;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Who asks the operator over HTTP, with the roles that are shipped. Two tenants have a job each. */
@ExtendWith(ApiServerExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ViewIT {
    private static final Path ACCESS = Path.of("..", "..", "deploy", "kubernetes", "access");
    private static final String OURS = "view-ours";
    private static final String THEIRS = "view-theirs";

    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private Installation all;
    private String tenant;
    private String nobody;
    private String administrator;
    private String scraper;

    @BeforeAll
    void install(ApiServer server, @TempDir Path folder) throws IOException {
        all = new Installation(server, folder, 16);
        all.start();
        for (String namespace : List.of(OURS, THEIRS)) {
            ApiServer.namespace(all.client, namespace);
        }
        for (String file : List.of("operator.yaml", "users.yaml")) {
            try (InputStream yaml = Files.newInputStream(ACCESS.resolve(file))) {
                all.client.load(yaml).serverSideApply();
            }
        }
        tenant = all.token(OURS, "tenant");
        nobody = all.token(OURS, "nobody");
        administrator = all.token(OURS, "administrator");
        scraper = all.token(OURS, "scraper");
        all.client
                .resource(new RoleBindingBuilder()
                        .withNewMetadata()
                        .withNamespace(OURS)
                        .withName("tenant")
                        .endMetadata()
                        .withNewRoleRef("rbac.authorization.k8s.io", "ClusterRole", "lightpath-view")
                        .addNewSubject("", "ServiceAccount", "tenant", OURS)
                        .build())
                .serverSideApply();
        bindEverywhere("administrator", "lightpath-fabric-admin");
        bindEverywhere("scraper", "lightpath-metrics-reader");
        job(OURS, "alpha");
        job(THEIRS, "bravo");
        all.eventually(
                "both jobs have their light",
                () -> assertThat(all.client
                                .resources(FabricSlice.class)
                                .inAnyNamespace()
                                .list()
                                .getItems())
                        .hasSize(2)
                        .allSatisfy(slice -> assertThat(slice.getStatus().conditions())
                                .anyMatch(condition -> condition.getType().equals("Ready")
                                        && condition.getStatus().equals("True"))));
        // a role holds a moment after it was written, and watches show late what was
        all.eventually("everybody is shown that", () -> {
            for (String job : List.of(OURS + "/alpha", THEIRS + "/bravo")) {
                assertThat(console(administrator, "job/" + job)
                                .at("/ready/status")
                                .asText())
                        .isEqualTo("True");
            }
            assertThat(console(administrator, "ring/ring-a").get("seats"))
                    .hasSize(16)
                    .noneMatch(seat -> seat.has("observed"));
            assertThat(json(as(administrator, "/view")).get("slices")).hasSize(2);
            assertThat(console(tenant, "job/" + OURS + "/alpha")
                            .at("/ready/status")
                            .asText())
                    .isEqualTo("True");
            assertThat(as(scraper, "/q/metrics").statusCode()).isEqualTo(200);
        });
    }

    @AfterAll
    void uninstall() throws IOException {
        try (Installation ending = all) {
            http.shutdownNow();
            all.client.resources(TrainingJob.class).inAnyNamespace().delete();
            all.eventually(
                    "the slices are gone",
                    () -> assertThat(all.client
                                    .resources(FabricSlice.class)
                                    .inAnyNamespace()
                                    .list()
                                    .getItems())
                            .isEmpty());
        }
    }

    private void bindEverywhere(String account, String role) {
        all.client
                .resource(new ClusterRoleBindingBuilder()
                        .withNewMetadata()
                        .withName("view-it-" + account)
                        .endMetadata()
                        .withNewRoleRef("rbac.authorization.k8s.io", "ClusterRole", role)
                        .addNewSubject("", "ServiceAccount", account, OURS)
                        .build())
                .serverSideApply();
    }

    private void job(String namespace, String name) {
        HasMetadata job =
                all.client.getKubernetesSerialization().unmarshal("""
                apiVersion: lightpath.dev/v1alpha1
                kind: TrainingJob
                metadata: {name: %s, namespace: %s}
                spec: {model: {preset: gpt-7b}, parallelism: {tensor: 8, data: 2}, scaleUp: {fabric: ring-a}}
                """.formatted(name, namespace), TrainingJob.class);
        all.client.resource(job).create();
    }

    private HttpRequest request(String path, String... headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(all.url(path)));
        if (headers.length > 0) {
            request.headers(headers);
        }
        return request.build();
    }

    private HttpResponse<String> get(String path, String... headers) {
        try {
            return http.send(request(path, headers), HttpResponse.BodyHandlers.ofString());
        } catch (IOException e) {
            throw new AssertionError(path, e);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private HttpResponse<String> as(String token, String path) {
        return get(path, "Authorization", "Bearer " + token);
    }

    private static JsonNode json(HttpResponse<String> answer) throws IOException {
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return new ObjectMapper().readTree(answer.body());
    }

    private Stream<String> nodesOf(String namespace) {
        return all.client.resources(FabricSlice.class).inNamespace(namespace).list().getItems().stream()
                .flatMap(slice -> slice.getStatus().allocation().groups().stream())
                .flatMap(group -> group.nodes().stream());
    }

    @Test
    void nobodyIsAnsweredWithoutAToken() {
        for (String path : List.of("/view", "/q/metrics", "/q/metrics/", "//q/metrics", "/view?namespace=" + OURS)) {
            HttpResponse<String> answer = get(path);
            assertThat(answer.statusCode()).as(path).isEqualTo(401);
            assertThat(answer.headers().firstValue("WWW-Authenticate")).hasValue("Bearer");
            assertThat(answer.body()).hasLineCount(1).contains("Authorization: Bearer");
        }
        assertThat(get("/view", "Authorization", "Basic YTpi").statusCode()).isEqualTo(401);
        assertThat(get("/view", "Authorization", "Bearer ").statusCode()).isEqualTo(401);
    }

    @Test
    void aTokenThatTheClusterDoesNotKnowIsRefused() {
        for (String wrong : List.of("wrong", tenant.substring(0, tenant.length() - 4), "x".repeat(6000))) {
            HttpResponse<String> answer = as(wrong, "/view");
            assertThat(answer.statusCode()).isEqualTo(401);
            assertThat(answer.body()).hasLineCount(1).contains("does not know this token");
        }
    }

    @Test
    void aTokenWithoutRightsSeesNothing() {
        HttpResponse<String> view = as(nobody, "/view");
        assertThat(view.statusCode()).isEqualTo(403);
        assertThat(view.body())
                .hasLineCount(1)
                .contains("system:serviceaccount:" + OURS + ":nobody may neither get opticalfabrics/view.lightpath.dev")
                .doesNotContain("alpha", "bravo", THEIRS);
        HttpResponse<String> metrics = as(nobody, "/q/metrics");
        assertThat(metrics.statusCode()).isEqualTo(403);
        assertThat(metrics.body()).hasLineCount(1).contains("may not get the nonResourceURL /q/metrics");
        assertThat(as(administrator, "/q/metrics").statusCode()).isEqualTo(403);
    }

    @Test
    void aTenantSeesWhatIsInItsNamespaceAndNoNameOfOthers() throws IOException {
        for (String path : List.of("/view", "/view?namespace=" + OURS)) {
            HttpResponse<String> answer = as(tenant, path);
            JsonNode view = json(answer);
            assertThat(view.get("fabrics")).isEmpty();
            assertThat(view.get("hiddenSlices").asInt()).isEqualTo(1);
            assertThat(view.get("slices")).singleElement().satisfies(slice -> {
                assertThat(slice.get("namespace").asText()).isEqualTo(OURS);
                assertThat(slice.get("job").asText()).isEqualTo("alpha");
            });
            assertThat(answer.body()).doesNotContain("bravo", THEIRS, all.driver());
            assertThat(nodesOf(OURS))
                    .isNotEmpty()
                    .allSatisfy(node -> assertThat(answer.body()).contains('"' + node + '"'));
            assertThat(nodesOf(THEIRS))
                    .isNotEmpty()
                    .allSatisfy(node -> assertThat(answer.body()).doesNotContain('"' + node + '"'));
        }
        HttpResponse<String> other = as(tenant, "/view?namespace=" + THEIRS);
        assertThat(other.statusCode()).isEqualTo(403);
        assertThat(other.body()).hasLineCount(1);
        HttpResponse<String> none = as(tenant, "/view?namespace=a/b");
        assertThat(none.statusCode()).isEqualTo(400);
        assertThat(none.body()).hasLineCount(1);
    }

    @Test
    void anAdministratorSeesEverything() throws IOException {
        JsonNode view = json(as(administrator, "/view"));
        assertThat(view.at("/fabrics/0/devices")).hasSize(16);
        assertThat(view.get("hiddenSlices").asInt()).isZero();
        assertThat(view.get("slices"))
                .extracting(slice -> slice.get("job").asText())
                .containsExactlyInAnyOrder("alpha", "bravo");
    }

    private JsonNode console(String token, String address) {
        try {
            HttpResponse<byte[]> answer = http.send(
                    request("/console/api/" + address, "Authorization", "Bearer " + token),
                    HttpResponse.BodyHandlers.ofByteArray());
            assertThat(answer.statusCode()).as(new String(answer.body(), UTF_8)).isEqualTo(200);
            return new ObjectMapper().readTree(new GZIPInputStream(new ByteArrayInputStream(answer.body())));
        } catch (IOException e) {
            throw new AssertionError(address, e);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void anybodyReadsTheFilesOfTheConsoleAndNobodyItsDataWithoutAToken() {
        HttpResponse<String> page = get("/console/");
        assertThat(page.statusCode()).isEqualTo(200);
        assertThat(page.headers().firstValue("Content-Security-Policy").orElse(""))
                .contains("script-src 'self'");
        assertThat(page.body()).contains("main.js").doesNotContain("ring-a", "alpha");
        assertThat(get("/console/vendor/lit-html/lit-html.js").statusCode()).isEqualTo(200);
        assertThat(get("/console/no-such.js").statusCode()).isEqualTo(404);
        for (String path : List.of("overview", "ring/ring-a", "live", "session", "job/" + OURS + "/alpha")) {
            assertThat(get("/console/api/" + path).statusCode()).as(path).isEqualTo(401);
            assertThat(as(nobody, "/console/api/" + path).statusCode()).as(path).isEqualTo(403);
        }
    }

    @Test
    void aTenantSeesItsJobInTheConsoleAndNoFabricAndNoOther() {
        JsonNode overview = console(tenant, "overview");
        assertThat(overview.get("fabrics")).isEmpty();
        assertThat(overview.get("jobs"))
                .singleElement()
                .satisfies(job -> assertThat(job.get("name").asText()).isEqualTo("alpha"));
        assertThat(console(tenant, "job/" + OURS + "/alpha").at("/ready/status").asText())
                .isEqualTo("True");
        assertThat(console(tenant, "timeline").toString()).doesNotContain("bravo", THEIRS);
        for (String path : List.of("ring/ring-a", "job/" + THEIRS + "/bravo")) {
            assertThat(as(tenant, "/console/api/" + path).statusCode()).as(path).isEqualTo(404);
        }
    }

    @Test
    void theConsoleShowsWhatTheDevicesShow() {
        JsonNode ring = console(administrator, "ring/ring-a");
        assertThat(ring.get("readBack").asText()).isNotEmpty();
        assertThat(ring.get("seats")).hasSize(16).noneMatch(seat -> seat.has("observed"));
        assertThat(console(administrator, "session").get("can"))
                .extracting(JsonNode::asText)
                .containsExactly("explain", "what-if");
        assertThat(nodesOf(THEIRS).toList())
                .allSatisfy(node -> assertThat(ring.get("seats"))
                        .anyMatch(seat -> seat.path("node").asText().equals(node) && seat.has("wanted")));
    }

    @Test
    void theConsoleShowsTheEventsThatTheOperatorWrote() {
        all.eventually(
                "both jobs were told of",
                () -> assertThat(console(administrator, "timeline").get("happenings"))
                        .filteredOn(each -> each.get("kind").asText().equals("EVENT"))
                        .extracting(each -> each.get("subject").asText())
                        .contains("job/alpha", "job/bravo"));
        assertThat(console(tenant, "timeline").get("happenings"))
                .filteredOn(each -> each.get("kind").asText().equals("EVENT"))
                .isNotEmpty()
                .allSatisfy(each -> assertThat(each.get("namespace").asText()).isEqualTo(OURS));
    }

    @Test
    void theConsoleExplainsAJobToThoseWhoMaySeeIt() {
        assertThat(console(tenant, "explain/" + OURS + "/alpha").toString())
                .contains("TrainingJob " + OURS + "/alpha: Ready", "bundles lead light to a neighbour")
                .doesNotContain("bravo", THEIRS);
        HttpResponse<String> other = as(tenant, "/console/api/explain/" + THEIRS + "/bravo");
        assertThat(other.statusCode()).isEqualTo(404);
        assertThat(other.body()).hasLineCount(1).contains("or you may not see it");
        assertThat(as(nobody, "/console/api/explain/" + OURS + "/alpha").statusCode())
                .isEqualTo(403);
        assertThat(get("/console/api/explain/" + OURS + "/alpha").statusCode()).isEqualTo(401);
    }

    @Test
    void theConsoleSimulatesAFaultForThoseWhoMaySeeFabrics() {
        String node = nodesOf(THEIRS).findFirst().orElseThrow();
        String address = "what-if?fault=node/" + node;
        JsonNode said = console(administrator, address);
        assertThat(said.at("/lines/0").asText())
                .startsWith("if node " + node + " (position ")
                .endsWith(" of fabric ring-a) failed now:");
        assertThat(said.toString()).contains("of job bravo").doesNotContain("alpha");
        assertThat(console(tenant, "session").get("can"))
                .extracting(JsonNode::asText)
                .containsExactly("explain");
        HttpResponse<String> fromTenant = as(tenant, "/console/api/" + address);
        assertThat(fromTenant.statusCode()).isEqualTo(403);
        assertThat(fromTenant.body())
                .hasLineCount(1)
                .contains("may not get opticalfabrics/view.lightpath.dev: a fault is simulated on whole fabrics")
                .doesNotContain("bravo", THEIRS);
        assertThat(as(nobody, "/console/api/" + address).statusCode()).isEqualTo(403);
        assertThat(get("/console/api/" + address).statusCode()).isEqualTo(401);
    }

    @Test
    void aFaultThatCannotBeSimulatedIsRefusedInOneLine() {
        String node = nodesOf(OURS).findFirst().orElseThrow();
        refusesFault("", "?fault= is missing");
        refusesFault("?fault=a/b/c/d", "'a/b/c/d': allowed is node/NAME");
        refusesFault("?fault=node/none%0Anone", "there is no node none none");
        refusesFault("?fault=switch/none", "there is no optical switch none");
        refusesFault("?fault=port/" + node + "/b99", "node " + node + " has no port b99: allowed are b0");
        refusesFault("?fault=node/" + node + "&at=" + Instant.now().plusSeconds(60), "leave it out");
        all.client
                .resource(new NodeBuilder()
                        .withNewMetadata()
                        .withName("vanishes")
                        .endMetadata()
                        .build())
                .create();
        all.eventually("the node is known", () -> refusesFault("?fault=node/vanishes", "node vanishes is on no ring"));
        all.client.nodes().withName("vanishes").delete();
        all.eventually("the node is gone", () -> refusesFault("?fault=node/vanishes", "there is no node vanishes"));
    }

    private void refusesFault(String query, String why) {
        HttpResponse<String> answer = as(administrator, "/console/api/what-if" + query);
        assertThat(answer.statusCode()).as(answer.body()).isBetween(400, 404);
        assertThat(answer.body()).hasLineCount(1).contains(why);
    }

    @Test
    void thePastOfTheConsoleNeedsTheSameRights() {
        String now = "?at=" + Instant.now().plusSeconds(60);
        assertThat(console(administrator, "ring/ring-a" + now).get("seats")).hasSize(16);
        assertThat(console(tenant, "timeline" + now).toString()).doesNotContain("bravo", THEIRS);
        assertThat(as(tenant, "/console/api/ring/ring-a" + now).statusCode()).isEqualTo(404);
        assertThat(as(nobody, "/console/api/overview" + now).statusCode()).isEqualTo(403);
        assertThat(get("/console/api/overview" + now).statusCode()).isEqualTo(401);
        HttpResponse<String> early = as(administrator, "/console/api/ring/ring-a?at=2020-01-01T00:00:00Z");
        assertThat(early.statusCode()).isEqualTo(404);
        assertThat(early.body()).hasLineCount(1).contains("recorded nothing before");
        HttpResponse<String> none = as(administrator, "/console/api/ring/ring-a?at=yesterday");
        assertThat(none.statusCode()).isEqualTo(404);
        assertThat(none.body()).hasLineCount(1).contains("'yesterday' is no moment: allowed is RFC 3339");
    }

    @Test
    void theConsoleTellsOfChanges() throws IOException, InterruptedException {
        HttpResponse<InputStream> live = http.send(
                request("/console/api/live", "Authorization", "Bearer " + administrator),
                HttpResponse.BodyHandlers.ofInputStream());
        assertThat(live.statusCode()).isEqualTo(200);
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(live.body(), UTF_8))) {
            assertThat(lines.readLine()).isEqualTo(": open");
            JsonNode unused = console(administrator, "overview");
            all.client
                    .resources(TrainingJob.class)
                    .inNamespace(OURS)
                    .withName("alpha")
                    .edit(job -> {
                        job.getMetadata().setLabels(Map.of("touched", "yes"));
                        return job;
                    });
            String line = lines.readLine();
            while (line != null && !line.contains("\"jobs\"")) {
                line = lines.readLine();
            }
            assertThat(line).startsWith("data: {\"what\":[");
        }
    }

    @Test
    void whoMayReadMetricsReadsThemAndNothingElse() {
        HttpResponse<String> metrics = as(scraper, "/q/metrics");
        assertThat(metrics.statusCode()).isEqualTo(200);
        assertThat(metrics.body()).contains("lightpath_");
        assertThat(as(scraper, "/view").statusCode()).isEqualTo(403);
    }

    /** Kubelets send no token. */
    @Test
    void healthTellsAnybodyWhetherItIsUp() {
        for (String path : List.of("/q/health/live", "/q/health/ready", "/q/health/started")) {
            HttpResponse<String> answer = get(path);
            assertThat(answer.statusCode()).as(path).isEqualTo(200);
            assertThat(answer.body()).contains("\"UP\"").doesNotContain("alpha", "bravo", "ring-a");
        }
    }

    @Test
    void ofManyAtOnceSomeAreAnsweredInFullAndTheRestAskAgain() throws IOException {
        List<CompletableFuture<HttpResponse<String>>> asked = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            asked.add(http.sendAsync(
                    request("/view", "Authorization", "Bearer " + administrator),
                    HttpResponse.BodyHandlers.ofString()));
        }
        List<HttpResponse<String>> answers =
                asked.stream().map(CompletableFuture::join).toList();
        assertThat(answers).extracting(HttpResponse::statusCode).containsOnly(200, 429);
        for (HttpResponse<String> answer : answers) {
            if (answer.statusCode() == 200) {
                assertThat(json(answer).at("/fabrics/0/devices")).hasSize(16);
            } else {
                assertThat(answer.headers().firstValue("Retry-After")).hasValue("1");
            }
        }
        all.eventually("who asks again is answered", () -> json(as(administrator, "/view")));
    }
}
