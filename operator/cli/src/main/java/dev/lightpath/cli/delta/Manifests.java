package dev.lightpath.cli.delta;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.lightpath.cli.BadInput;
import dev.lightpath.planner.delta.Batch;
import dev.lightpath.planner.delta.ModelShape;
import dev.lightpath.planner.delta.Parallelism;
import dev.lightpath.planner.delta.Placement;
import dev.lightpath.planner.delta.Preset;
import dev.lightpath.planner.delta.TrainingWorkload;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Supplier;

/** A workload from the manifests of a TrainingJob and the OpticalFabric its scaleOut names. */
final class Manifests {
    private static final int DEFAULT_SEQUENCE_LENGTH = 4096;
    private static final int DEFAULT_CIRCUIT_GBPS = 400;
    private static final ObjectMapper YAML = YAMLMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build();

    private Manifests() {}

    static TrainingWorkload workload(Path jobFile, Path fabricFile) {
        Source job = new Source(jobFile, read(jobFile, "TrainingJob"));
        Source fabric = new Source(fabricFile, read(fabricFile, "OpticalFabric"));
        Parallelism parallelism = job.build(
                "spec.parallelism",
                () -> Parallelism.ofDegrees(
                        job.integer("/spec/parallelism/tensor"),
                        job.integer("/spec/parallelism/pipeline", 1),
                        job.integer("/spec/parallelism/data", 1),
                        job.integer("/spec/parallelism/context", 1),
                        job.integer("/spec/parallelism/expert", 1)));
        Batch batch = job.build(
                "spec",
                () -> new Batch(
                        job.integer(
                                "/spec/microBatches", (int) Math.min(Integer.MAX_VALUE, 8L * parallelism.pipeline())),
                        job.integer("/spec/microBatchSize", 1),
                        job.integer("/spec/model/sequenceLength", DEFAULT_SEQUENCE_LENGTH),
                        true));
        return new TrainingWorkload(
                job.root().at("/metadata/name").asText("trainingjob"),
                model(job),
                parallelism,
                batch,
                placement(job, fabric, parallelism));
    }

    private static Placement placement(Source job, Source fabric, Parallelism parallelism) {
        if (!job.root().at("/spec/scaleOut").isObject()) {
            throw job.wrong("spec.scaleOut", "missing, circuits between pods are wanted");
        }
        String wanted = job.root().at("/spec/scaleOut/fabric").asText();
        String name = fabric.root().at("/metadata/name").asText();
        if (!wanted.equals(name)) {
            throw job.wrong("spec.scaleOut.fabric", "'" + wanted + "', allowed: " + name + ", the fabric given");
        }
        JsonNode pods = fabric.root().at("/spec/ocs/pods");
        if (!pods.isArray() || pods.isEmpty()) {
            throw fabric.wrong("spec.ocs.pods", "missing or empty, at least one pod is wanted");
        }
        int gpus = Integer.MAX_VALUE;
        int ports = Integer.MAX_VALUE;
        for (int i = 0; i < pods.size(); i++) {
            gpus = Math.min(gpus, fabric.integer("/spec/ocs/pods/" + i + "/gpus"));
            ports = Math.min(ports, fabric.integer("/spec/ocs/pods/" + i + "/ports"));
        }
        int gpusPerPod = gpus;
        int portsPerPod = ports;
        double gbps = fabric.integer("/spec/ocs/circuitGbps", DEFAULT_CIRCUIT_GBPS);
        Placement filled =
                fabric.build("spec.ocs", () -> Placement.filling(gpusPerPod, parallelism, portsPerPod, gbps));
        int stages = job.integer("/spec/scaleOut/stagesPerPod", filled.stagesPerPod());
        if (stages < 1 || stages > filled.stagesPerPod()) {
            throw job.wrong(
                    "spec.scaleOut.stagesPerPod",
                    stages + ", allowed: 1 to " + filled.stagesPerPod() + ", what the smallest pod holds");
        }
        return new Placement(stages, portsPerPod, gbps, false);
    }

    private static ModelShape model(Source job) {
        JsonNode preset = job.root().at("/spec/model/preset");
        JsonNode shape = job.root().at("/spec/model/shape");
        if (preset.isMissingNode() == shape.isMissingNode()) {
            throw job.wrong("spec.model", "allowed: exactly one of preset and shape");
        }
        if (!preset.isMissingNode()) {
            return job.build("spec.model", () -> Preset.named(preset.asText()).model());
        }
        int head = job.integer("/spec/model/shape/headDimension");
        double total = job.number("/spec/model/shape/totalParameters");
        return job.build(
                "spec.model.shape",
                () -> new ModelShape(
                        job.integer("/spec/model/shape/layers"),
                        job.integer("/spec/model/shape/hiddenSize"),
                        job.integer("/spec/model/shape/attentionHeads"),
                        head,
                        job.integer("/spec/model/shape/valueHeadDimension", head),
                        total,
                        shape.has("activeParameters") ? job.number("/spec/model/shape/activeParameters") : total,
                        job.number("/spec/model/shape/effectiveTeraflopsPerGpu")));
    }

    private static JsonNode read(Path file, String kind) {
        try (InputStream in = file.toString().equals("-") ? System.in : Files.newInputStream(file)) {
            JsonNode root = YAML.readTree(in);
            JsonNode found = root == null ? MissingNode.getInstance() : root.path("kind");
            if (!found.asText().equals(kind)) {
                throw new BadInput(file + ": kind: '" + found.asText() + "', allowed: " + kind);
            }
            return root;
        } catch (JsonProcessingException e) {
            throw new BadInput(file + ": is no YAML: " + e.getOriginalMessage(), e);
        } catch (IOException e) {
            throw new BadInput(file + ": cannot be read: " + e.getMessage(), e);
        }
    }

    /** A manifest and where it came from. */
    private record Source(Path file, JsonNode root) {
        int integer(String pointer) {
            JsonNode value = root.at(pointer);
            if (!value.isInt()) {
                throw wrong(pointer.substring(1).replace('/', '.'), "'" + value.asText() + "', allowed: an integer");
            }
            return value.intValue();
        }

        int integer(String pointer, int otherwise) {
            return root.at(pointer).isMissingNode() ? otherwise : integer(pointer);
        }

        /** A number, or a decimal as a string. */
        double number(String pointer) {
            try {
                return Double.parseDouble(root.at(pointer).asText());
            } catch (NumberFormatException e) {
                throw wrong(
                        pointer.substring(1).replace('/', '.'),
                        "'" + root.at(pointer).asText() + "', allowed: a number or a decimal as a string");
            }
        }

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
}
