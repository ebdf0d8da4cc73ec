package dev.lightpath.cli.delta;

import com.fasterxml.jackson.databind.JsonNode;
import dev.lightpath.console.text.BadInput;
import dev.lightpath.planner.delta.iteration.Batch;
import dev.lightpath.planner.delta.iteration.InstanceGenerator;
import dev.lightpath.planner.delta.iteration.ModelShape;
import dev.lightpath.planner.delta.iteration.Parallelism;
import dev.lightpath.planner.delta.iteration.Placement;
import dev.lightpath.planner.delta.iteration.Preset;
import dev.lightpath.planner.delta.iteration.TrainingWorkload;
import dev.lightpath.planner.delta.model.DeltaInstance;
import java.nio.file.Path;

/** An instance from the manifests of a TrainingJob and the OpticalFabric its scaleOut names. */
final class Manifests {
    private static final int DEFAULT_SEQUENCE_LENGTH = 4096;
    private static final int DEFAULT_CIRCUIT_GBPS = 400;

    /** As the definition of a TrainingJob says. */
    private static final long MOST_GPUS = 1 << 20;

    private final Manifest job;
    private final Manifest fabric;

    private Manifests(Manifest job, Manifest fabric) {
        this.job = job;
        this.fabric = fabric;
    }

    /** @throws BadInput naming file, field and what is allowed */
    static DeltaInstance instance(Path jobFile, Path fabricFile) {
        if (jobFile.equals(fabricFile) && jobFile.toString().equals("-")) {
            throw new BadInput("--job - --fabric -: allowed: one of them from standard input");
        }
        Manifest job = Manifest.read(jobFile, ManifestSchema.of("trainingjobs"));
        Manifest fabric = Manifest.read(fabricFile, ManifestSchema.of("opticalfabrics"));
        TrainingWorkload workload = new Manifests(job, fabric).workload();
        return job.build("spec", () -> InstanceGenerator.generate(workload));
    }

    private TrainingWorkload workload() {
        Parallelism parallelism = parallelism();
        ModelShape model = model();
        requireFabric();
        Placement placement = placement(parallelism);
        Batch batch = new Batch(
                job.integer("spec.microBatches", 8 * parallelism.pipeline()),
                job.integer("spec.microBatchSize", 1),
                job.integer("spec.model.sequenceLength", DEFAULT_SEQUENCE_LENGTH),
                true);
        return new TrainingWorkload(job.at("metadata.name").asText(), model, parallelism, batch, placement);
    }

    private Parallelism parallelism() {
        int tensor = job.integer("spec.parallelism.tensor");
        int pipeline = job.integer("spec.parallelism.pipeline", 1);
        int data = job.integer("spec.parallelism.data", 1);
        int context = job.integer("spec.parallelism.context", 1);
        // Each is at most 16384, so that the product of four fits a long.
        long gpus = (long) tensor * pipeline * data * context;
        if (gpus > MOST_GPUS) {
            throw job.wrong(
                    "spec.parallelism",
                    "tensor * pipeline * data * context = " + gpus + " GPUs, allowed: at most " + MOST_GPUS);
        }
        return job.build(
                "spec.parallelism",
                () -> Parallelism.ofDegrees(
                        tensor, pipeline, data, context, job.integer("spec.parallelism.expert", 1)));
    }

    private void requireFabric() {
        if (!job.has("spec.scaleOut")) {
            throw job.wrong("spec.scaleOut", "missing, circuits between pods are wanted");
        }
        if (job.has("spec.scaleOut.traffic")) {
            throw job.wrong(
                    "spec.scaleOut.traffic", "recorded in a ConfigMap, allowed: --aicb or --chakra with what it holds");
        }
        String wanted = job.at("spec.scaleOut.fabric").asText();
        String name = fabric.at("metadata.name").asText();
        if (!wanted.equals(name)) {
            throw job.wrong("spec.scaleOut.fabric", "'" + wanted + "', allowed: " + name + ", the fabric given");
        }
        if (!fabric.has("spec.ocs")) {
            throw fabric.wrong("spec.ocs", "missing, pods on optical circuit switches are wanted");
        }
        if (fabric.has("spec.ocsTrx")) {
            throw fabric.wrong("spec", "ocs and ocsTrx, allowed: exactly one of them");
        }
        JsonNode topology = fabric.at("spec.ocs.topology");
        if (topology.size() != 1 || !topology.has("logical")) {
            throw fabric.wrong(
                    "spec.ocs.topology", Fields.shown(topology) + ", allowed: logical: {}, which lets the job decide");
        }
    }

