package dev.lightpath.planner.polarfly;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lightpath.planner.graph.Graph;
import dev.lightpath.planner.stripe.DeviceKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class EulerPlanesPropertyTest {
    private static List<int[]> edges(Graph graph) {
        List<int[]> edges = new ArrayList<>();
        for (int v = 0; v < graph.vertices(); v++) {
            for (int p = graph.port(v); p < graph.port(v) + graph.degree(v); p++) {
                if (v < graph.target(p)) {
                    edges.add(new int[] {v, graph.target(p)});
                }
            }
        }
        return edges;
    }

    private static int greatestDegree(int vertices, List<int[]> edges) {
        int[] degree = new int[vertices];
        int greatest = 0;
        for (int[] edge : edges) {
            greatest = Math.max(greatest, Math.max(++degree[edge[0]], ++degree[edge[1]]));
        }
        return greatest;
    }

    @Test
    void anyGraphTakesHalfItsGreatestDegree() {
        for (int seed = 0; seed < 300; seed++) {
            Random random = new Random(seed);
            int vertices = 2 + random.nextInt(20);
            List<int[]> edges = new ArrayList<>();
            for (int e = random.nextInt(6 * vertices); e > 0; e--) {
                int v = random.nextInt(vertices);
                int w = random.nextInt(vertices);
                if (v != w) {
                    edges.add(new int[] {v, w});
                }
            }
            List<List<int[]>> planes = EulerPlanes.of(vertices, edges);
            assertThat(planes).as("seed " + seed).hasSize((greatestDegree(vertices, edges) + 1) / 2);
            assertThat(PlaneCheck.findings(vertices, edges, DeviceKind.TWO_SIDED, planes))
                    .as("seed " + seed)
                    .isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 4, 5, 7, 8, 9, 11, 13})
    void aPolarFlyTakesAsManyAsPairsOfSingerPlanes(int order) {
        PolarFly polarFly = new PolarFly(order);
        List<int[]> edges = edges(polarFly.graph());
        List<List<int[]>> planes = EulerPlanes.of(polarFly.vertices(), edges);
        assertThat(planes).hasSameSizeAs(SwitchPlanes.full(polarFly, DeviceKind.TWO_SIDED));
        assertThat(PlaneCheck.findings(polarFly.vertices(), edges, DeviceKind.TWO_SIDED, planes))
                .isEmpty();
    }

    @ParameterizedTest
    @EnumSource(Expansion.Method.class)
    void anExpansionIsCarriedFromScratchAndGrownWithoutMovingACircuit(Expansion.Method method) {
        for (int order : new int[] {3, 5, 7, 9}) {
            PolarFly polarFly = new PolarFly(order);
            for (int copies = 1; copies <= 3; copies++) {
                Expansion expansion = Expansion.of(polarFly, method, copies);
                int vertices = expansion.graph().vertices();
                List<int[]> edges = edges(expansion.graph());
                String what = method + ", order " + order + ", copies " + copies;
                List<List<int[]>> scratch = EulerPlanes.of(vertices, edges);
                assertThat(scratch).as(what).hasSize((greatestDegree(vertices, edges) + 1) / 2);
                assertThat(PlaneCheck.findings(vertices, edges, DeviceKind.TWO_SIDED, scratch))
                        .as(what)
                        .isEmpty();
                for (DeviceKind device : DeviceKind.values()) {
                    List<List<int[]>> before = SwitchPlanes.full(polarFly, device);
                    List<List<int[]>> grown = SwitchPlanes.grow(before, expansion, device);
                    assertThat(PlaneCheck.findings(vertices, edges, device, grown))
                            .as(what)
                            .isEmpty();
                    for (int plane = 0; plane < before.size(); plane++) {
                        assertThat(grown.get(plane)).as(what).containsAll(before.get(plane));
                    }
                }
            }
        }
    }

    @Test
    void theCheckFindsWhatIsWrong() {
        List<int[]> edges = List.of(new int[] {0, 1}, new int[] {1, 2});
        List<List<int[]>> onePlane = List.of(edges);
        assertThat(PlaneCheck.findings(3, edges, DeviceKind.TWO_SIDED, onePlane))
                .isEmpty();
        assertThat(PlaneCheck.findings(3, edges, DeviceKind.ANY_TO_ANY, onePlane))
                .containsExactly("plane 0: circuit 1-2 uses a port twice");
        assertThat(PlaneCheck.findings(3, edges, DeviceKind.TWO_SIDED, List.of(List.of(new int[] {0, 2}))))
                .containsExactlyInAnyOrder(
                        "plane 0: circuit 0-2 is no edge, or one too many",
                        "edge 0-1 has no circuit",
                        "edge 1-2 has no circuit");
    }

    @Test
    void anEdgeOutsideTheGraphIsRefusedByName() {
        assertThatThrownBy(() -> EulerPlanes.of(3, List.of(new int[] {0, 3})))
                .hasMessage("edge 0-3: two different vertices from 0 to 2 are allowed");
    }
}
