package dev.lightpath.app.lead;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.app.driver.endpoint.DriverEndpoint;
import dev.lightpath.crds.fabric.OpticalFabric;
import dev.lightpath.crds.slice.FabricSlice;
import dev.lightpath.reading.RingIntentReader;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import org.junit.jupiter.api.Test;

class DriverEndpointsTest {
    private static final OpticalFabric FABRIC = Serialization.unmarshal("""
        apiVersion: lightpath.dev/v1alpha1
        kind: OpticalFabric
        metadata: {name: ring-a}
        spec:
          ocsTrx: {positions: 8, reach: 3, shape: Ring, gpusPerNode: 4, positionLabel: position,
            nodeSelector: {matchLabels: {of: ring-a}}, driver: {endpoint: "{node}:9440"}}
        """, OpticalFabric.class);
    private static final Node LEFT = Serialization.unmarshal("""
        apiVersion: v1
        kind: Node
        metadata: {name: n1}
        """, Node.class);
    private static final FabricSlice RECORDED = Serialization.unmarshal("""
        apiVersion: lightpath.dev/v1alpha1
        kind: FabricSlice
        metadata: {name: job, namespace: default}
        spec: {fabric: ring-a, demand: {scaleUp: {groups: 1, gpusPerGroup: 4}}}
        status: {allocation: {format: 1, revision: 1, groups: [{id: 0, start: 0, nodes: [n1]}]}}
        """, FabricSlice.class);

    /** A process that stands by looks for weeks before it leads: light may be left there since. */
    @Test
    void agentsOfNodesThatWereRecordedSinceTheFirstLookAreCalled() {
        try (KubernetesClient client = new KubernetesClientBuilder().build()) {
            DriverEndpoints endpoints = new DriverEndpoints(client, "lightpath-system", new RingIntentReader("uid"));
            assertThat(agents(endpoints, List.of())).isEmpty();

            assertThat(agents(endpoints, List.of(RECORDED))).containsExactly("n1:9440");
            assertThat(agents(endpoints, List.of()))
                    .as("as long as it is there")
                    .containsExactly("n1:9440");
        }
    }

    private static List<String> agents(DriverEndpoints endpoints, List<FabricSlice> slices) {
        return endpoints.of(List.of(FABRIC), List.of(), List.of(LEFT), slices).stream()
                .map(DriverEndpoint::address)
                .toList();
    }
}
