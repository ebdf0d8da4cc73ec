package dev.lightpath.crds.helm;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/** @param all by kind, namespace and name: {@code Role lightpath-system/lightpath-operator}, {@code Namespace /x} */
record Objects(SortedMap<String, JsonNode> all) {
    private static final YAMLMapper YAML = new YAMLMapper();

    static Objects read(String yaml) throws IOException {
        SortedMap<String, JsonNode> all = new TreeMap<>();
        // the API server reads a number with a leading 0 as octal (YAML 1.1), this reader does not
        String decimal = yaml.replace("defaultMode: 0440", "defaultMode: 288");
        try (var documents = YAML.readerFor(JsonNode.class).<JsonNode>readValues(decimal)) {
            for (JsonNode object : documents.readAll()) {
                if (!object.isNull() && !object.isMissingNode()) {
                    assertThat(all.put(key(object), object))
                            .as(key(object) + " twice")
                            .isNull();
                }
            }
        }
        return new Objects(all);
    }

    private static String key(JsonNode object) {
        return object.get("kind").asText() + " "
                + object.at("/metadata/namespace").asText() + "/"
                + object.at("/metadata/name").asText();
    }

    JsonNode get(String key) {
        JsonNode object = all.get(key);
        assertThat(object).as(key + " among " + all.keySet()).isNotNull();
        return object;
    }

    /** Those of other kinds. */
    Objects without(Set<String> kinds) {
        SortedMap<String, JsonNode> rest = new TreeMap<>(all);
        rest.values().removeIf(object -> kinds.contains(object.get("kind").asText()));
        return new Objects(rest);
    }

    Objects and(Objects others) {
        SortedMap<String, JsonNode> both = new TreeMap<>(all);
        both.putAll(others.all);
        return new Objects(both);
    }

    String yaml() throws IOException {
        var text = new StringBuilder();
        for (Map.Entry<String, JsonNode> object : all.entrySet()) {
            text.append(YAML.writeValueAsString(object.getValue()));
        }
        return text.toString();
    }
}
