package dev.lightpath.reading;

import static dev.lightpath.reading.Cases.node;
import static dev.lightpath.reading.Cases.yaml;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.crds.fabric.OpticalFabric;
import io.fabric8.kubernetes.api.model.Node;
import java.util.List;
import org.junit.jupiter.api.Test;

final class SharedNodesTest {
    private static OpticalFabric fabric(String name, String created, String label) {
        return yaml(OpticalFabric.class, """
                apiVersion: lightpath.dev/v1alpha1
                kind: OpticalFabric
                metadata: {name: %s, creationTimestamp: "%s"}
                spec:
                  ocsTrx:
                    shape: Ring
                    reach: 2
                    gpusPerNode: 4
                    positions: 8
                    positionLabel: %s
                    driver: {endpoint: "%s:9440"}
                """.formatted(name, created, label, name));
    }

    private static final String LABEL = "lightpath.dev/ring-position";
    private final List<Node> nodes =
            List.of(node("n0", 0).build(), node("n2", 2).build(), node("n1", 1).build());

    @Test
    void theYoungerOfTwoFabricsOnTheSameNodesIsRefused() {
        var refused = SharedNodes.refused(
                List.of(fabric("a-new", "2026-02-02T00:00:00Z", LABEL), fabric("old", "2026-01-01T00:00:00Z", LABEL)),
                nodes);
        assertThat(refused).containsOnlyKeys("a-new");
        assertThat(refused.get("a-new"))
                .startsWith("nodes n0..n2 (3) belong to fabric old too")
                .doesNotContain("adopt", "Reset");
    }

    @Test
    void fabricsWithNodesOfTheirOwnAreServed() {
        assertThat(SharedNodes.refused(
                        List.of(
                                fabric("a", "2026-02-02T00:00:00Z", LABEL),
                                fabric("b", "2026-01-01T00:00:00Z", "example.com/other")),
                        nodes))
                .isEmpty();
    }
}
