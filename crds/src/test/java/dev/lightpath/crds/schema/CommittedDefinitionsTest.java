package dev.lightpath.crds.schema;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.lightpath.crds.ConditionType;
import dev.lightpath.crds.EventReason;
import dev.lightpath.crds.LightpathAnnotations;
import dev.lightpath.crds.LightpathLabels;
import dev.lightpath.crds.NodeConditionType;
import dev.lightpath.crds.Reason;
import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The files that a cluster gets and the page that a user reads are those that the records say. To write them anew:
 *
 * <pre>./mvnw -pl crds test -Dtest=CommittedDefinitionsTest -Dlightpath.write=true</pre>
 */
class CommittedDefinitionsTest {

    private static final Path CRDS = Path.of("");
    private static final Path DEFINITIONS = CRDS.resolve("src/main/kubernetes");
    private static final String SOURCES = "src/main/java/dev/lightpath/crds";
    private static final int APPLY_LIMIT_BYTES = 256 * 1024;

    private final SortedMap<String, ObjectNode> definitions = Definitions.generate();

    @Test
    void committedDefinitionsAreThoseOfTheRecords() throws IOException {
        var wanted = new TreeMap<String, String>();
        definitions.forEach((name, definition) -> wanted.put(name, Definitions.toYaml(definition)));
        for (Map.Entry<String, String> file : wanted.entrySet()) {
            compareOrWrite(DEFINITIONS.resolve(file.getKey()), file.getValue());
        }
        try (Stream<Path> files = Files.list(DEFINITIONS)) {
            assertThat(files.map(file -> file.getFileName().toString())
                            .filter(name -> !name.equals("kustomization.yaml")))
                    .containsExactlyInAnyOrderElementsOf(wanted.keySet());
        }
    }

    @Test
    void referencePageIsThatOfTheDefinitions() throws IOException {
        compareOrWrite(CRDS.resolve("../docs/reference/resources.md"), ReferencePage.of(definitions.values()));
    }

    @Test
    void pageOfWordsIsThatOfTheConstants() throws IOException {
        compareOrWrite(CRDS.resolve("../docs/reference/words.md"), WordsPage.of(CRDS.resolve(SOURCES)));
    }

    /** None is passed over because it is written in another way, or has no comment. */
    @Test
    void pageOfWordsHasEveryConstant() throws IOException, IllegalAccessException {
        for (Class<?> type : List.of(
                ConditionType.class,
                NodeConditionType.class,
                Reason.class,
                EventReason.class,
                LightpathLabels.class,
                LightpathAnnotations.class)) {
            List<String> names = new ArrayList<>();
            for (Field field : type.getFields()) {
                names.add(field.getName());
            }
            assertThat(WordsPage.words(CRDS.resolve(SOURCES).resolve(type.getSimpleName() + ".java")))
                    .as(type.getSimpleName())
                    .extracting(WordsPage.Word::name)
                    .containsExactlyInAnyOrderElementsOf(names);
        }
    }

    @Test
    void definitionsAreSmallEnoughForKubectlApply() {
        definitions.forEach(
                (name, definition) -> assertThat(definition.toString().getBytes(StandardCharsets.UTF_8))
                        .as(name)
                        .hasSizeLessThan(APPLY_LIMIT_BYTES));
    }

    @Test
    void everyFieldHasADescriptionInOneLineOfWords() {
        definitions.forEach((name, definition) -> definition
                .at("/spec/versions/0/schema/openAPIV3Schema/properties")
                .properties()
                .forEach(property -> assertDescribed(name + " " + property.getKey(), property.getValue())));
    }

    @Test
    void noFieldIsAFloatingPointNumber() {
        definitions.forEach((name, definition) ->
                assertThat(definition.findValuesAsText("type")).as(name).doesNotContain("number"));
    }

    private static void assertDescribed(String path, JsonNode schema) {
        String description = schema.path("description").asText();
        assertThat(description).as(path).isNotBlank().isEqualTo(description.strip());
        // as of a text block whose lines do not end in a backslash
        assertThat(description).as(path).doesNotContain("  ");
        JsonNode inner = schema.has("items") ? schema.get("items") : schema;
        inner.path("properties")
                .properties()
                .forEach(property -> assertDescribed(path + "." + property.getKey(), property.getValue()));
    }

    private static void compareOrWrite(Path file, String wanted) throws IOException {
        if (Boolean.getBoolean("lightpath.write")) {
            Files.createDirectories(file.getParent());
            Files.writeString(file, wanted);
        }
        assertThat(file)
                .as(
                        "differs from the records: run ./mvnw -pl crds test -Dtest=CommittedDefinitionsTest -Dlightpath.write=true")
                .hasContent(wanted);
    }
}
