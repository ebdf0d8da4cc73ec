package dev.lightpath.crds.manifests;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class CorpusTest {

    private static final Path DEFINITIONS = Path.of("src/main/kubernetes");

    @Test
    void everyFileIsUsed() throws IOException {
        var used = new HashSet<Path>();
        Stream.concat(Manifest.valid(), Manifest.invalid()).map(Manifest::file).forEach(used::add);
        try (Stream<Path> files = Files.walk(Manifest.CORPUS)) {
            assertThat(files.filter(Files::isRegularFile)).containsExactlyInAnyOrderElementsOf(used);
        }
    }

    @Test
    void everyInvalidFileSaysWhatIsRefused() throws IOException {
        for (Manifest manifest : Manifest.invalid().toList()) {
            assertThat(manifest.refusal()).as(manifest.toString()).isNotBlank();
        }
        for (Manifest manifest : Manifest.valid().toList()) {
            assertThat(manifest.refusal()).as(manifest.toString()).isEmpty();
        }
    }

    @Test
    void everyRuleRefusesSomething() throws IOException {
        var refusals = new ArrayList<String>();
        for (Manifest manifest : Manifest.invalid().toList()) {
            refusals.add(manifest.refusal());
        }
        for (JsonNode definition : definitions().values()) {
            for (JsonNode rules : definition.findValues("x-kubernetes-validations")) {
                for (JsonNode rule : rules) {
                    assertThat(refusals)
                            .as(rule.get("rule").asText())
                            .anyMatch(rule.get("message").asText()::contains);
                }
            }
        }
    }

    @Test
    void everyFieldIsInSomeValidFile() throws IOException {
        Map<String, Set<String>> used = new TreeMap<>();
        for (Manifest manifest : Manifest.valid().toList()) {
            for (JsonNode document : manifest.documents()) {
                Set<String> paths = used.computeIfAbsent(document.get("kind").asText(), ignored -> new TreeSet<>());
                paths(document.path("spec"), "spec", paths);
                paths(document.path("status"), "status", paths);
            }
        }
        for (JsonNode definition : definitions().values()) {
            Set<String> defined = new TreeSet<>();
            fields(definition.at("/spec/versions/0/schema/openAPIV3Schema"), "", defined);
            String kind = definition.at("/spec/names/kind").asText();
            assertThat(used.getOrDefault(kind, Set.of())).as(kind).containsAll(defined);
        }
    }

    private static Map<String, JsonNode> definitions() throws IOException {
        var definitions = new TreeMap<String, JsonNode>();
        try (Stream<Path> files = Files.list(DEFINITIONS)) {
            for (Path file :
                    files.filter(path -> path.toString().endsWith("-v1.yaml")).toList()) {
                definitions.put(file.toString(), new YAMLMapper().readTree(file.toFile()));
            }
        }
        return definitions;
    }

    private static void paths(JsonNode value, String path, Set<String> into) {
        into.add(path);
        value.properties().forEach(property -> paths(property.getValue(), path + "." + property.getKey(), into));
        if (value.isArray()) {
            value.forEach(item -> paths(item, path, into));
        }
    }

    private static void fields(JsonNode schema, String path, Set<String> into) {
        for (Map.Entry<String, JsonNode> property : schema.path("properties").properties()) {
            String name = path.isEmpty() ? property.getKey() : path + "." + property.getKey();
            if (!name.endsWith("matchExpressions")) {
                into.add(name);
                JsonNode field = property.getValue();
                fields(field.has("items") ? field.get("items") : field, name, into);
            }
        }
    }
}
