package dev.lightpath.reading;

import dev.lightpath.crds.LightpathAnnotations;
import dev.lightpath.crds.LightpathLabels;
import dev.lightpath.crds.fabric.OpticalFabric;
import dev.lightpath.fuzz.Fuzz;
import dev.lightpath.reading.node.NodeSketch;
import dev.lightpath.reading.node.Remark;
import dev.lightpath.reading.pod.PodUse;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Quantity;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * Labels, annotations and quantities of nodes, pods and fabrics: no text stops the reading of all others, and none is
 * shown unbounded.
 */
class ObjectFuzzTest {
    private static final List<byte[]> TEXTS = Fuzz.texts(
            "0",
            "17",
            "2026-05-01T10:00:00Z",
            "2026-05-01T10:00:00.123456789+14:00",
            "+999999999-12-31T23:59:59.999999999-18:00",
            "broken fan, see ticket 17",
            "true",
            "4",
            "1e9",
            "500m",
            "16Gi");
    private static final int LONGEST = 1 << 12;

    private final RingIntentReader reader = new RingIntentReader("uid-1");

    private final OpticalFabric fabric = Cases.yaml(OpticalFabric.class, """
            apiVersion: lightpath.dev/v1alpha1
            kind: OpticalFabric
            metadata: {name: ring-a}
            spec:
              ocsTrx: {positions: 8, reach: 3, shape: Ring, gpusPerNode: 4, nodeSelector: {matchLabels: {ring: a}}, torLabel: tor, nodesPerTor: 2,
                driver: {endpoint: "driver:9440"}}
            """);

    @Test
    void nodesAndFabrics() throws Exception {
        Node sound = Cases.node("n1", 1).build();
        Fuzz.read("annotations", TEXTS, IllegalArgumentException.class, bytes -> {
            String text = text(bytes);
            Node labelled = new NodeBuilder(sound)
                    .editMetadata()
                    .withName("n2")
                    .addToLabels(LightpathLabels.RING_POSITION, text)
                    .addToLabels("tor", text)
                    .endMetadata()
                    .build();
            Node annotated = new NodeBuilder(sound)
                    .editMetadata()
                    .withName("n3")
                    .addToLabels("tor", text)
                    .addToLabels(LightpathLabels.RING_POSITION, "3")
                    .addToAnnotations(LightpathAnnotations.FAULTY, text)
                    .addToAnnotations(LightpathAnnotations.CLEAR_FAULT, text)
                    .endMetadata()
                    .editStatus()
                    .addToAllocatable(Cases.GPU, new Quantity("4"))
                    .endStatus()
                    .build();
            fabric.getMetadata()
                    .setAnnotations(Map.of(
                            LightpathAnnotations.RESUME_AFTER_MASS_FAILURE,
                            text,
                            LightpathAnnotations.RELEASE_ON_DELETION,
                            text));
            var read = reader.read(fabric, List.of(sound, labelled, annotated), Map.of(Cases.GPU, Set.of()));
            if (read.isEmpty() || Remark.of(text).length() > Remark.LONGEST) {
                throw new AssertionError("one label keeps all from being read: " + read);
            }
        });
    }

    @Test
    void quantities() throws Exception {
        Fuzz.read("quantities", TEXTS, IllegalArgumentException.class, bytes -> {
            String text = text(bytes);
            Quantity quantity;
            try {
                quantity = new Quantity(text);
                var unused = quantity.getNumericalAmount();
            } catch (RuntimeException noQuantity) {
                return; // the API server takes none of these
            }
            Pod pod = Cases.pod("p", "n1", Map.of(LightpathLabels.JOB, text, LightpathLabels.ATTEMPT, text))
                    .editMetadata()
                    .addToAnnotations(LightpathAnnotations.RANK, text)
                    .endMetadata()
                    .editSpec()
                    .editContainer(0)
                    .editResources()
                    .addToRequests(Cases.GPU, quantity)
                    .endResources()
                    .endContainer()
                    .endSpec()
                    .build();
            Node node = new NodeBuilder(Cases.node("n1", 1).build())
                    .editStatus()
                    .addToAllocatable(Cases.GPU, quantity)
                    .endStatus()
                    .build();
            if (PodUse.of(pod).toString().isEmpty()
                    || NodeSketch.of(node).toString().isEmpty()
                    || reader.read(fabric, List.of(node), Map.of()).isEmpty()) {
                throw new AssertionError("one quantity keeps all from being read");
            }
        });
    }

    private static String text(byte[] bytes) {
        String text = new String(bytes, StandardCharsets.UTF_8);
        return text.length() <= LONGEST ? text : text.substring(0, LONGEST);
    }
}
