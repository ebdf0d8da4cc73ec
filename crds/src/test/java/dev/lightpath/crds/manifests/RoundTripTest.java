package dev.lightpath.crds.manifests;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.lightpath.crds.fabric.OpticalFabric;
import dev.lightpath.crds.job.TrainingJob;
import dev.lightpath.crds.opticalswitch.OpticalSwitch;
import dev.lightpath.crds.slice.FabricSlice;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class RoundTripTest {

    private static final Map<String, Class<? extends CustomResource<?, ?>>> TYPES = Map.of(
            "OpticalFabric", OpticalFabric.class,
            "OpticalSwitch", OpticalSwitch.class,
            "TrainingJob", TrainingJob.class,
            "FabricSlice", FabricSlice.class);

    /** Their content is not ours: whatever is in there, is kept. */
    private static final Set<String> OPAQUE =
            Set.of("metadata", "template", "conditions", "nodeSelector", "allowedNamespaces");

    private final KubernetesSerialization json = new KubernetesSerialization();

    @ParameterizedTest
    @MethodSource("dev.lightpath.crds.manifests.Manifest#valid")
    void writesWhatItRead(Manifest manifest) throws IOException {
        for (JsonNode document : manifest.documents()) {
            CustomResource<?, ?> read = read(document);
            JsonNode written = tree(read);
            assertThat(missing(document, written)).as("lost of %s", document).isEmpty();
            CustomResource<?, ?> again = read(written);
            assertThat(again.getSpec()).isEqualTo(read.getSpec());
            assertThat(again.getStatus()).isEqualTo(read.getStatus());
            assertThat(tree(again)).isEqualTo(written);
        }
    }

    @ParameterizedTest
    @MethodSource("dev.lightpath.crds.manifests.Manifest#valid")
    void ignoresFieldsOfNewerVersions(Manifest manifest) throws IOException {
        for (JsonNode document : manifest.documents()) {
            JsonNode newer = document.deepCopy();
            addUnknownFields(newer);
            CustomResource<?, ?> read = read(newer);
            assertThat(read.getSpec()).isEqualTo(read(document).getSpec());
            assertThat(tree(read.getStatus())).isEqualTo(tree(read(document).getStatus()));
        }
    }

    private CustomResource<?, ?> read(JsonNode document) {
        return json.convertValue(document, TYPES.get(document.get("kind").asText()));
    }

    private JsonNode tree(@Nullable Object value) {
        return json.unmarshal(json.asJson(value), JsonNode.class);
    }

    private static List<String> missing(JsonNode wanted, JsonNode found) {
        return paths("", wanted)
                .filter(path -> !path.startsWith("/metadata"))
                .filter(path -> !found.at(path).equals(wanted.at(path)))
                .toList();
    }

    private static Stream<String> paths(String path, JsonNode node) {
        if (node.isObject()) {
            return node.properties().stream()
                    .flatMap(property -> paths(
                            path + "/" + property.getKey().replace("~", "~0").replace("/", "~1"), property.getValue()));
        }
        return Stream.of(path);
    }

    private static void addUnknownFields(JsonNode node) {
        for (Map.Entry<String, JsonNode> property : node.properties()) {
            if (!OPAQUE.contains(property.getKey())) {
                addUnknownFields(property.getValue());
            }
        }
        if (node.isArray()) {
            node.forEach(RoundTripTest::addUnknownFields);
        }
        if (node instanceof ObjectNode object) {
            object.putObject("newerField").put("x", 1);
        }
    }
}
