package dev.lightpath.reading.node;

import static dev.lightpath.reading.Cases.node;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Node;
import org.junit.jupiter.api.Test;

final class NodeSketchTest {
    private final Node before = node("n0", 0).build();

    @Test
    void whatWeWriteOurselvesIsNoNews() {
        Node after = node("n0", 0)
                .editMetadata()
                .addToAnnotations("lightpath.dev/dark-until", "2026-01-01T00:00:00Z")
                .addToLabels("lightpath.dev/topology-scale-up", "ring-a")
                .addToLabels("lightpath.dev/topology-stretch", "0-7")
                .addToLabels("lightpath.dev/topology-scale-out", "spine")
                .addToLabels("lightpath.dev/topology-pod", "pod-0")
                .endMetadata()
                .editStatus()
                .addNewCondition()
                .withType("OpticalFabricReady")
                .withStatus("True")
                .endCondition()
                .addNewCondition()
                .withType("OpticalLinkDegraded")
                .withStatus("True")
                .endCondition()
                .endStatus()
                .build();
        assertThat(NodeSketch.of(after)).isEqualTo(NodeSketch.of(before));
    }

    @Test
    void whatAPersonOrADetectorWritesIsNews() {
        assertThat(NodeSketch.of(node("n0", 0)
                        .editMetadata()
                        .addToAnnotations("lightpath.dev/faulty", "smells")
                        .endMetadata()
                        .build()))
                .isNotEqualTo(NodeSketch.of(before));
        assertThat(NodeSketch.of(node("n0", 0)
                        .editStatus()
                        .addNewCondition()
                        .withType("GpuMemWatch")
                        .withStatus("True")
                        .endCondition()
                        .endStatus()
                        .build()))
                .isNotEqualTo(NodeSketch.of(before));
    }
}
