package dev.lightpath.app.fields;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.SortedSet;
import java.util.TreeSet;

/** The fields of a spec, as the committed definition has them. */
final class Schema {
    private static final Path DEFINITIONS =
            Path.of(System.getProperty("basedir", "."), "../../crds/src/main/kubernetes");

    private Schema() {}

    /** Those that have no fields of their own, as {@code wiring.ports[].pod}. */
    static SortedSet<String> fields(String kind) {
        try {
            JsonNode definition = new YAMLMapper()
                    .readTree(DEFINITIONS
                            .resolve(plural(kind) + ".lightpath.dev-v1.yaml")
                            .toFile());
            SortedSet<String> fields = new TreeSet<>();
            collect(definition.at("/spec/versions/0/schema/openAPIV3Schema/properties/spec"), "", fields);
            return fields;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String plural(String kind) {
        return kind.toLowerCase(java.util.Locale.ROOT) + (kind.endsWith("ch") ? "es" : "s");
    }

    private static void collect(JsonNode schema, String path, SortedSet<String> fields) {
        JsonNode properties = schema.path("properties");
        if (!properties.isEmpty()) {
            properties
                    .properties()
                    .forEach(each -> collect(
                            each.getValue(), path.isEmpty() ? each.getKey() : path + "." + each.getKey(), fields));
        } else if (schema.has("items")) {
            collect(schema.get("items"), path + "[]", fields);
        } else {
            fields.add(path);
        }
    }
}
