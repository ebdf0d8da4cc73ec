package dev.lightpath.app.job.facts;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeCondition;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What is known of a node, of which pods may hang or wait for ever. */
enum NodeState {
    /** Ready, or it never said. */
    UP,
    /** It says that it is not ready: pods end there, and none is bound. */
    DOWN,
    /** Gone or silent: pods may keep running. */
    LOST;

    /** @param node null where there is none */
    static NodeState of(@Nullable Node node) {
        if (node == null) {
            return LOST;
        }
        @Nullable
        List<NodeCondition> said =
                node.getStatus() == null ? null : node.getStatus().getConditions();
        return said == null
                ? UP
                : said.stream()
                        .filter(condition -> "Ready".equals(condition.getType()))
                        .map(condition -> switch (String.valueOf(condition.getStatus())) {
                            case "True" -> UP;
                            case "Unknown" -> LOST;
                            default -> DOWN;
                        })
                        .findFirst()
                        .orElse(UP);
    }
}
