package dev.lightpath.reading.share;

import static dev.lightpath.reading.Cases.node;
import static dev.lightpath.reading.Cases.yaml;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.crds.fabric.OpticalFabric;
import dev.lightpath.crds.job.TrainingJob;
import dev.lightpath.crds.opticalswitch.OpticalSwitch;
import dev.lightpath.crds.slice.FabricSlice;
import io.fabric8.kubernetes.api.model.Node;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import org.junit.jupiter.api.Test;

final class FabricClaimsTest {
    private static final OpticalFabric RING = fabric("""
            metadata: {name: ring}
            spec:
              ocsTrx:
                shape: Ring
                reach: 2
                gpusPerNode: 4
                positions: 8
                positionLabel: lightpath.dev/ring-position
                nodeSelector: {matchLabels: {ring: a}}
                driver: {endpoint: "ring:9440"}
            """);

    private static final OpticalFabric SPINE = fabric("""
            metadata: {name: spine}
            spec:
              ocs:
                gpusPerNode: 4
                podLabel: lightpath.dev/pod
                topology: {logical: {}}
                pods: [{name: west, index: 0, ports: 2, gpus: 8}, {name: east, index: 1, ports: 2, gpus: 8}]
            """);

    private static OpticalFabric fabric(String text) {
        return yaml(OpticalFabric.class, "apiVersion: lightpath.dev/v1alpha1\nkind: OpticalFabric\n" + text);
    }

    private static OpticalSwitch device(String name, String fabric) {
        return yaml(OpticalSwitch.class, """
                apiVersion: lightpath.dev/v1alpha1
                kind: OpticalSwitch
                metadata: {name: %s}
                spec: {fabric: %s, driver: {endpoint: "%s:9440", deviceId: a}, wiring: {striped: {firstIngress: 1, portsPerPod: 2}}}
                """.formatted(name, fabric, name));
    }

    private static Node inPod(Node node, String pod) {
        return node.edit()
                .editMetadata()
                .addToLabels("lightpath.dev/pod", pod)
                .endMetadata()
                .build();
    }

    private static final Node ON_BOTH = inPod(node("both", 0).build(), "west");
    private static final Node ON_RING = inPod(node("ring-only", 1).build(), "of-no-fabric");
    private static final Node ELSEWHERE = inPod(
            node("spine-only", 2)
                    .editMetadata()
                    .addToLabels("ring", "b")
                    .endMetadata()
                    .build(),
            "east");

    private static final List<OpticalSwitch> SWITCHES =
            List.of(device("sw-0", "spine"), device("sw-1", "spine"), device("sw-2", "not-there"));

    private static SortedMap<String, SortedSet<String>> groups(List<Node> nodes, List<FabricSlice> slices) {
        return FabricClaims.of(List.of(RING, SPINE), SWITCHES, nodes)
                .groups(slices, Map.of("uid-of-pods", List.of("ring-only")))
                .groups();
    }

    private static FabricSlice slice(String name, String fabric, String uid, String status) {
        return yaml(FabricSlice.class, """
                apiVersion: lightpath.dev/v1alpha1
                kind: FabricSlice
                metadata: {name: %s, namespace: team}
                spec: {fabric: %s, job: {name: job, uid: %s, attempt: 1}, demand: {scaleUp: {groups: 1, gpusPerGroup: 8}}}
                status: %s
                """.formatted(name, fabric, uid, status));
    }

    @Test
    void fabricsThatShareNothingAreAlone() {
        assertThat(groups(List.of(ON_RING, ELSEWHERE), List.of())).containsOnlyKeys("not-there", "ring", "spine");
    }

    @Test
    void aNodeThatBothSelectJoinsThem() {
        assertThat(groups(List.of(ON_BOTH), List.of()).get("ring")).containsExactly("ring", "spine");
    }

    @Test
    void aCommonDriverJoins() {
        OpticalSwitch common = device("ring", "spine");
        assertThat(FabricClaims.of(List.of(RING, SPINE), List.of(common), List.of())
                        .groups(List.of(), Map.of())
                        .groups())
                .containsOnlyKeys("ring");
    }

