package dev.lightpath.app.publish.node;

import static dev.lightpath.crds.LightpathLabels.TOPOLOGY_POD;
import static dev.lightpath.crds.LightpathLabels.TOPOLOGY_SCALE_OUT;
import static dev.lightpath.crds.LightpathLabels.TOPOLOGY_SCALE_UP;
import static dev.lightpath.crds.LightpathLabels.TOPOLOGY_STRETCH;

import dev.lightpath.crds.NodeConditionType;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeCondition;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.stream.Stream;

/**
 * Nodes whose conditions or labels of ours a watch shows to be others than before, whoever wrote them. From any thread.
 */
final class ShownWords {
    /** @param relabelled whether labels changed too */
    record Shown(Node node, boolean relabelled) {
        private Shown after(Shown earlier) {
            return new Shown(node, relabelled || earlier.relabelled);
        }
    }

    private final ConcurrentMap<String, Shown> shown = new ConcurrentHashMap<>();

    /** Returns whether anything of ours changed. */
    boolean add(Node before, Node now) {
        boolean relabelled = Stream.of(TOPOLOGY_POD, TOPOLOGY_SCALE_OUT, TOPOLOGY_SCALE_UP, TOPOLOGY_STRETCH)
                .anyMatch(key -> !Objects.equals(label(before, key), label(now, key)));
        if (!relabelled && conditions(before).equals(conditions(now))) {
            return false;
        }
        shown.merge(now.getMetadata().getName(), new Shown(now, relabelled), (last, next) -> next.after(last));
        return true;
    }

    /** All of them, each as it was shown last. */
    List<Shown> take() {
        return shown.keySet().stream()
                .flatMap(name -> Stream.ofNullable(shown.remove(name)))
                .toList();
    }

    private static String label(Node node, String key) {
        Map<String, String> labels = node.getMetadata().getLabels();
        return labels == null ? "" : labels.getOrDefault(key, "");
    }

    private static List<NodeCondition> conditions(Node node) {
        return NodePublisher.conditions(node).stream()
                .filter(condition -> Stream.of(NodeConditionType.values())
                        .anyMatch(type -> type.word().equals(condition.getType())))
                .toList();
    }
}
