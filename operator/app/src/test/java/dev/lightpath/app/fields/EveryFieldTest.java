package dev.lightpath.app.fields;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Each field of each spec does something. {@code fields/cases.yaml} changes it in a spec of {@code fields/bases.yaml},
 * and {@link Effects} must differ. {@link UsedByThePlannerTest} shows that the planner then asks for what it is told.
 */
class EveryFieldTest {
    private static final List<String> KINDS = List.of("OpticalFabric", "OpticalSwitch", "TrainingJob");
    private static final Path HERE = Path.of(System.getProperty("basedir", "."));

    private final JsonNode bases = read("bases.yaml");
    private final JsonNode cases = read("cases.yaml");

    private static JsonNode read(String file) {
        try (InputStream yaml = EveryFieldTest.class.getResourceAsStream("/fields/" + file)) {
            return new YAMLMapper().readTree(yaml);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A new field needs a case. */
    @ParameterizedTest
    @ValueSource(strings = {"OpticalFabric", "OpticalSwitch", "TrainingJob"})
    void everyFieldHasACase(String kind) {
        TreeSet<String> written = new TreeSet<>();
        cases.path(kind).fieldNames().forEachRemaining(written::add);
        assertThat(written).isEqualTo(Schema.fields(kind));
    }

    @TestFactory
    Stream<DynamicTest> aChangeOfItMakesADifference() {
        return KINDS.stream()
                .flatMap(kind -> cases.path(kind).properties().stream()
                        .map(each -> dynamicTest(
                                kind + " " + each.getKey(), () -> tries(kind, each.getKey(), each.getValue()))));
    }

    @Test
    void aFieldThatNobodyKnowsMakesNone() {
        JsonNode base = bases.get("onRing");
        assertThat(Effects.of("TrainingJob", changed(base, "fieldOfNobody", base.get("model")), bases.get("logical")))
                .isEqualTo(Effects.of("TrainingJob", base, bases.get("logical")));
    }

    private void tries(String kind, String field, JsonNode how) throws IOException {
        if (how.has("in")) {
            JsonNode base = bases.get(how.get("in").asText());
            JsonNode from =
                    how.has("instead") ? without(base, field, how.get("instead").asText()) : base;
            JsonNode to = changed(from, field, how.get("to"));
            assertThat(to).isNotEqualTo(base);
            assertThat(Effects.of(kind, to, bases.get("logical")))
                    .as("%s %s: %s", kind, field, how.get("to"))
                    .isNotEqualTo(Effects.of(kind, base, bases.get("logical")));
        } else {
            shown(how.get("shown").asText(), name(field));
        }
    }

    /** @param where CLASS#METHOD of a test */
    private static void shown(String where, String field) throws IOException {
        String[] parts = where.split("#");
        assertThat(parts).as(where).hasSize(2);
        String source = Files.readString(HERE.resolve("src/test/java").resolve(parts[0].replace('.', '/') + ".java"));
        assertThat(source)
                .as("%s is a test", where)
                .containsPattern("@(Test|ParameterizedTest)\\s(\\s*@.*\\n)*\\s*(public )?void " + parts[1] + "\\(");
        assertThat(source).as("%s speaks of %s", parts[0], field).contains(field);
    }

    private static String name(String field) {
        return field.substring(field.lastIndexOf('.') + 1).replace("[]", "");
    }

    /** A copy without the other of two fields of which one may be written. */
    private static JsonNode without(JsonNode base, String field, String other) {
        JsonNode copy = base.deepCopy();
        String parent = field.contains(".")
                ? "/" + field.substring(0, field.lastIndexOf('.')).replace('.', '/')
                : "";
        ((ObjectNode) copy.at(parent)).remove(other);
        return copy;
    }

    private static JsonNode changed(JsonNode base, String field, JsonNode value) {
        ObjectNode copy = base.deepCopy();
        put(copy, field, value);
        return copy;
    }

    private static void put(ObjectNode in, String path, JsonNode value) {
        int dot = path.indexOf('.');
        String first = dot < 0 ? path : path.substring(0, dot);
        String rest = dot < 0 ? "" : path.substring(dot + 1);
        if (first.endsWith("[]")) {
            ArrayNode list = in.withArray(first.substring(0, first.length() - 2));
            if (rest.isEmpty()) {
                list.removeAll().add(value);
            } else {
                put((ObjectNode) (list.isEmpty() ? list.addObject() : list.get(0)), rest, value);
            }
        } else if (rest.isEmpty()) {
            in.set(first, value);
        } else {
            put(in.withObjectProperty(first), rest, value);
        }
    }
}
