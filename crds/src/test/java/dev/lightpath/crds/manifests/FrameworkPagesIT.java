package dev.lightpath.crds.manifests;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.lightpath.crds.apiserver.ApiServer;
import dev.lightpath.crds.apiserver.ApiServerExtension;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.FieldValidateable.Validation;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The API server takes the job of each page about a framework, and its pod template as one of pods. So it does with
 * what the page about a first switch applies.
 */
@ExtendWith(ApiServerExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FrameworkPagesIT {
    private static final Path PAGES = Path.of("..", "docs", "frameworks");
    private static final Path FIRST_SWITCH = Path.of("..", "docs", "procedures", "first-switch.md");
    private static final Path INSTALL = Path.of("..", "docs", "install.md");
    private static final Pattern FENCED = Pattern.compile("(?ms)^ *```yaml\n(.*?)^ *```$");

    private final KubernetesClient client;

    FrameworkPagesIT(ApiServer server) {
        client = server.client();
    }

    @AfterAll
    void closeClient() {
        client.close();
    }

    static List<Path> pages() throws IOException {
        try (Stream<Path> files = Files.list(PAGES)) {
            List<Path> pages =
                    files.filter(page -> !page.endsWith("README.md")).sorted().toList();
            assertThat(pages).hasSizeGreaterThan(3);
            return pages;
        }
    }

    @ParameterizedTest
    @MethodSource("pages")
    void serverTakesTheJobOfThePage(Path page) throws IOException {
        JsonNode job = trainingJob(PageManifest.first(page));
        tried(job);
        if (job.at("/spec/workload").has("ref")) {
            // what it refers to is tried with its controller (WorkloadsIT)
            return;
        }
        ObjectNode pods = JsonNodeFactory.instance.objectNode();
        pods.put("apiVersion", "v1").put("kind", "PodTemplate");
        pods.set("metadata", job.get("metadata"));
        pods.set("template", job.at("/spec/workload/template"));
        tried(pods);
    }

    @Test
    void serverTakesTheFabricAndTheSwitchOfTheFirstSwitch() throws IOException {
        List<JsonNode> objects = fenced(FIRST_SWITCH);
        assertThat(objects.stream().map(object -> object.path("kind").asText()))
                .containsExactly("OpticalFabric", "OpticalSwitch");
        objects.forEach(this::tried);
    }

    @Test
    void serverTakesFabricsAndJobsOfTheInstallation() throws IOException {
        List<JsonNode> objects = fenced(INSTALL);
        assertThat(objects.stream().map(object -> object.path("kind").asText()))
                .containsExactly("OpticalFabric", "TrainingJob", "OpticalFabric", "TrainingJob");
        objects.forEach(this::tried);
    }

    private static List<JsonNode> fenced(Path page) throws IOException {
        return FENCED.matcher(Files.readString(page))
                .results()
                .map(block -> block.group(1).stripTrailing().stripIndent())
                .filter(block -> block.startsWith("apiVersion:"))
                .flatMap(block -> Stream.of(block.split("(?m)^---$")))
                .map(manifest -> Serialization.unmarshal("---\n" + manifest, JsonNode.class))
                .toList();
    }

    private void tried(JsonNode object) {
        assertThat(client.resource(client.getKubernetesSerialization()
                                .convertValue(object, GenericKubernetesResource.class))
                        .dryRun()
                        .fieldValidation(Validation.STRICT)
                        .create())
                .isNotNull();
    }

    private static JsonNode trainingJob(String manifests) {
        return Stream.of(manifests.split("(?m)^---$"))
                .map(manifest -> Serialization.unmarshal("---\n" + manifest, JsonNode.class))
                .filter(object -> object.path("kind").asText().equals("TrainingJob"))
                .findFirst()
                .orElseThrow();
    }
}
