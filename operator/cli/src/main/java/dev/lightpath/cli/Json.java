package dev.lightpath.cli;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.StreamWriteConstraints;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.lightpath.console.text.BadInput;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** How the command line reads and writes JSON: strictly in, indented and with full precision out. */
public final class Json {
    /** What is written was read within bounds already. */
    private static final StreamWriteConstraints AS_DEEP_AS_IT_IS =
            StreamWriteConstraints.builder().maxNestingDepth(Integer.MAX_VALUE).build();

    private static final ObjectMapper MAPPER = JsonMapper.builder(JsonFactory.builder()
                    .streamWriteConstraints(AS_DEEP_AS_IT_IS)
                    .build())
            .enable(SerializationFeature.INDENT_OUTPUT)
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
            .serializationInclusion(JsonInclude.Include.NON_ABSENT)
            .build();

    private Json() {}

    /** One document, indented. */
    public static String write(Object document) {
        try {
            return MAPPER.writeValueAsString(document);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("cannot be written as JSON: " + document, e);
        }
    }

    /**
     * Reads one document from a file, or from standard input when the file is {@code -}.
     *
     * @throws BadInput naming the file, the line and what is wrong
     */
    public static JsonNode read(Path file) {
        try (InputStream in = file.toString().equals("-") ? System.in : Files.newInputStream(file)) {
            JsonNode node = MAPPER.readTree(in);
            if (node == null || node.isMissingNode()) {
                throw new BadInput(file + ": is empty, a JSON document is wanted");
            }
            return node;
        } catch (JsonProcessingException e) {
            throw new BadInput(
                    file + ":" + (e.getLocation() == null ? 1 : e.getLocation().getLineNr()) + ": " + field(e)
                            + plain(e.getOriginalMessage()),
                    e);
        } catch (NoSuchFileException e) {
            throw new BadInput(file + ": there is no such file", e);
        } catch (IOException e) {
            throw new BadInput(file + ": cannot be read: " + e.getMessage(), e);
        }
    }

    /** The path at which parsing ended, for example {@code tasks[0].bytes: }; empty outside of any object or list. */
    private static String field(JsonProcessingException e) {
        if (!(e.getProcessor() instanceof JsonParser parser)) {
            return "";
        }
        String path = parser.getParsingContext()
                .pathAsPointer()
                .toString()
                .replaceAll("/(\\d+)(?=/|$)", "[$1]")
                .replace('/', '.')
                .replaceFirst("^\\.", "");
        return path.isEmpty() ? "" : path + ": ";
    }

    /** Jackson's message without its remarks about where an object began and about features of its own. */
    private static String plain(String message) {
        return message.replaceAll("\\s*\\(start marker at .*\\)$", "")
                .replaceAll("Non-standard token '(.*)': enable .*", "$1, allowed: a finite number")
                .strip();
    }
}
