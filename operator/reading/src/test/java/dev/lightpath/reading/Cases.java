package dev.lightpath.reading;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Objects of Kubernetes as the API server would give them. */
public final class Cases {
    public static final String GPU = "nvidia.com/gpu";

    private Cases() {}

    public static <T extends HasMetadata> T yaml(Class<T> type, String text) {
        return Serialization.unmarshal(text, type);
    }

    /** A healthy node of ring-a with four GPUs. */
    public static NodeBuilder node(String name, int position) {
        return new NodeBuilder()
                .withNewMetadata()
                .withName(name)
                .addToLabels("lightpath.dev/ring-position", Integer.toString(position))
                .addToLabels("ring", "a")
                .endMetadata()
                .withNewSpec()
                .endSpec()
                .withNewStatus()
                .addToAllocatable(GPU, new Quantity("4"))
                .addNewCondition()
                .withType("Ready")
                .withStatus("True")
                .endCondition()
                .endStatus();
    }

    public static Node silent(String name, int position) {
        return node(name, position)
                .editStatus()
                .editMatchingCondition(condition -> "Ready".equals(condition.getType()))
                .withStatus("Unknown")
                .endCondition()
                .endStatus()
                .build();
    }

    public static PodBuilder pod(String name, @Nullable String node, Map<String, String> labels) {
        return new PodBuilder()
                .withNewMetadata()
                .withNamespace("team")
                .withName(name)
                .withLabels(labels)
                .endMetadata()
                .withNewSpec()
                .withNodeName(node)
                .addNewContainer()
                .withName("main")
                .withNewResources()
                .addToRequests(GPU, new Quantity("4"))
                .endResources()
                .endContainer()
                .endSpec()
                .withNewStatus()
                .withPhase("Running")
                .endStatus();
    }
}