    @Test
    void ringsWhoseNodesHaveAgentsShareNoDriverByWritingTheSame() {
        String ring = """
                metadata: {name: %s}
                spec:
                  ocsTrx:
                    shape: Ring
                    reach: 2
                    gpusPerNode: 4
                    positions: 8
                    nodeSelector: {matchLabels: {ring: %s}}
                    driver: {endpoint: "{address}:9440"}
                """;
        assertThat(FabricClaims.of(
                                List.of(fabric(ring.formatted("one", "one")), fabric(ring.formatted("two", "two"))),
                                List.of(),
                                List.of())
                        .groups(List.of(), Map.of())
                        .groups())
                .containsOnlyKeys("one", "two");
    }

    /** Whoever may create jobs cannot join fabrics by what they ask for. */
    @Test
    void aJobThatIsPlacedOnBothJoinsThemAndNoOther() {
        String placed = "{allocation: {format: 1, revision: 1}}";
        List<FabricSlice> both = List.of(slice("up", "ring", "a", placed), slice("out", "spine", "a", placed));
        assertThat(groups(List.of(), both).get("ring")).containsExactly("ring", "spine");
        List<FabricSlice> ofTwo = List.of(slice("up", "ring", "a", placed), slice("out", "spine", "b", placed));
        assertThat(groups(List.of(), ofTwo).get("ring")).containsExactly("ring");
        List<FabricSlice> asked = List.of(slice("up", "ring", "a", placed), slice("out", "spine", "a", "{}"));
        assertThat(groups(List.of(), asked).get("ring")).containsExactly("ring");
    }

    /** It was relabelled while the job runs there, or its switch was given to another fabric. */
    @Test
    void aNodeOrASwitchThatIsRecordedForOneAndIsOfAnotherJoinsThem() {
        String nodes = "{allocation: {format: 1, revision: 1, groups: [{nodes: [ring-only]}]}}";
        String going = "{allocation: {format: 1, revision: 1, releasing: {nodes: [ring-only]}}}";
        for (String status : List.of(nodes, going)) {
            assertThat(groups(List.of(ON_RING, ELSEWHERE), List.of(slice("out", "spine", "a", status)))
                            .get("ring"))
                    .containsExactly("ring", "spine");
        }
        String circuits = "{allocation: {format: 1, revision: 1, circuits: [{switch: sw-0, circuits: [1-2]}]}}";
        assertThat(groups(List.of(), List.of(slice("up", "ring", "a", circuits)))
                        .get("ring"))
                .containsExactly("ring", "spine");
    }

    @Test
    void podsOnANodeOfAnotherFabricJoinTheirsToIt() {
        String placed = "{allocation: {format: 1, revision: 1}}";
        assertThat(groups(List.of(ON_RING, ELSEWHERE), List.of(slice("out", "spine", "uid-of-pods", placed)))
                        .get("ring"))
                .containsExactly("ring", "spine");
    }

    @Test
    void aFabricThatIsGoneIsThereWhileSomethingIsLeftOnIt() {
        assertThat(groups(List.of(), List.of(slice("left", "gone", "a", "{}")))).containsKey("gone");
    }

    @Test
    void aNodeIsSelectedByTheFabricsThatClaimIt() {
        assertThat(FabricClaims.selector(RING).test(ON_RING)).isTrue();
        assertThat(FabricClaims.selector(RING).test(ELSEWHERE)).isFalse();
        assertThat(FabricClaims.selector(SPINE).test(ELSEWHERE)).isTrue();
        assertThat(FabricClaims.selector(SPINE).test(ON_RING)).isFalse();
    }

    @Test
    void aJobAsksForTheFabricsOfBothItsParts() {
        TrainingJob job = yaml(TrainingJob.class, """
                apiVersion: lightpath.dev/v1alpha1
                kind: TrainingJob
                metadata: {name: job}
                spec: {parallelism: {tensor: 8}, scaleUp: {fabric: ring}, scaleOut: {fabric: spine}}
                """);
        assertThat(FabricClaims.of(job.getSpec())).containsExactly("ring", "spine");
    }
}
