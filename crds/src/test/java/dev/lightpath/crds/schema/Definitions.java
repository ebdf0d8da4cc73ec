package dev.lightpath.crds.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.lightpath.crds.fabric.OpticalFabric;
import dev.lightpath.crds.job.TrainingJob;
import dev.lightpath.crds.opticalswitch.OpticalSwitch;
import dev.lightpath.crds.slice.FabricSlice;
import io.fabric8.crdv2.generator.CRDGenerator;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** The CustomResourceDefinitions as the records say them. */
final class Definitions {

    static final List<Class<? extends HasMetadata>> RESOURCES =
            List.of(OpticalFabric.class, OpticalSwitch.class, TrainingJob.class, FabricSlice.class);

    static final YAMLMapper YAML = new YAMLMapper(YAMLFactory.builder()
            .enable(YAMLGenerator.Feature.MINIMIZE_QUOTES)
            .enable(YAMLGenerator.Feature.ALWAYS_QUOTE_NUMBERS_AS_STRINGS)
            .enable(YAMLGenerator.Feature.INDENT_ARRAYS_WITH_INDICATOR)
            .disable(YAMLGenerator.Feature.SPLIT_LINES)
            .disable(YAMLGenerator.Feature.WRITE_DOC_START_MARKER)
            .build());

    private Definitions() {}

    /** The definitions by the name of their file. */
    static SortedMap<String, ObjectNode> generate() {
        var definitions = new TreeMap<String, ObjectNode>();
        for (Class<? extends HasMetadata> resource : RESOURCES) {
            var written = new TreeMap<String, ByteArrayOutputStream>();
            new CRDGenerator()
                    .customResourceClasses(List.of(resource))
                    .forCRDVersions("v1")
                    .withOutput(new InMemory(written))
                    .generate();
            written.forEach((name, yaml) -> {
                ObjectNode definition = parse(yaml.toString(StandardCharsets.UTF_8));
                SchemaEdits.apply(definition, ResourceText.of(resource));
                definitions.put(name + ".yaml", definition);
            });
        }
        return definitions;
    }

    static String toYaml(JsonNode definition) {
        try {
            return "# Generated from the records of crds/; CONTRIBUTING.md says how.\n"
                    + YAML.writeValueAsString(definition);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static ObjectNode parse(String yaml) {
        try {
            return (ObjectNode) YAML.readTree(yaml);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private record InMemory(TreeMap<String, ByteArrayOutputStream> written)
            implements CRDGenerator.CRDOutput<ByteArrayOutputStream> {

        @Override
        public ByteArrayOutputStream outputFor(String name) {
            return written.computeIfAbsent(name, ignored -> new ByteArrayOutputStream());
        }

        @Override
        public void close() {}
    }
}
