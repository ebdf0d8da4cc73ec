package dev.lightpath.reading;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.fasterxml.jackson.core.type.TypeReference;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.SortedMap;
import org.junit.jupiter.api.Test;

class StrictJsonTest {
    private final StrictJson json = new StrictJson(1000, 3, 20, 10);

    private SortedMap<String, List<Integer>> read(String text) {
        return json.read(stream(text), new TypeReference<>() {});
    }

    private static InputStream stream(String text) {
        return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void readsADocument() {
        assertThat(read(" {\"b\": [1, 2], \"a\": []} ")).containsKeys("a", "b").containsEntry("b", List.of(1, 2));
    }

    @Test
    void refusesWhatIsNoJson() {
        refused("", "");
        refused("null", "is null");
        refused("a: [1]", "Unrecognized token 'a'");
        refused("&a [1]", "Unexpected character ('&'");
        refused("{\"a\": &x [1], \"b\": *x}", "/a");
        refused("{\"a\": [1]} // note", "Unexpected character ('/'");
        refused("{\"a\": [1,]}", "/a");
        refused("{'a': [1]}", "Unexpected character (''' (code 39))");
    }

    @Test
    void refusesASecondOfTheSameName() {
        refused("{\"a\": [1], \"a\": [2]}", "Duplicate field 'a'");
    }

    @Test
    void refusesASecondDocument() {
        refused("{\"a\": [1]} {}", "Trailing token");
    }

    @Test
    void refusesValuesOfAnotherKindByTheirPlace() {
        refused("{\"a\": [1, \"2\"]}", "a[1] (line 1, column ");
        refused("{\"a\": [1.5]}", "a[0]");
        refused("{\"a\": [null]}", "a[0]");
        refused("{\"a\": null}", "a");
        refused("{\"a\": 7}", "a");
        refused("{\"a\": [99999999999]}", "a[0]");
        refused("[1]", "line 1, column 1: ");
    }

    @Test
    void refusesWhatIsTooMuch() {
        refused(" ".repeat(1000) + "{}", "is longer than 1000 bytes");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> json.read(stream("{\"a\": [[[1]]]}"), new TypeReference<Object>() {}))
                .withMessageContaining("nesting depth (4) exceeds the maximum allowed (3)");
        refused(
                "{\"a\": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17]}",
                "(21) exceeds the maximum allowed (20)");
        refused("{\"a\": [" + "9".repeat(65) + "]}", "Number value length (65) exceeds the maximum allowed (64)");
        refused("{\"a\": [\"" + "b".repeat(900) + "\"]}", "String value length");
        refused("{\"" + "n".repeat(985) + "\": \"" + "b".repeat(9) + "\"}", "is longer than 1000 bytes");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new StrictJson(10_000, 3, 20, 10)
                        .read(stream("{\"" + "n".repeat(5000) + "\": 1}"), new TypeReference<Object>() {}))
                .withMessageContaining("Name length");
    }

    private void refused(String text, String why) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> read(text))
                .satisfies(e -> assertThat(e.getMessage())
                        .contains(why)
                        .hasSizeLessThan(700)
                        .doesNotContain("\n")
                        .doesNotContain("StreamReadConstraints"));
    }
}
