package dev.lightpath.app.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.crds.slice.FabricSlice;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class NewcomersTest {
    private final Newcomers newcomers = new Newcomers();

    private static long at(double seconds) {
        return (long) (seconds * 1e9);
    }

    private static FabricSlice recorded(String fabric, String node) {
        return Serialization.unmarshal("""
                apiVersion: lightpath.dev/v1alpha1
                kind: FabricSlice
                metadata: {name: on-%s, namespace: default}
                spec: {fabric: %s, job: {name: llm, uid: "1", attempt: 1}, demand: {scaleUp: {groups: 1, gpusPerGroup: 8}}}
                status: {allocation: {format: 1, revision: 1, groups: [{index: 0, nodes: [%s], positions: [0]}]}}
                """.formatted(fabric, fabric, node), FabricSlice.class);
    }

    @Test
    void whoIsThereAtTheFirstLookIsNone() {
        assertThat(newcomers.settled("a", "n1")).isFalse();
        newcomers.look(Map.of("a", Set.of("n1")), at(0));
        assertThat(newcomers.settled("a", "n1")).isTrue();
        assertThat(newcomers.settled("b", "n1")).isFalse();
        assertThat(newcomers.due(List.of(), at(60))).isEmpty();
    }

    @Test
    void whoComesFromAnotherFabricSettlesAfterAWhile() {
        newcomers.look(Map.of("a", Set.of("n1"), "b", Set.of("n2")), at(0));
        newcomers.look(Map.of("a", Set.of(), "b", Set.of("n1", "n2")), at(10));
        assertThat(newcomers.settled("b", "n1")).isFalse();
        assertThat(newcomers.settled("b", "n2")).isTrue();
        assertThat(newcomers.due(List.of(), at(14.9))).isEmpty();
        newcomers.settle(Map.of("b", Set.of("n1")), at(14.9));
        assertThat(newcomers.settled("b", "n1")).isFalse();
        assertThat(newcomers.due(List.of(), at(15))).containsOnlyKeys("b");
        newcomers.settle(newcomers.due(List.of(), at(15)), at(15));
        assertThat(newcomers.settled("b", "n1")).isTrue();
        assertThat(newcomers.due(List.of(), at(60))).isEmpty();
    }

    @Test
    void whoIsRecordedForAnotherFabricDoesNotSettle() {
        newcomers.look(Map.of("b", Set.of()), at(0));
        newcomers.look(Map.of("b", Set.of("n1", "n3")), at(1));
        assertThat(newcomers.due(List.of(recorded("a", "n1")), at(10))).isEqualTo(Map.of("b", Set.of("n3")));
        assertThat(newcomers.due(List.of(recorded("b", "n1")), at(10))).isEqualTo(Map.of("b", Set.of("n1", "n3")));
    }

    @Test
    void whoLeavesAndComesBackIsNewAgain() {
        newcomers.look(Map.of("a", Set.of("n1")), at(0));
        newcomers.look(Map.of("a", Set.of()), at(1));
        newcomers.look(Map.of("a", Set.of("n1")), at(8));
        assertThat(newcomers.settled("a", "n1")).isFalse();
        assertThat(newcomers.due(List.of(), at(12))).isEmpty();
        assertThat(newcomers.due(List.of(), at(13))).isNotEmpty();
    }
}
