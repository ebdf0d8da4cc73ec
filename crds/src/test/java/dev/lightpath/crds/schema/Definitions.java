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
import io.fabric8.crdv2.generator.CRDPostProcessor;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** The CustomResourceDefinitions as the records say them. */
final class Definitions {

    static final List<Class<? extends HasMetadata>> RESOURCES =
            List.of(OpticalFabric.class, OpticalSwitch.class, TrainingJob.class, FabricSlice.class);

    /** All strings in quotes: readers disagree on which words are numbers without ({@code 1e-9}). */
    static final YAMLMapper YAML = new YAMLMapper(YAMLFactory.builder()
            .enable(YAMLGenerator.Feature.INDENT_ARRAYS_WITH_INDICATOR)
            .disable(YAMLGenerator.Feature.SPLIT_LINES)
            .disable(YAMLGenerator.Feature.WRITE_DOC_START_MARKER)
            .build());

    private Definitions() {}

    /** The definitions by the name of their file. */
    static SortedMap<String, ObjectNode> generate() {
        var definitions = new TreeMap<String, ObjectNode>();
        for (Class<? extends HasMetadata> resource : RESOURCES) {
            new CRDGenerator()
                    .customResourceClasses(List.of(resource))
                    .forCRDVersions("v1")
                    .withPostProcessor(new CRDPostProcessor() {
                        @Override
                        public HasMetadata process(HasMetadata generated, String version) {
                            ObjectNode definition = YAML.valueToTree(generated);
                            SchemaEdits.apply(definition, ResourceText.of(resource));
                            String name = CRDGenerator.getOutputName(
                                    generated.getMetadata().getName(), version);
                            definitions.put(name + ".yaml", definition);
                            return generated;
                        }
                    })
                    .withOutput(new Nowhere())
                    .generate();
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

    /** The generator's own YAML would turn {@code "1e-9"} into a number. */
    private static final class Nowhere implements CRDGenerator.CRDOutput<OutputStream> {

        @Override
        public OutputStream outputFor(String name) {
            return OutputStream.nullOutputStream();
        }

        @Override
        public void close() {}
    }
}
