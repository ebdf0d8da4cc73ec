package dev.lightpath.cli.delta;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.lightpath.console.text.BadInput;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * One custom resource from a YAML file, checked against its schema. Fields are named by their path, for example
 * {@code spec.model}.
 */
record Manifest(String file, JsonNode root) {
    private static final ObjectMapper YAML = YAMLMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build();

    /**
     * Reads a file that holds one object.
     *
     * @param file {@code -} for standard input
     * @throws BadInput naming file, field and what is allowed
     */
    static Manifest read(Path file, ManifestSchema schema) {
        List<JsonNode> documents = documents(file);
        if (documents.isEmpty()) {
            throw new BadInput(file + ": is empty, allowed: one " + schema.kind());
        }
        if (documents.size() > 1) {
            throw new BadInput(file + ": " + documents.size() + " YAML documents, allowed: one, a " + schema.kind());
        }
        schema.check(documents.getFirst(), file.toString());
        return new Manifest(file.toString(), documents.getFirst());
    }

    private static List<JsonNode> documents(Path file) {
        List<JsonNode> documents = new ArrayList<>();
        try (InputStream in = file.toString().equals("-") ? System.in : Files.newInputStream(file);
                MappingIterator<JsonNode> each = YAML.readerFor(JsonNode.class).readValues(in)) {
            while (each.hasNextValue()) {
                JsonNode document = each.nextValue();
                if (document != null && !document.isNull() && !document.isMissingNode()) {
                    documents.add(document);
                }
            }
        } catch (NoSuchFileException e) {
            throw new BadInput(file + ": there is no such file", e);
        } catch (JsonProcessingException e) {
            int line = e.getLocation() == null ? 1 : e.getLocation().getLineNr();
            throw new BadInput(file + ":" + line + ": is no YAML: " + e.getOriginalMessage(), e);
        } catch (IOException e) {
            throw new BadInput(file + ": cannot be read: " + e.getMessage(), e);
        }
        return documents;
    }

    /** The node of a field, which is missing when the field is. */
    JsonNode at(String field) {
        return root.at("/" + field.replace('.', '/'));
    }

    boolean has(String field) {
        return !at(field).isMissingNode();
    }

    /** A whole number that the schema requires. */
    int integer(String field) {
        return at(field).intValue();
    }

    int integer(String field, int otherwise) {
        return has(field) ? integer(field) : otherwise;
    }

    /** A number, or a decimal as a string. */
    double number(String field) {
        try {
            return Double.parseDouble(at(field).asText());
        } catch (NumberFormatException e) {
            throw wrong(field, "'" + at(field).asText() + "', allowed: a number or a decimal as a string");
        }
    }

    /** Builds a value whose constructor names its own fields, with file and path before its message. */
    <T> T build(String path, Supplier<T> constructor) {
        try {
            return constructor.get();
        } catch (IllegalArgumentException e) {
            throw new BadInput(file + ": " + path + "." + e.getMessage(), e);
        }
    }

    BadInput wrong(String field, String problem) {
        return new BadInput(file + ": " + field + ": " + problem);
    }
}
