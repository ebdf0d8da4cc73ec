package dev.lightpath.cli.delta;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.lightpath.console.text.BadInput;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * The structural schema of a custom resource, read from the definition that the API server gets, so that both check a
 * manifest alike. Unlike the API server this refuses an unknown field instead of dropping it. The readers of the values
 * check the CEL rules.
 */
public final class ManifestSchema {
    private static final Set<String> METADATA = Set.of(
            "annotations",
            "creationTimestamp",
            "deletionGracePeriodSeconds",
            "deletionTimestamp",
            "finalizers",
            "generateName",
            "generation",
            "labels",
            "managedFields",
            "name",
            "namespace",
            "ownerReferences",
            "resourceVersion",
            "selfLink",
            "uid");

    private final JsonNode root;
    private final String apiVersion;
    private final String kind;

    private ManifestSchema(JsonNode definition) {
        JsonNode version = definition.at("/spec/versions/0");
        this.root = version.at("/schema/openAPIV3Schema");
        this.kind = definition.at("/spec/names/kind").asText();
        this.apiVersion = definition.at("/spec/group").asText() + "/"
                + version.path("name").asText();
    }

    /** The schema of a resource by its plural name, for example {@code trainingjobs}. */
    public static ManifestSchema of(String plural) {
        String resource = "/META-INF/kubernetes/" + plural + ".lightpath.dev-v1.yaml";
        try (InputStream in = Objects.requireNonNull(ManifestSchema.class.getResourceAsStream(resource), resource)) {
            return new ManifestSchema(new YAMLMapper().readTree(in));
        } catch (IOException e) {
            throw new UncheckedIOException(resource, e);
        }
    }

    String kind() {
        return kind;
    }

    /**
     * Checks a whole manifest, depth first in the order of the schema.
     *
     * @throws BadInput naming the file, the first wrong field and what is allowed
     */
    public void check(JsonNode manifest, String file) {
        Fields top = Fields.of(manifest, file, "", Set.of("apiVersion", "kind", "metadata", "spec"), Set.of("status"));
        requireText(top, "kind", kind);
        requireText(top, "apiVersion", apiVersion);
        Set<String> metadata = new HashSet<>(METADATA);
        metadata.remove("name");
        Fields about = Fields.of(manifest.get("metadata"), file, "metadata", Set.of("name"), metadata);
        if (about.text("name").isBlank()) {
            throw about.wrong("name", "empty, allowed: the name of the object");
        }
        for (Map.Entry<String, JsonNode> part : root.path("properties").properties()) {
            if (manifest.has(part.getKey())) {
                check(manifest.get(part.getKey()), part.getValue(), file, part.getKey());
            }
        }
    }

    private static void requireText(Fields fields, String name, String allowed) {
        if (!fields.text(name).equals(allowed)) {
            throw fields.wrong(name, "'" + fields.text(name) + "', allowed: " + allowed);
        }
    }

    private static void check(JsonNode value, JsonNode schema, String file, String path) {
        if (schema.path("x-kubernetes-int-or-string").asBoolean()) {
            require(value.isIntegralNumber() || value.isTextual(), value, "a whole number or a string", file, path);
            return;
        }
        switch (schema.path("type").asText()) {
            case "object" -> checkObject(value, schema, file, path);
            case "array" -> checkArray(value, schema, file, path);
            case "integer" -> checkInteger(value, schema, file, path);
            case "string" -> checkString(value, schema, file, path);
            case "boolean" -> require(value.isBoolean(), value, "true or false", file, path);
            default -> require(value.isNumber(), value, "a number", file, path);
        }
    }

    private static void checkObject(JsonNode value, JsonNode schema, String file, String path) {
        if (schema.path("x-kubernetes-preserve-unknown-fields").asBoolean()) {
            require(value.isObject(), value, "an object", file, path);
            return;
        }
        JsonNode others = schema.path("additionalProperties");
        if (others.isObject()) {
            require(value.isObject(), value, "an object", file, path);
            value.properties().forEach(entry -> check(entry.getValue(), others, file, path + "." + entry.getKey()));
            return;
        }
        Set<String> required = new TreeSet<>();
        schema.path("required").forEach(name -> required.add(name.asText()));
        Set<String> optional = new TreeSet<>();
        schema.path("properties").fieldNames().forEachRemaining(optional::add);
        optional.removeAll(required);
        Fields.of(value, file, path, required, optional);
        for (Map.Entry<String, JsonNode> field : schema.path("properties").properties()) {
            if (value.has(field.getKey())) {
                check(value.get(field.getKey()), field.getValue(), file, path + "." + field.getKey());
            }
        }
    }

    private static void checkArray(JsonNode value, JsonNode schema, String file, String path) {
        require(value.isArray(), value, "a list", file, path);
        long least = schema.path("minItems").asLong(0);
        long most = schema.path("maxItems").asLong(Long.MAX_VALUE);
        if (value.size() < least || value.size() > most) {
            throw wrong(file, path, value.size() + " entries, allowed: " + least + " to " + most);
        }
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < value.size(); i++) {
            String at = path + "[" + i + "]";
            check(value.get(i), schema.path("items"), file, at);
            for (JsonNode key : schema.path("x-kubernetes-list-map-keys")) {
                String name = value.get(i).path(key.asText()).asText();
                if (!seen.add(key.asText() + "=" + name)) {
                    throw wrong(file, at + "." + key.asText(), "'" + name + "' repeats, allowed: distinct ones");
                }
            }
        }
    }

    private static void checkInteger(JsonNode value, JsonNode schema, String file, String path) {
        double least = schema.path("minimum").asDouble(Long.MIN_VALUE);
        double most = schema.path("maximum").asDouble(Long.MAX_VALUE);
        String allowed = schema.has("maximum")
                ? "a whole number from " + (long) least + " to " + (long) most
                : "a whole number of at least " + (long) least;
        boolean within = value.isIntegralNumber() && value.doubleValue() >= least && value.doubleValue() <= most;
        require(within, value, allowed, file, path);
    }

    private static void checkString(JsonNode value, JsonNode schema, String file, String path) {
        if (schema.has("enum")) {
            Set<String> allowed = new TreeSet<>();
            schema.path("enum").forEach(name -> allowed.add(name.asText()));
            boolean known = value.isTextual() && allowed.contains(value.textValue());
            require(known, value, String.join(" ", allowed), file, path);
            return;
        }
        require(value.isTextual(), value, "a string", file, path);
        int length = value.textValue().length();
        int least = schema.path("minLength").asInt(0);
        int most = schema.path("maxLength").asInt(Integer.MAX_VALUE);
        if (length < least || length > most) {
            throw wrong(file, path, length + " characters, allowed: " + least + " to " + most);
        }
        String pattern = schema.path("pattern").asText("");
        boolean matches = Pattern.compile(pattern).matcher(value.textValue()).find();
        require(matches, value, "a string that matches " + pattern, file, path);
    }

    private static void require(boolean right, JsonNode value, String allowed, String file, String path) {
        if (!right) {
            throw wrong(file, path, Fields.shown(value) + ", allowed: " + allowed);
        }
    }

    private static BadInput wrong(String file, String path, String problem) {
        return new BadInput(file + ": " + path + ": " + problem);
    }
}