    private Placement placement(Parallelism parallelism) {
        JsonNode pods = fabric.at("spec.ocs.pods");
        int smallest = 0;
        int ports = Integer.MAX_VALUE;
        for (int i = 0; i < pods.size(); i++) {
            if (gpus(pods, i) < gpus(pods, smallest)) {
                smallest = i;
            }
            ports = Math.min(ports, pods.get(i).get("ports").intValue());
        }
        int gpus = gpus(pods, smallest);
        if (gpus < parallelism.gpusPerStage()) {
            throw fabric.wrong(
                    "spec.ocs.pods[" + smallest + "].gpus",
                    gpus + ", allowed: at least " + parallelism.gpusPerStage() + ", the GPUs of one pipeline stage");
        }
        int most = gpus / parallelism.gpusPerStage();
        int stages = job.integer("spec.scaleOut.stagesPerPod", most);
        if (stages > most) {
            throw job.wrong(
                    "spec.scaleOut.stagesPerPod",
                    stages + ", allowed: 1 to " + most + ", what the smallest pod has GPUs for");
        }
        Placement placement =
                new Placement(stages, ports, fabric.integer("spec.ocs.circuitGbps", DEFAULT_CIRCUIT_GBPS), false);
        int needed = placement.pods(parallelism.pipeline());
        if (pods.size() < needed) {
            throw fabric.wrong(
                    "spec.ocs.pods",
                    pods.size() + " pods, allowed: at least " + needed + ", for " + parallelism.pipeline()
                            + " pipeline stages of one replica, " + stages + " in a pod");
        }
        if (needed == 1 && parallelism.replicas() == 1) {
            throw job.wrong(
                    "spec.parallelism",
                    "one replica in one pod sends nothing between pods, allowed: more replicas (data) or fewer"
                            + " stagesPerPod");
        }
        return placement;
    }

    /** What a fabric offers to a recorded workload: its pods as many, as large and as well wired as the smallest. */
    static PodOptions.Pods pods(Path fabricFile) {
        Manifest fabric = Manifest.read(fabricFile, ManifestSchema.of("opticalfabrics"));
        if (!fabric.has("spec.ocs")) {
            throw fabric.wrong("spec.ocs", "missing, pods on optical circuit switches are wanted");
        }
        JsonNode pods = fabric.at("spec.ocs.pods");
        int gpus = Integer.MAX_VALUE;
        int ports = Integer.MAX_VALUE;
        for (int i = 0; i < pods.size(); i++) {
            gpus = Math.min(gpus, gpus(pods, i));
            ports = Math.min(ports, pods.get(i).get("ports").intValue());
        }
        return new PodOptions.Pods(
                pods.size(), gpus, ports, fabric.integer("spec.ocs.circuitGbps", DEFAULT_CIRCUIT_GBPS));
    }

    private static int gpus(JsonNode pods, int pod) {
        return pods.get(pod).get("gpus").intValue();
    }

    private ModelShape model() {
        if (job.has("spec.model.preset") == job.has("spec.model.shape")) {
            throw job.wrong("spec.model", "allowed: exactly one of preset and shape");
        }
        if (job.has("spec.model.preset")) {
            return Preset.named(job.at("spec.model.preset").asText()).model();
        }
        int head = job.integer("spec.model.shape.headDimension");
        int hidden = job.integer("spec.model.shape.hiddenSize");
        double total = job.number("spec.model.shape.totalParameters");
        double embedding = (double) job.integer("spec.model.shape.vocabularySize") * hidden;
        return job.build(
                "spec.model.shape",
                () -> new ModelShape(
                        job.integer("spec.model.shape.layers"),
                        hidden,
                        job.integer("spec.model.shape.attentionHeads"),
                        head,
                        job.integer("spec.model.shape.valueHeadDimension", head),
                        total,
                        job.has("spec.model.shape.activeParameters")
                                ? job.number("spec.model.shape.activeParameters")
                                : total - embedding,
                        job.number("spec.model.shape.effectiveTeraflopsPerGpu")));
    }
}
