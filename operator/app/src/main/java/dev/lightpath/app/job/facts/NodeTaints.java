package dev.lightpath.app.job.facts;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Taint;
import io.fabric8.kubernetes.api.model.TaintBuilder;
import io.fabric8.kubernetes.api.model.Toleration;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Whether a node takes a pod that is to be bound to it. */
final class NodeTaints {
    private static final Set<String> KEEPING = Set.of("NoSchedule", "NoExecute");
    /** What {@code kubectl cordon} comes to, also before the node carries it. */
    private static final Taint CORDONED = new TaintBuilder()
            .withKey("node.kubernetes.io/unschedulable")
            .withEffect("NoSchedule")
            .build();

    private NodeTaints() {}

    /** @param node null where there is none */
    static boolean keepOut(@Nullable Node node, Pod pod) {
        return node != null
                && node.getSpec() != null
                && Stream.concat(
                                node.getSpec().getTaints().stream(),
                                Boolean.TRUE.equals(node.getSpec().getUnschedulable())
                                        ? Stream.of(CORDONED)
                                        : Stream.<Taint>empty())
                        .filter(taint -> KEEPING.contains(String.valueOf(taint.getEffect())))
                        .anyMatch(taint -> pod.getSpec().getTolerations().stream()
                                .noneMatch(toleration -> isTolerated(taint, toleration)));
    }

    /** As a scheduler asks; for how long it is tolerated matters once the pod runs. */
    private static boolean isTolerated(Taint taint, Toleration by) {
        boolean any = text(by.getKey()).isEmpty();
        boolean exists = "Exists".equals(by.getOperator());
        return (text(by.getEffect()).isEmpty() || by.getEffect().equals(taint.getEffect()))
                && (any ? exists : by.getKey().equals(taint.getKey()))
                && (exists || text(by.getValue()).equals(text(taint.getValue())));
    }

    private static String text(@Nullable String value) {
        return value == null ? "" : value;
    }
}
