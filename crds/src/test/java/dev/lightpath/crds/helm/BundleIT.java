package dev.lightpath.crds.helm;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.lightpath.crds.apiserver.ApiServer;
import dev.lightpath.crds.apiserver.ApiServerExtension;
import dev.lightpath.crds.apiserver.ControlPlaneBinaries;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What {@code deploy/olm/build} makes: the same rights, pod and definitions that kubectl applies. */
@ExtendWith(ApiServerExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class BundleIT {
    private static final Path CHECKOUT = ControlPlaneBinaries.checkout();
    private static final ObjectMapper YAML = new YAMLMapper();

    private final ApiServer server;
    private final Map<String, JsonNode> objects = new TreeMap<>();

    private Path folder;

    BundleIT(ApiServer server) {
        this.server = server;
    }

    private record Outcome(int code, String output, String error) {}

    private Outcome build(String... arguments) throws IOException, InterruptedException {
        Path error = Files.createTempFile(folder, "error", ".txt");
        Process process = new ProcessBuilder(Stream.concat(
                                Stream.of(CHECKOUT.resolve("deploy/olm/build").toString()), Arrays.stream(arguments))
                        .toList())
                .redirectError(error.toFile())
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Outcome(process.waitFor(), output, Files.readString(error));
    }

    @BeforeAll
    void make(@TempDir Path scratch) throws IOException, InterruptedException {
        folder = scratch;
        Programs.prepare();
        Path bundle = folder.resolve("bundle");
        Outcome made = build(
                "--output",
                bundle.toString(),
                "--version",
                "1.2.3",
                "--registry",
                "registry.example/lightpath",
                "--replaces",
                "1.2.2");
        assertThat(made.code()).as(made.error()).isZero();
        try (Stream<Path> files = Files.list(bundle.resolve("manifests"))) {
            for (Path file : files.toList()) {
                assertThat(YAML.readerFor(JsonNode.class)
                                .readValues(file.toFile())
                                .readAll())
                        .as(file.toString())
                        .hasSize(1);
                JsonNode object = YAML.readTree(file.toFile());
                objects.put(
                        object.get("kind").asText() + " "
                                + object.at("/metadata/name").asText(),
                        object);
            }
        }
        assertThat(bundle.resolve("bundle.Dockerfile"))
                .content()
                .contains(
                        "LABEL operators.operatorframework.io.bundle.package.v1=lightpath",
                        "COPY manifests /manifests/");
    }

    private JsonNode version() {
        return objects.get("ClusterServiceVersion lightpath.v1.2.3");
    }

    /** The objects of files below deploy/kubernetes, by kind and name. */
    private static Map<String, JsonNode> manifests(String file) throws IOException {
        Map<String, JsonNode> read = new TreeMap<>();
        YAML.readerFor(JsonNode.class)
                .<JsonNode>readValues(
                        CHECKOUT.resolve("deploy/kubernetes").resolve(file).toFile())
                .forEachRemaining(object -> read.put(
                        object.get("kind").asText() + " "
                                + object.at("/metadata/name").asText(),
                        object));
        return read;
    }

    @Test
    void theOperatorHasTheRightsThatKubectlGivesIt() throws IOException {
        Map<String, JsonNode> access = manifests("access/operator.yaml");
        assertThat(version().at("/spec/install/spec/clusterPermissions/0/rules"))
                .isEqualTo(access.get("ClusterRole lightpath-operator").get("rules"));
        assertThat(version().at("/spec/install/spec/permissions/0/rules"))
                .isEqualTo(access.get("Role lightpath-operator").get("rules"));
        assertThat(version()
                        .at("/spec/install/spec/clusterPermissions/0/serviceAccountName")
                        .asText())
                .isEqualTo("lightpath-operator");
    }

    @Test
    void itsPodIsTheSameButForTheImage() throws IOException {
        String pod = manifests("operator/deployment.yaml")
                .get("Deployment lightpath-operator")
                .at("/spec")
                .toString()
                .replace(
                        "\"image\":\"lightpath-operator\"",
                        "\"image\":\"registry.example/lightpath/lightpath-operator:1.2.3\"");
        assertThat(version().at("/spec/install/spec/deployments/0/spec")).isEqualTo(new ObjectMapper().readTree(pod));
    }

    @Test
    void itOwnsEveryDefinitionWithAnExampleThatTheApiServerTakes() throws IOException {
        try (KubernetesClient client = server.client()) {
            JsonNode examples = new ObjectMapper()
                    .readTree(version().at("/metadata/annotations/alm-examples").asText());
            assertThat(version().at("/spec/customresourcedefinitions/owned").findValuesAsText("kind"))
                    .containsExactlyInAnyOrderElementsOf(examples.findValuesAsText("kind").stream()
                            .filter(kind -> !kind.isEmpty())
                            .toList())
                    .hasSize(4);
            for (JsonNode example : examples) {
                assertThat(objects.keySet().stream()
                                .filter(name -> name.startsWith("CustomResourceDefinition "))
                                .map(objects::get)
                                .map(definition ->
                                        definition.at("/spec/names/kind").asText()))
                        .contains(example.get("kind").asText());
                client.resource(example.toString())
                        .inNamespace("default")
                        .dryRun()
                        .create();
            }
        }
    }

    @Test
    void itHoldsWhatUsersAreBoundTo() throws IOException {
        manifests("access/users.yaml")
                .keySet()
                .forEach(name -> assertThat(objects).containsKey(name));
        assertThat(objects).containsKeys("Service lightpath-operator", "PodDisruptionBudget lightpath-operator");
        assertThat(Optional.ofNullable(version().at("/spec/replaces").textValue()))
                .contains("lightpath.v1.2.2");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            --version=1          | build: unknown argument --version=1
            --version 1          | build: --version 1: allowed is X.Y.Z or X.Y.Z-SUFFIX
            --replaces x         | build: --replaces x: allowed is X.Y.Z or X.Y.Z-SUFFIX
            --output             | build: --output: a value is missing
            """)
    void saysWhatIsWrong(String arguments, String message) throws IOException, InterruptedException {
        Outcome refused = build(arguments.split(" "));
        assertThat(refused.code()).isEqualTo(2);
        assertThat(refused.error()).startsWith(message).hasLineCount(1);
    }

    @Test
    void aFolderThatHoldsSomethingIsLeftAlone() throws IOException, InterruptedException {
        Path taken = Files.createDirectories(folder.resolve("taken"));
        Files.writeString(taken.resolve("file"), "mine");
        assertThat(build("--output", taken.toString()).error()).contains("is not empty");
    }
}
