package dev.lightpath.app.job.facts;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import org.jspecify.annotations.Nullable;

/**
 * How a node stands to a pod that is bound to it or waits for it.
 *
 * @param lost whether its state is unknown: the pod may run on
 * @param down whether it takes no pods because it is gone or not ready
 * @param barred whether it keeps the pod out
 */
public record NodeStanding(boolean lost, boolean down, boolean barred) {
    /** Of a node that was not read. */
    public static final NodeStanding WELL = new NodeStanding(false, false, false);

    /** @param node null where there is none */
    public static NodeStanding of(@Nullable Node node, Pod pod) {
        NodeState state = NodeState.of(node);
        return new NodeStanding(state == NodeState.LOST, state != NodeState.UP, NodeTaints.keepOut(node, pod));
    }
}
