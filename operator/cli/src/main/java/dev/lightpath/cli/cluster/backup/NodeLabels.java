package dev.lightpath.cli.cluster.backup;

import dev.lightpath.crds.fabric.OpticalFabricSpec;
import io.fabric8.kubernetes.api.model.LabelSelector;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** Which labels of nodes say where they are in a fabric. */
final class NodeLabels {
    private NodeLabels() {}

    static Set<String> readBy(OpticalFabricSpec spec) {
        Set<String> keys = new HashSet<>();
        var ring = spec.ocsTrx();
        if (ring != null) {
            keys.add(ring.positionLabel());
            if (ring.torLabel() != null) {
                keys.add(ring.torLabel());
            }
            LabelSelector selector = ring.nodeSelector();
            if (selector != null) {
                keys.addAll(Objects.requireNonNullElse(selector.getMatchLabels(), Map.<String, String>of())
                        .keySet());
                selector.getMatchExpressions().forEach(expression -> keys.add(expression.getKey()));
            }
        }
        var ocs = spec.ocs();
        if (ocs != null) {
            keys.add(ocs.podLabel());
        }
        return keys;
    }
}
