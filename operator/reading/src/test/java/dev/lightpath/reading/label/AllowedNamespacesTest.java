package dev.lightpath.reading.label;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.crds.fabric.OpticalFabric;
import dev.lightpath.reading.Cases;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class AllowedNamespacesTest {
    private static OpticalFabric fabric(String allowed) {
        return Cases.yaml(OpticalFabric.class, """
                apiVersion: lightpath.dev/v1alpha1
                kind: OpticalFabric
                metadata: {name: ring-a}
                spec: {%s}
                """.formatted(allowed));
    }

    @Test
    void saysWhichNamespacesAreAllowed() {
        OpticalFabric fabric = fabric("allowedNamespaces: {matchLabels: {tier: prod, team: a}, matchExpressions:"
                + " [{key: kubernetes.io/metadata.name, operator: In, values: [x, y]},"
                + " {key: zone, operator: NotIn, values: [z]}, {key: paid, operator: Exists},"
                + " {key: legacy, operator: DoesNotExist}]}");
        assertThat(AllowedNamespaces.refusal(fabric, "dev", Map.of("team", "a")))
                .contains(
                        "namespace dev may not use OpticalFabric ring-a: its spec.allowedNamespaces takes namespaces with"
                                + " labels team=a,tier=prod,kubernetes.io/metadata.name in (x,y),zone notin (z),paid,!legacy");
        assertThat(AllowedNamespaces.refusal(
                        fabric,
                        "x",
                        Map.of("team", "a", "tier", "prod", "kubernetes.io/metadata.name", "x", "paid", "yes")))
                .isEmpty();
    }

    @Test
    void whereNothingIsSaidAllAreAllowed() {
        assertThat(AllowedNamespaces.refusal(fabric("paused: false"), "dev", Map.of()))
                .isEmpty();
    }
}
