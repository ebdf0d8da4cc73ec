package dev.lightpath.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.lightpath.cli.Lightpath;
import dev.lightpath.cli.TestRun;
import dev.lightpath.cli.cluster.change.Act;
import dev.lightpath.cli.cluster.show.LightDiffTest;
import dev.lightpath.cli.cluster.show.Shown;
import dev.lightpath.crds.LightpathNames;
import dev.lightpath.crds.apiserver.ApiServer;
import dev.lightpath.crds.apiserver.ApiServerExtension;
import dev.lightpath.crds.fabric.OpticalFabric;
import dev.lightpath.crds.opticalswitch.OpticalSwitch;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.ServiceAccountBuilder;
import io.fabric8.kubernetes.api.model.authentication.TokenReviewBuilder;
import io.fabric8.kubernetes.api.model.authorization.v1.SubjectAccessReviewBuilder;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBindingBuilder;
import io.fabric8.kubernetes.api.model.rbac.RoleBindingBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * The table of docs/reference/cli.md: each command, run as a service account that has nothing but the shipped roles.
 */
@ExtendWith(ApiServerExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RolesIT {
    private static final Path ROOT = Path.of(System.getProperty("basedir", "."), "../..");
    private static final String HOME = "lightpath-system";
    /** Of a tenth of a second and a command each. */
    private static final int MOST_TRIES = 300;

    private static final Set<String> WITHOUT_A_CLUSTER =
            Set.of("help", "generate-completion", "certificates", "delta", "polarfly", "ring", "stripe", "torus");

    private KubernetesClient client;
    private HttpServer operator;
    /** What the operator says to whom it may. */
    private String explanation;

    private Path folder;
    private List<String> columns;
    private Map<String, List<String>> rows;

    @BeforeAll
    void fill(ApiServer server, @TempDir Path files) throws IOException {
        folder = files;
        List<List<String>> table = table(Files.readString(ROOT.resolve("docs/reference/cli.md")));
        columns = table.getFirst().subList(1, table.getFirst().size());
        rows = table.stream()
                .skip(2)
                .collect(Collectors.toMap(row -> row.getFirst().replace("`", ""), row -> row.subList(1, row.size())));
        client = server.client();
        ApiServer.namespace(client, HOME);
        for (String file : List.of("users.yaml", "nodes-policy.yaml")) {
            try (InputStream yaml = new FileInputStream(
                    ROOT.resolve("deploy/kubernetes/access").resolve(file).toFile())) {
                client.load(yaml)
                        .items()
                        .forEach(object -> client.resource(object).serverSideApply());
            }
        }
        Shown.create(client);
        client.resource(client.getKubernetesSerialization().unmarshal("""
                apiVersion: lightpath.dev/v1alpha1
                kind: OpticalFabric
                metadata: {name: spine}
                spec: {ocs: {gpusPerNode: 4, topology: {logical: {}}, pods: [{name: p0, index: 0, ports: 2, gpus: 8}]}}
                """, OpticalFabric.class))
                .create();
        Files.writeString(folder.resolve("job.yaml"), """
                apiVersion: lightpath.dev/v1alpha1
                kind: TrainingJob
                metadata: {name: small}
                spec:
                  model: {preset: gpt-7b}
                  parallelism: {tensor: 4, data: 1}
                  scaleUp: {fabric: ring-a}
                """);
        Path admin = Files.writeString(folder.resolve("admin.kubeconfig"), server.kubeConfigYaml());
        Files.writeString(
                folder.resolve("backup.json"),
                TestRun.of("export", "--kubeconfig", admin.toString()).out());
        explanation = TestRun.of("explain", "tj/llm", "-o", "json", "--kubeconfig", admin.toString())
                .out();
        operator = operator();
        // of an operator that has ended: who looks for it looks for its pod
        client.resource(new LeaseBuilder()
                        .withNewMetadata()
                        .withNamespace(HOME)
                        .withName(LightpathNames.LEASE)
                        .endMetadata()
                        .withNewSpec()
                        .withHolderIdentity("lightpath-operator-0-1a2b3c4d")
                        .withRenewTime(ZonedDateTime.now().minusHours(1))
                        .endSpec()
                        .build())
                .create();
        client.resource(new ConfigMapBuilder()
                        .withNewMetadata()
                        .withNamespace(HOME)
                        .withName(LightpathNames.EPOCH_CONFIG_MAP)
                        .endMetadata()
                        .addToData(LightpathNames.EPOCH_KEY, "3")
                        .addToData(LightpathNames.VIEW_KEY, url() + "/view")
                        .build())
                .create();
    }

    @AfterAll
    void close() {
        operator.stop(0);
        client.close();
    }

    @Test
    void thePageNamesEveryCommandThatAsksACluster() {
        Set<String> commands =
                new TreeSet<>(Lightpath.commandLine().getSubcommands().keySet());
        commands.removeAll(WITHOUT_A_CLUSTER);
        commands.remove("doctor"); // whatever it may not read is one of its findings: DoctorIT
        commands.remove("support-bundle"); // likewise missing in it: SupportBundleIT
        commands.remove("driver"); // asks a driver by a Secret that no role may read: DriverTransferIT
        // shows what its user may list, and runs until it is ended
        commands.remove("console");
        Set<String> named = new TreeSet<>();
        rows.keySet().forEach(row -> named.add(row.split(" ", 2)[0]));
        assertThat(named).isEqualTo(commands);
    }

    /**
     * Roles hold a moment after they were written, so what is allowed is asked until it is, and what is not thereafter.
     */
    @Test
    void eachRoleMayRunWhatThePageSaysAndNothingElse() throws IOException, InterruptedException {
        List<String> wrong = new ArrayList<>();
        for (int column = 0; column < columns.size(); column++) {
            Path kubeconfig = account("c" + column, columns.get(column));
            for (String command : allowed(column)) {
                TestRun run = run(command, kubeconfig);
                for (int tries = 0; run.exitCode() != 0 && tries < MOST_TRIES; tries++) {
                    Thread.sleep(100);
                    run = run(command, kubeconfig);
                }
                if (run.exitCode() != 0) {
                    wrong.add(columns.get(column) + " may not " + command + ": " + run.err());
                }
            }
            for (String command : rows.keySet()) {
                if (!allowed(column).contains(command)) {
                    TestRun run = run(command, kubeconfig);
                    if (run.exitCode() != 2 || !run.err().contains("forbidden")) {
                        wrong.add(columns.get(column) + " is not refused " + command + ": " + run.exitCode() + " "
                                + run.err());
                    }
                }
            }
        }
        assertThat(wrong).isEmpty();
    }

    /** What the API server would answer to a port forward: there is no kubelet here to forward to. */
    @Test
    void inspectionMayForwardToTheOperatorAlone() throws IOException, InterruptedException {
        account("inspector", "`lightpath-inspect`");
        String user = "system:serviceaccount:default:inspector";
        for (int tries = 0; tries < MOST_TRIES && !may(user, HOME, "list", "", "pods", ""); tries++) {
            Thread.sleep(100);
        }
        assertThat(may(user, HOME, "create", "", "pods", "portforward")).isTrue();
        assertThat(may(user, "default", "create", "", "pods", "portforward")).isFalse();
    }

    private List<String> allowed(int column) {
        return rows.keySet().stream()
                .filter(command -> {
                    String cell = rows.get(command).get(column);
                    assertThat(cell).as(command + ", column " + column).isIn("yes", "no");
                    return cell.equals("yes");
                })
                .sorted()
                .toList();
    }

    private TestRun run(String command, Path kubeconfig) {
        Act.patch(
                client.resources(OpticalFabric.class).withName("ring-a"),
                Act.spec("paused", command.startsWith("resume")));
        Act.patch(
                client.resources(OpticalSwitch.class).withName("ocs-3"),
                Act.spec("drained", command.startsWith("undrain")));
        client.resources(OpticalSwitch.class)
                .withName("ocs-3")
                .patch(
                        PatchContext.of(PatchType.JSON_MERGE),
                        "{\"metadata\": {\"annotations\": {\"lightpath.dev/discover\": null}}}");
        OpticalFabric fabric = Shown.fabric();
        if (command.startsWith("accept-devices")) {
            var ready = fabric.getStatus().conditions().getFirst();
            ready.setStatus("False");
            ready.setReason("LedgerOlderThanDevices");
        }
        client.resource(fabric).patchStatus();
        List<String> arguments = new ArrayList<>(Arrays.asList(command.replace("URL", url())
                .replace("backup.json", folder.resolve("backup.json").toString())
                .replace("job.yaml", folder.resolve("job.yaml").toString())
                .split(" ")));
        arguments.addAll(List.of("--kubeconfig", kubeconfig.toString()));
        return TestRun.of(arguments.toArray(String[]::new));
    }

    /** A service account with the roles of a column, and its kubeconfig. */
    private Path account(String name, String roles) throws IOException {
        client.resource(new ServiceAccountBuilder()
                        .withNewMetadata()
                        .withNamespace("default")
                        .withName(name)
                        .endMetadata()
                        .build())
                .create();
        for (String role : roles.replace("`", "").split(" and ")) {
            switch (role) {
                case "edit" -> AccountKubeconfig.bindEdit(client, "default", name);
                case "lightpath-inspect" ->
                    client.resource(new RoleBindingBuilder()
                                    .withNewMetadata()
                                    .withNamespace(HOME)
                                    .withName(name + "-" + role)
                                    .endMetadata()
                                    .withNewRoleRef("rbac.authorization.k8s.io", "Role", role)
                                    .addNewSubject("", "ServiceAccount", name, "default")
                                    .build())
                            .create();
                default ->
                    client.resource(new ClusterRoleBindingBuilder()
                                    .withNewMetadata()
                                    .withName(name + "-" + role)
                                    .endMetadata()
                                    .withNewRoleRef("rbac.authorization.k8s.io", "ClusterRole", role)
                                    .addNewSubject("", "ServiceAccount", name, "default")
                                    .build())
                            .create();
            }
        }
        return AccountKubeconfig.write(client, "default", name, folder.resolve(name + ".kubeconfig"))
                .file();
    }

    private String url() {
        return "http://127.0.0.1:" + operator.getAddress().getPort();
    }

    /** Answers as the operator's pages do: to whom the token belongs and whether that one may look. */
    private HttpServer operator() throws IOException {
        HttpServer view = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        view.createContext("/view", exchange -> {
            answer(
                    exchange,
                    may(user(exchange), "", "get", "lightpath.dev", "opticalfabrics", "view"),
                    LightDiffTest.VIEW);
        });
        view.createContext("/explain/", exchange -> {
            String user = user(exchange);
            answer(
                    exchange,
                    may(user, "default", "get", "lightpath.dev", "trainingjobs", "")
                            && may(user, "default", "get", "lightpath.dev", "fabricslices", ""),
                    explanation);
        });
        view.createContext(
                "/plan/",
                exchange -> answer(
                        exchange,
                        may(user(exchange), "default", "create", "lightpath.dev", "trainingjobs", ""),
                        "{\"jobs\": [], \"scaleOut\": []}"));
        view.start();
        return view;
    }

    private String user(HttpExchange exchange) {
        return client.tokenReviews()
                .create(new TokenReviewBuilder()
                        .withNewSpec()
                        .withToken(exchange.getRequestHeaders()
                                .getFirst("Authorization")
                                .replaceFirst("^Bearer ", ""))
                        .endSpec()
                        .build())
                .getStatus()
                .getUser()
                .getUsername();
    }

    private static void answer(HttpExchange exchange, boolean may, String said) throws IOException {
        byte[] answer = (may ? said : "forbidden").getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(may ? 200 : 403, answer.length);
        exchange.getResponseBody().write(answer);
        exchange.close();
    }

    private boolean may(String user, String namespace, String verb, String group, String resource, String part) {
        return client.authorization()
                .v1()
                .subjectAccessReview()
                .create(new SubjectAccessReviewBuilder()
                        .withNewSpec()
                        .withUser(user)
                        .withNewResourceAttributes()
                        .withNamespace(namespace)
                        .withVerb(verb)
                        .withGroup(group)
                        .withResource(resource)
                        .withSubresource(part)
                        .endResourceAttributes()
                        .endSpec()
                        .build())
                .getStatus()
                .getAllowed();
    }

    private static List<List<String>> table(String page) {
        List<List<String>> table = page.substring(page.indexOf("### Who may run what"))
                .lines()
                .dropWhile(line -> !line.startsWith("|"))
                .takeWhile(line -> line.startsWith("|"))
                .map(line -> Arrays.stream(line.substring(1).split("\\|"))
                        .map(String::strip)
                        .toList())
                .toList();
        assertThat(table).allSatisfy(row -> assertThat(row).hasSameSizeAs(table.getFirst()));
        return table;
    }
}
