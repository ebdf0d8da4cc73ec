package dev.lightpath.crds.manifests;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * A file of the corpus. Its documents are written one after the other, the first creates; in an invalid file the last
 * one is refused, and the first line says with which words: {@code # refused: part of the message}.
 */
record Manifest(Path file) {

    static final Path CORPUS = Path.of("src/test/resources/manifests");

    private static final String REFUSED = "# refused: ";
    private static final YAMLMapper YAML = new YAMLMapper();

    static Stream<Manifest> valid() throws IOException {
        return under("valid");
    }

    static Stream<Manifest> invalid() throws IOException {
        return under("invalid");
    }

    private static Stream<Manifest> under(String folder) throws IOException {
        try (Stream<Path> files = Files.walk(CORPUS.resolve(folder))) {
            return files
                    .filter(Files::isRegularFile)
                    .filter(file -> file.toString().endsWith(".yaml"))
                    .sorted()
                    .map(Manifest::new)
                    .toList()
                    .stream();
        }
    }

    List<JsonNode> documents() throws IOException {
        try (var documents = YAML.readerFor(JsonNode.class).<JsonNode>readValues(Files.readString(file))) {
            return documents.readAll();
        }
    }

    /** The words of the refusal; empty in a valid file. */
    String refusal() throws IOException {
        String first = Files.readAllLines(file).getFirst();
        return first.startsWith(REFUSED) ? first.substring(REFUSED.length()).strip() : "";
    }

    @Override
    public String toString() {
        return CORPUS.relativize(file).toString();
    }
}
