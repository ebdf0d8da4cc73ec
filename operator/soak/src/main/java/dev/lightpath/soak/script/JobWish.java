package dev.lightpath.soak.script;

import java.util.Optional;

/**
 * A job without pods of its own: only light.
 *
 * @param tensor GPUs of a group on the ring
 * @param pipeline stages
 * @param data replicas
 * @param ring fabric of its groups, if it has any
 * @param spine fabric of optical switches between its stages and replicas, if it has any
 */
public record JobWish(String name, int tensor, int pipeline, int data, Optional<String> ring, Optional<String> spine) {
    public int groups() {
        return pipeline * data;
    }

    public int gpus() {
        return groups() * tensor;
    }

    /** Seats on the ring that its groups take. */
    int nodes(int gpusPerNode) {
        return ring.isEmpty() ? 0 : gpus() / gpusPerNode;
    }

    String words() {
        String size = "tensor " + tensor + (pipeline > 1 ? ", pipeline " + pipeline : "") + ", data " + data;
        return size
                + ring.map(name -> "").orElse(", only on " + spine.orElse(""))
                + (ring.isPresent() ? spine.map(name -> ", also on " + name).orElse("") : "");
    }

    public String yaml(String namespace) {
        return """
                apiVersion: lightpath.dev/v1alpha1
                kind: TrainingJob
                metadata: {name: %s, namespace: %s, labels: {app.kubernetes.io/part-of: lightpath-study-live}}
                spec:
                  model: {preset: gpt-7b}
                  parallelism: {tensor: %d, pipeline: %d, data: %d}
                  reconfiguration: Live
                """.formatted(name, namespace, tensor, pipeline, data)
                + ring.map("  scaleUp: {fabric: %s}\n"::formatted).orElse("")
                + spine.map("  scaleOut: {fabric: %s, stagesPerPod: 1}\n"::formatted)
                        .orElse("");
    }
}
