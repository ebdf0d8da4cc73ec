package dev.lightpath.crds.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** The reference of all fields, from the definitions. */
final class ReferencePage {

    private static final Pattern BAR = Pattern.compile("\\|");
    private static final int LONGEST_LINE = 120;

    private final StringBuilder page = new StringBuilder();
    private final List<String> rules = new ArrayList<>();

    private ReferencePage() {}

    static String of(Collection<ObjectNode> definitions) {
        var reference = new ReferencePage();
        reference.page.append("""
                # Resources

                Every field of `lightpath.dev/v1alpha1`, generated from the definitions in `crds/src/main/kubernetes`. A field with a
                default may be omitted; **required** ones may not. What the rules refuse, the API server refuses, with the same words.
                """);
        definitions.forEach(reference::resource);
        return reference.page.toString();
    }

    private void resource(ObjectNode definition) {
        JsonNode spec = definition.get("spec");
        JsonNode schema = spec.at("/versions/0/schema/openAPIV3Schema");
        page.append("\n## %s\n\n%s\n\n"
                .formatted(
                        spec.at("/names/kind").asText(),
                        schema.get("description").asText()));
        page.append("%s, short name `%s`.\n"
                .formatted(
                        spec.get("scope").asText().equals("Cluster") ? "Cluster-scoped" : "Namespaced",
                        spec.at("/names/shortNames/0").asText()));
        rules.clear();
        remember("", schema);
        for (String part : List.of("spec", "status")) {
            JsonNode fields = schema.at("/properties/" + part);
            page.append("\n### %s\n\n%s\n\n"
                    .formatted(part, fields.get("description").asText()));
            page.append("| field | type | | meaning |\n|---|---|---|---|\n");
            remember(part, fields);
            rows("", part, fields);
        }
        if (!rules.isEmpty()) {
            page.append("\n### rules\n\n");
            rules.forEach(rule -> page.append(folded("* " + rule)).append('\n'));
        }
    }

    /** In lines of prose: those after the first are indented. */
    private static String folded(String line) {
        StringBuilder folded = new StringBuilder();
        int room = LONGEST_LINE;
        for (String word : line.split(" ")) {
            if (!folded.isEmpty()) {
                boolean fits = word.length() < room;
                folded.append(fits ? " " : "\n  ");
                room = fits ? room - 1 : LONGEST_LINE - 2;
            }
            folded.append(word);
            room -= word.length();
        }
        return folded.toString();
    }

    private void rows(String prefix, String rulePath, JsonNode schema) {
        Set<String> required = new TreeSet<>();
        schema.path("required").forEach(name -> required.add(name.asText()));
        for (Map.Entry<String, JsonNode> property : schema.path("properties").properties()) {
            JsonNode field = property.getValue();
            String name = prefix + property.getKey();
            page.append("| `%s` | %s | %s | %s |\n"
                    .formatted(
                            name,
                            type(field),
                            need(field, required.contains(property.getKey())),
                            cell(field.path("description").asText())));
            if (property.getKey().equals("conditions")) {
                continue;
            }
            boolean list = field.has("items");
            JsonNode inner = list ? field.get("items") : field;
            String path = rulePath + "." + property.getKey() + (list ? "[]" : "");
            remember(path, inner);
            rows(name + (list ? "[]." : "."), path, inner);
        }
    }

    private void remember(String path, JsonNode schema) {
        for (JsonNode rule : schema.path("x-kubernetes-validations")) {
            String where = path.isEmpty() ? "" : "`" + path + "`: ";
            rules.add(where + rule.get("message").asText());
        }
    }

    private static String type(JsonNode field) {
        if (field.has("enum")) {
            List<String> words = new ArrayList<>();
            field.get("enum").forEach(word -> words.add("`" + word.asText() + "`"));
            return String.join(", ", words);
        }
        if (field.has("items")) {
            return "list of "
                    + (field.at("/items/properties").isMissingNode()
                            ? field.at("/items/type").asText()
                            : "objects");
        }
        if (field.path("x-kubernetes-int-or-string").asBoolean()) {
            return "integer or string";
        }
        return field.path("type").asText() + range(field);
    }

    private static String range(JsonNode field) {
        if (field.has("minimum") && field.has("maximum")) {
            return ", %s..%s"
                    .formatted(
                            field.get("minimum").asText(), field.get("maximum").asText());
        }
        return "";
    }

    private static String need(JsonNode field, boolean required) {
        if (required) {
            return "**required**";
        }
        JsonNode value = field.path("default");
        return value.isValueNode() ? "default `" + value.asText() + "`" : "";
    }

    private static String cell(String text) {
        return BAR.matcher(text).replaceAll("\\\\|");
    }
}
