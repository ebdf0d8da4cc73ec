package dev.lightpath.soak;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.lightpath.app.whole.Installation;
import dev.lightpath.cli.TestRun;
import dev.lightpath.cli.cluster.AccountKubeconfig;
import dev.lightpath.crds.apiserver.ApiServer;
import dev.lightpath.crds.apiserver.ApiServerExtension;
import dev.lightpath.crds.fabric.OpticalFabric;
import dev.lightpath.crds.job.TrainingJob;
import dev.lightpath.crds.slice.FabricSlice;
import io.fabric8.kubernetes.api.model.ServiceAccountBuilder;
import io.fabric8.kubernetes.api.model.rbac.RoleBindingBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code plan} and {@code explain} of tenants who may not read nodes and the jobs of others: the operator answers them.
 */
@ExtendWith(ApiServerExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TenantCommandsIT {
    private static final Path ACCESS = Path.of("..", "..", "deploy", "kubernetes", "access");
    private static final String OURS = "tenant-ours";
    private static final String THEIRS = "tenant-theirs";
    private static final String HOME = "lightpath-system";

    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private Installation all;
    private KubernetesClient client;
    private Path folder;
    private Path admin;
    /** {@code edit} in a namespace, with the right to use light there. */
    private AccountKubeconfig tenant;
    /** The same, and may go before others. */
    private AccountKubeconfig urgent;
    /** {@code edit} without a right to light. */
    private AccountKubeconfig editor;

    @BeforeAll
    void install(ApiServer server, @TempDir Path files) throws IOException {
        folder = files;
        all = new Installation(server, Files.createDirectories(folder.resolve("operator")), 16);
        all.start();
        client = all.client;
        admin = Files.writeString(folder.resolve("admin.kubeconfig"), server.kubeConfigYaml());
        for (String namespace : List.of(OURS, THEIRS)) {
            ApiServer.namespace(client, namespace);
        }
        for (String file : List.of("users.yaml", "use-policy.yaml", "nodes-policy.yaml")) {
            try (InputStream yaml = Files.newInputStream(ACCESS.resolve(file))) {
                client.load(yaml).serverSideApply();
            }
        }
        List<String> edit = List.of("system:aggregate-to-edit", "lightpath-edit", "lightpath-view");
        List<String> use = List.of("lightpath-use", "lightpath-use-without-workload");
        editor = account("editor", edit);
        tenant = account("tenant", Stream.of(edit, use).flatMap(List::stream).toList());
        urgent = account(
                "urgent",
                Stream.of(edit, use, List.of("lightpath-prioritize"))
                        .flatMap(List::stream)
                        .toList());
        client.resources(OpticalFabric.class)
                .withName("ring-a")
                .patch(
                        PatchContext.of(PatchType.JSON_MERGE),
                        "{\"spec\": {\"policy\": {\"preemption\": \"LowerPriority\"}}}");
        apply(THEIRS, "bravo", 2, 0);
        apply(OURS, "alpha", 1, 0);
        all.eventually("both jobs have their light", () -> {
            assertThat(nodesOf(THEIRS)).hasSize(4);
            assertThat(nodesOf(OURS)).hasSize(2);
            assertThat(slices(OURS)).allMatch(TenantCommandsIT::isReady);
        });
        all.eventually(
                "roles hold",
                () -> assertThat(asked(tenant, "explain", "tj/alpha").exitCode())
                        .isZero());
        all.eventually(
                "the policy holds",
                () -> assertThat(plan(editor, job("one", 1, 0)).err()).contains("lightpath-use"));
    }

    @AfterAll
    void uninstall() throws IOException {
        http.shutdownNow();
        all.close();
    }

    private AccountKubeconfig account(String name, List<String> roles) throws IOException {
        client.resource(new ServiceAccountBuilder()
                        .withNewMetadata()
                        .withNamespace(OURS)
                        .withName(name)
                        .endMetadata()
                        .build())
                .serverSideApply();
        for (String role : roles) {
            bind(name, OURS, "ClusterRole", role);
        }
        return AccountKubeconfig.write(client, OURS, name, folder.resolve(name + ".kubeconfig"));
    }

    private void bind(String account, String namespace, String kind, String role) {
        client.resource(new RoleBindingBuilder()
                        .withNewMetadata()
                        .withNamespace(namespace)
                        .withName(account + "-" + role.replace(":", "-"))
                        .endMetadata()
                        .withNewRoleRef("rbac.authorization.k8s.io", kind, role)
                        .addNewSubject("", "ServiceAccount", account, OURS)
                        .build())
                .serverSideApply();
    }

    private static String job(String name, int groups, int priority) {
        return """
                {"apiVersion": "lightpath.dev/v1alpha1", "kind": "TrainingJob",
                 "metadata": {"name": "%s", "namespace": "%s"},
                 "spec": {"model": {"preset": "gpt-7b"}, "parallelism": {"tensor": 8, "data": %d}, "priority": %d,
                          "scaleUp": {"fabric": "ring-a"}}}
                """.formatted(name, OURS, groups, priority);
    }

    private void apply(String namespace, String name, int groups, int priority) {
        client.resource(client.getKubernetesSerialization()
                        .unmarshal(job(name, groups, priority).replace(OURS, namespace), TrainingJob.class))
                .create();
    }

    private List<FabricSlice> slices(String namespace) {
        return client.resources(FabricSlice.class).inNamespace(namespace).list().getItems();
    }

    private static boolean isReady(FabricSlice slice) {
        return slice.getStatus().conditions().stream()
                .anyMatch(condition -> condition.getType().equals("Ready")
                        && condition.getStatus().equals("True"));
    }

    private List<String> nodesOf(String namespace) {
        return slices(namespace).stream()
                .flatMap(slice -> slice.getStatus().allocation().groups().stream())
                .flatMap(group -> group.nodes().stream())
                .toList();
    }

    private TestRun run(Path kubeconfig, String... arguments) {
        List<String> all = new ArrayList<>(Arrays.asList(arguments));
        all.addAll(List.of("-n", OURS, "--kubeconfig", kubeconfig.toString()));
        return TestRun.of(all.toArray(String[]::new));
    }

    /** With the operator's address, as one who has been told it. */
    private TestRun asked(AccountKubeconfig as, String... arguments) {
        List<String> more = new ArrayList<>(Arrays.asList(arguments));
        more.addAll(List.of("--operator", all.url("/")));
        return run(as.file(), more.toArray(String[]::new));
    }

    private TestRun plan(AccountKubeconfig as, String manifest, String... arguments) throws IOException {
        Path file = Files.writeString(folder.resolve("job.yaml"), manifest);
        List<String> more = new ArrayList<>(List.of("plan", "-f", file.toString()));
        more.addAll(Arrays.asList(arguments));
        return asked(as, more.toArray(String[]::new));
    }

    private HttpResponse<String> post(String path, String token, String body) throws IOException, InterruptedException {
        return http.send(
                HttpRequest.newBuilder(URI.create(all.url(path)))
                        .header("Authorization", "Bearer " + token)
                        .POST(HttpRequest.BodyPublishers.ofString(body))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    @Test
    void aTenantIsToldWhatOneIsToldWhoMayReadEverything() throws IOException {
        JsonNode told = plan(tenant, job("next", 2, 0), "-o", "json").json();
        assertThat(told.at("/jobs/0/placed").asBoolean()).isTrue();
        assertThat(told.at("/jobs/0/groups")).hasSize(2);
        Path file = folder.resolve("job.yaml");
        assertThat(told)
                .isEqualTo(
                        run(admin, "plan", "-f", file.toString(), "-o", "json").json());
        // the operator answers by what its watches have shown it
        all.eventually(
                "both are told the same",
                () -> assertThat(asked(tenant, "explain", "tj/alpha", "-o", "json")
                                .json())
                        .isEqualTo(
                                run(admin, "explain", "tj/alpha", "-o", "json").json()));
        assertThat(slices(OURS)).hasSize(1);
    }

    @Test
    void aJobThatIsPlacedIsShownWhereItIs() throws IOException {
        JsonNode told = plan(tenant, job("alpha", 1, 0), "-o", "json").json();
        assertThat(told.at("/jobs/0/held").asBoolean()).isTrue();
        assertThat(told.at("/jobs/0/groups/0/nodes")).map(JsonNode::asText).isEqualTo(nodesOf(OURS));
    }

    @Test
    void jobsOfOthersAreCountedAndNotNamed() throws IOException {
        TestRun run = plan(tenant, job("large", 7, 0));
        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.out()).contains("6 allocated to jobs (" + OURS + "/alpha-ring-a-1-", " 2, other namespaces 4)");
        for (TestRun told : List.of(run, asked(urgent, "explain", "tj/alpha"))) {
            assertThat(told.out() + told.err()).doesNotContain("bravo", THEIRS);
        }
    }

    /** The whole ring is asked for: both placed jobs would have to go. */
    @Test
    void aPlanSaysWhosePlaceWouldBeTaken() throws IOException {
        String whole = job("whole", 8, 10);
        TestRun run = plan(urgent, whole);
        assertThat(run.exitCode()).as(run.out() + run.err()).isZero();
        assertThat(run.out())
                .contains(
                        "would be placed",
                        "takes the place of " + OURS + "/alpha, 1 job that you may not see (policy.preemption)")
                .doesNotContain("bravo", THEIRS);
        assertThat(run(admin, "plan", "-f", folder.resolve("job.yaml").toString())
                        .out())
                .contains(THEIRS + "/bravo");
        assertThat(slices(OURS)).as("a plan takes nothing").allMatch(TenantCommandsIT::isReady);
    }

    @Test
    void aJobWithoutAPlaceIsRefusedInTheOperatorsWords() throws IOException {
        TestRun run = plan(tenant, job("huge", 9, 0));
        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.out()).contains("would not be placed", "InsufficientCapacity");
        assertThat(run.err()).hasLineCount(1).contains("InsufficientCapacity");
    }

    @Test
    void rightsToLightCountAsIfTheJobWereApplied() throws IOException {
        assertThat(plan(editor, job("one", 1, 0)))
                .satisfies(TenantCommandsIT::isRefusedInOneLine)
                .extracting(TestRun::err)
                .asString()
                .contains("forbidden: ", "lightpath-use");
        assertThat(plan(tenant, job("first", 1, 10)))
                .satisfies(TenantCommandsIT::isRefusedInOneLine)
                .extracting(TestRun::err)
                .asString()
                .contains("lightpath-prioritize");
    }

    @Test
    void withoutAnAddressTheOperatorIsFoundByThoseWhoMayLookForIt() throws IOException {
        Path file = Files.writeString(folder.resolve("found.yaml"), job("found", 1, 0));
        assertThat(run(tenant.file(), "plan", "-f", file.toString()))
                .satisfies(TenantCommandsIT::isRefusedInOneLine)
                .extracting(TestRun::err)
                .asString()
                .contains("forbidden: ", "nor has the operator an answer: the operator cannot be looked up");
        bind("tenant", HOME, "Role", "lightpath-ask");
        all.eventually(
                "the role holds",
                () -> assertThat(run(tenant.file(), "plan", "-f", file.toString())
                                .exitCode())
                        .isZero());
        assertThat(run(tenant.file(), "explain", "tj/alpha").out()).contains("TrainingJob " + OURS + "/alpha: Ready");
    }

    @Test
    void badManifestsAreRefusedInOneLineThatNamesTheField() throws IOException {
        assertThat(plan(tenant, job("bad", 1, 0).replace("\"tensor\": 8", "\"tensor\": 0")))
                .satisfies(TenantCommandsIT::isRefusedInOneLine)
                .extracting(TestRun::err)
                .asString()
                .contains("spec.parallelism.tensor");
        assertThat(plan(tenant, job("a", 1, 0) + "---\n" + job("b", 1, 0).replace(OURS, THEIRS)))
                .satisfies(TenantCommandsIT::isRefusedInOneLine)
                .extracting(TestRun::err)
                .asString()
                .contains("one namespace at a time");
        assertThat(asked(tenant, "explain", "tj/alpa"))
                .satisfies(TenantCommandsIT::isRefusedInOneLine)
                .extracting(TestRun::err)
                .asString()
                .contains("alpha");
    }

    private static void isRefusedInOneLine(TestRun run) {
        assertThat(run.exitCode()).as(run.out()).isEqualTo(2);
        assertThat(run.err()).hasLineCount(1);
    }

    @Test
    void theOperatorBelievesNoManifestAndNoNameOfANamespace() throws IOException, InterruptedException {
        String items = "{\"items\": [%s]}";
        String good = job("one", 1, 0);
        refuses(401, "/plan/" + OURS, "wrong", items.formatted(good), "does not know this token");
        refuses(403, "/plan/" + THEIRS, tenant.token(), items.formatted(good), "may not create trainingjobs");
        refuses(403, "/plan/" + OURS, editor.token(), items.formatted(good), "lightpath-use");
        refuses(400, "/plan/" + OURS, tenant.token(), "{", "the body");
        refuses(400, "/plan/" + OURS, tenant.token(), "[".repeat(100_000), "the body");
        refuses(400, "/plan/" + OURS, tenant.token(), "{}", "items: allowed is a list of 1 to 8");
        String nine = String.join(",", Collections.nCopies(9, good));
        refuses(400, "/plan/" + OURS, tenant.token(), items.formatted(nine), "items: allowed is a list of 1 to 8");
        refuses(
                400,
                "/plan/" + OURS,
                tenant.token(),
                items.formatted(good.replace(OURS, THEIRS)),
                "items[0].metadata.namespace: allowed here is " + OURS);
        refuses(
                400,
                "/plan/" + OURS,
                tenant.token(),
                items.formatted(good.replace("TrainingJob", "ClusterRole")),
                "items[0].kind: allowed here is TrainingJob");
        refuses(
                422,
                "/plan/" + OURS,
                tenant.token(),
                items.formatted(good.replace("\"data\": 1", "\"data\": 2000000000")),
                "spec.parallelism.data");
        refuses(413, "/plan/" + OURS, tenant.token(), " ".repeat(4 << 20), "the body is too large");
        assertThat(client.resources(TrainingJob.class).inNamespace(OURS).list().getItems())
                .singleElement()
                .satisfies(job -> assertThat(job.getMetadata().getName()).isEqualTo("alpha"));
    }

    private void refuses(int status, String path, String token, String body, String why)
            throws IOException, InterruptedException {
        HttpResponse<String> answer = post(path, token, body);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
        assertThat(answer.body()).hasLineCount(1).contains(why);
    }
}
