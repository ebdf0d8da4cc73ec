package dev.lightpath.cli.cluster.support;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import dev.lightpath.cli.TestRun;
import dev.lightpath.cli.cluster.AccountKubeconfig;
import dev.lightpath.cli.cluster.show.Shown;
import dev.lightpath.crds.apiserver.ApiServer;
import dev.lightpath.crds.apiserver.ApiServerExtension;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** On a real API server. What pods log and say is looked at in deploy/real-node-story, where pods run. */
@ExtendWith(ApiServerExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SupportBundleIT {
    private static final Path ROOT = Path.of(System.getProperty("basedir", "."), "../..");
    private static final String PLANTED = "hunter2Hunter2hunter2";
    private static final String BASE64 = "aHVudGVyMkh1bnRlcjJodW50ZXIy";

    private Path folder;

    private KubernetesClient client;
    private Path kubeconfig;

    @BeforeAll
    void fill(ApiServer server, @TempDir Path files) throws IOException {
        folder = files;
        client = server.client();
        kubeconfig = Files.writeString(folder.resolve("kubeconfig"), server.kubeConfigYaml());
        for (String name : new String[] {"lightpath-system", "lightpath-drivers"}) {
            ApiServer.namespace(client, name);
        }
        try (InputStream yaml = new FileInputStream(
                ROOT.resolve("deploy/kubernetes/access/users.yaml").toFile())) {
            client.load(yaml).items().forEach(object -> client.resource(object).serverSideApply());
        }
        Shown.create(client);
        plant("""
                apiVersion: v1
                kind: Secret
                metadata: {name: login, namespace: lightpath-drivers}
                stringData: {password: %s}
                """);
        plant("""
                apiVersion: v1
                kind: ConfigMap
                metadata: {name: lightpath-driver, namespace: lightpath-drivers}
                data:
                  driver.yaml: |
                    adapters: [{kind: netconf-polatis, password: %s, endpoint: "10.0.0.9:830"}]
                """);
        plant("""
                apiVersion: v1
                kind: ServiceAccount
                metadata: {name: default, namespace: lightpath-system}
                """);
        plant("""
                apiVersion: v1
                kind: Pod
                metadata:
                  name: lightpath-operator-0
                  namespace: lightpath-system
                  labels: {app.kubernetes.io/name: lightpath-operator}
                spec:
                  containers:
                    - {name: operator, image: "lightpath-operator:0.1.0", args: ["--token", "%1$s"],
                       env: [{name: HARMLESS, value: "%1$s"}]}
                """);
        plant("""
                apiVersion: lightpath.dev/v1alpha1
                kind: TrainingJob
                metadata: {name: hides, namespace: default}
                spec:
                  model: {preset: gpt-7b}
                  parallelism: {tensor: 4, data: 1}
                  scaleUp: {fabric: ring-a}
                  workload:
                    template:
                      spec:
                        containers:
                          - {name: train, image: "registry.example/train", command: [sh, -c, "WANDB_API_KEY=%1$s python train.py"],
                             env: [{name: HF_TOKEN, value: "%1$s"}]}
                """);
        plant("""
                apiVersion: v1
                kind: Event
                metadata: {name: hides.1, namespace: default}
                involvedObject: {apiVersion: lightpath.dev/v1alpha1, kind: TrainingJob, name: hides, namespace: default}
                reason: Waiting
                message: "pulled from https://me:%s@registry.example/train"
                type: Normal
                """);
    }

    private void plant(String yaml) {
        try (InputStream in =
                new java.io.ByteArrayInputStream(yaml.formatted(PLANTED).getBytes(StandardCharsets.UTF_8))) {
            client.load(in).items().forEach(object -> client.resource(object).serverSideApply());
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @AfterAll
    void close() {
        client.close();
    }

    private TestRun run(Path as, String... more) {
        String[] all = new String[3 + more.length];
        all[0] = "support-bundle";
        all[1] = "--kubeconfig";
        all[2] = as.toString();
        System.arraycopy(more, 0, all, 3, more.length);
        return TestRun.of(all);
    }

    private static SortedMap<String, String> unpacked(Path file) throws IOException {
        SortedMap<String, String> texts = new TreeMap<>();
        try (ZipFile zip = new ZipFile(file.toFile())) {
            for (ZipEntry entry : zip.stream().toList()) {
                try (InputStream in = zip.getInputStream(entry)) {
                    texts.put(
                            entry.getName().replaceFirst("^lightpath-support-[0-9TZ]+/", ""),
                            new String(in.readAllBytes(), StandardCharsets.UTF_8));
                }
            }
        }
        return texts;
    }

    private static JsonNode yaml(String text) throws IOException {
        return new ObjectMapper(new YAMLFactory()).readTree(text);
    }

    @Test
    void showsWhatThereIsAndNoSecret() throws IOException {
        Path file = folder.resolve("all.zip");
        TestRun run = run(kubeconfig, "--file", file.toString(), "-o", "json");
        assertThat(run.exitCode()).as(run.err()).isZero();
        SortedMap<String, String> texts = unpacked(file);
        texts.forEach((path, text) -> assertThat(text).as(path).doesNotContain(PLANTED, BASE64));
        assertThat(texts.keySet())
                .contains(
                        "about.json",
                        "doctor.json",
                        "objects/opticalfabrics.lightpath.dev.yaml",
                        "objects/trainingjobs.lightpath.dev.yaml",
                        "objects/nodes.yaml",
                        "objects/of-jobs/events.yaml",
                        "objects/lightpath-system/pods.yaml",
                        "objects/lightpath-drivers/configmaps.yaml",
                        "objects/clusterroles.rbac.authorization.k8s.io.yaml");
        assertThat(texts.keySet()).noneMatch(path -> path.contains("secrets"));
        assertThat(yaml(texts.get("objects/nodes.yaml")).get("items")).hasSizeGreaterThan(1);
        assertThat(texts.get("objects/trainingjobs.lightpath.dev.yaml")).contains("name: \"hides\"", "HF_TOKEN");
        assertThat(texts.get("objects/of-jobs/events.yaml")).contains("registry.example/train");
        assertThat(texts.get("objects/lightpath-drivers/configmaps.yaml")).contains("10.0.0.9:830");
        JsonNode about = new ObjectMapper().readTree(texts.get("about.json"));
        assertThat(about).isEqualTo(run.json());
        assertThat(about.get("apiServer").asText()).startsWith("v1.");
        assertThat(about.get("missing"))
                .allMatch(each -> each.get("what").asText().contains("lightpath-operator-0"));
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
    }

    @Test
    void whatTheCallerMayNotReadIsNamedAndTheRestIsThere() throws IOException, InterruptedException {
        plant("""
                apiVersion: v1
                kind: ServiceAccount
                metadata: {name: viewer, namespace: default}
                """);
        plant("""
                apiVersion: rbac.authorization.k8s.io/v1
                kind: ClusterRoleBinding
                metadata: {name: viewer}
                roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: lightpath-view}
                subjects: [{kind: ServiceAccount, name: viewer, namespace: default}]
                """);
        Path view = AccountKubeconfig.write(client, "default", "viewer", folder.resolve("viewer.kubeconfig"))
                .file();
        // a role holds a moment after it was written
        for (int tries = 0;
                tries < 300
                        && TestRun.of("status", "--kubeconfig", view.toString()).exitCode() != 0;
                tries++) {
            Thread.sleep(100);
        }
        Path file = folder.resolve("view.zip");
        TestRun run = run(view, "--file", file.toString());
        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(unpacked(file).keySet())
                .contains("objects/trainingjobs.lightpath.dev.yaml", "doctor.json")
                .doesNotContain("objects/nodes.yaml");
        assertThat(run.out()).contains("nodes").contains("forbidden");
        assertThat(run.err()).contains("view.zip").contains("Read it before you give it away");
    }

    @Test
    void showsTenantsOfOneNamespace() throws IOException {
        Path file = folder.resolve("one.zip");
        assertThat(run(kubeconfig, "-n", "lightpath-system", "--file", file.toString())
                        .exitCode())
                .isZero();
        assertThat(yaml(unpacked(file).get("objects/trainingjobs.lightpath.dev.yaml"))
                        .get("items"))
                .isEmpty();
    }

    @Test
    void refusesInOneLine() throws IOException {
        Path there = Files.createFile(folder.resolve("there.zip"));
        assertThat(run(kubeconfig, "--file", there.toString()).err())
                .hasLineCount(1)
                .contains("there.zip: is there already");
        assertThat(there).isEmptyFile();
        assertThat(run(
                                kubeconfig,
                                "--file",
                                folder.resolve("no/such/folder.zip").toString())
                        .err())
                .hasLineCount(1)
                .contains("folder.zip: cannot be written");
        TestRun hours = run(kubeconfig, "--hours", "0");
        assertThat(hours.exitCode()).isEqualTo(2);
        assertThat(hours.err()).hasLineCount(1).contains("--hours 0: allowed is 1 to 8760");
    }
}
