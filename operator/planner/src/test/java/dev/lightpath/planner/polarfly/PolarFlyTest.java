package dev.lightpath.planner.polarfly;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.lightpath.planner.graph.Bisection;
import dev.lightpath.planner.graph.Distances;
import dev.lightpath.planner.graph.Graph;
import dev.lightpath.planner.graph.Resilience;
import dev.lightpath.planner.stripe.DeviceKind;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PolarFlyTest {

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 4, 5, 7, 8, 9, 11, 13, 16, 25, 27})
    void countsAreThoseOfThePaper(int q) {
        PolarFly polarFly = new PolarFly(q);
        Graph graph = polarFly.graph();
        int n = q * q + q + 1;
        assertThat(graph.vertices()).isEqualTo(n);
        assertThat(graph.edges()).isEqualTo(q * (q + 1) * (q + 1) / 2);
        assertThat(graph.minDegree()).isEqualTo(q);
        assertThat(graph.maxDegree()).isEqualTo(q + 1);
        assertThat(polarFly.quadrics()).hasSize(q + 1);
        assertThat(polarFly.hasDiameterTwo()).isTrue();
        Distances distances = Distances.of(graph);
        assertThat(distances.diameter()).isEqualTo(2);
        assertThat(distances.averageShortestPath())
                .isCloseTo(2 - q * (q + 1.0) * (q + 1) / (n * (n - 1.0)), within(1e-12));
        if (q % 2 == 1) {
            assertThat(polarFly.triangles()).isEqualTo((q + 1L) * q * (q - 1) / 6);
        }
        for (int s = 0; s < n; s += 1 + q / 3) {
            for (int d = 0; d < n; d++) {
                int hop = s == d || graph.adjacent(s, d) ? d : polarFly.between(s, d);
                assertThat(
                                s == d || hop == d
                                        ? s == d || graph.adjacent(s, d)
                                        : graph.adjacent(s, hop) && graph.adjacent(hop, d))
                        .isTrue();
            }
        }
    }

    @Test
    void fieldsOfPrimePowersAreFields() {
        for (int q : List.of(4, 8, 9, 16, 25, 27, 49, 64, 81)) {
            FiniteField field = FiniteField.of(q);
            for (int a = 0; a < q; a++) {
                assertThat(field.add(a, field.negate(a))).isZero();
                assertThat(a == 0 || field.multiply(a, field.invert(a)) == 1).isTrue();
                for (int b = 0; b < q; b += 3) {
                    int c = (a * 7 + b) % q;
                    assertThat(field.multiply(a, field.add(b, c)))
                            .isEqualTo(field.add(field.multiply(a, b), field.multiply(a, c)));
                    assertThat(field.multiply(a, field.multiply(b, c)))
                            .isEqualTo(field.multiply(field.multiply(a, b), c));
                }
            }
        }
    }

    @Test
    void refusesOrdersThatAreNoPrimePower() {
        assertThatThrownBy(() -> new PolarFly(6)).hasMessage("order 6 is no prime power: it is divisible by 2 and 3");
        assertThatThrownBy(() -> new PolarFly(1)).hasMessage("order 1: a prime power from 2 to 256");
    }

    @Test
    void efficiencyAndRadixesAreThoseOfThePaper() {
        assertThat(new PolarFly(31).mooreEfficiency()).isCloseTo(.9688, within(5e-5));
        assertThat(new PolarFly(127).mooreEfficiency()).isCloseTo(.9922, within(5e-5));
        assertThat(PolarFly.feasibleRadixes(128)).hasSize(43).contains(32, 48, 62, 128);
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 5, 7, 9, 11, 13})
    void oddLayoutsAreFansWithBalancedBundles(int q) {
        PolarFly polarFly = new PolarFly(q);
        for (int starter : polarFly.quadrics()) {
            ClusterLayout layout = ClusterLayout.of(polarFly, starter);
            assertThat(layout.clusters()).hasSize(q + 1);
            assertThat(layout.clusterOf()).hasSize(polarFly.vertices()).doesNotContainNull();
            for (int i = 1; i <= q; i++) {
                List<Integer> cluster = layout.clusters().get(i);
                assertThat(cluster).hasSize(q);
                assertThat(cluster.subList(1, q)).allMatch(v -> polarFly.graph().adjacent(cluster.getFirst(), v));
            }
            for (ClusterLayout.Bundle bundle : layout.bundles(polarFly.graph())) {
                assertThat(bundle.links()).isEqualTo(bundle.first() == 0 ? q + 1 : q - 2);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 4, 8, 16})
    void evenLayoutsSurroundTheNucleus(int q) {
        PolarFly polarFly = new PolarFly(q);
        ClusterLayout layout = ClusterLayout.of(polarFly);
        assertThat(layout.clusters()).hasSize(q + 2);
        assertThat(layout.clusters().getFirst()).hasSize(1);
        assertThat(layout.clusters().subList(1, q + 2)).allMatch(cluster -> cluster.size() == q);
        assertThat(layout.bundles(polarFly.graph()))
                .allMatch(bundle -> bundle.links() == (bundle.first() == 0 ? 1 : q - 1));
    }

    @Test
    void expansionsReachTheSizesAndDegreesOfTheReference() {
        PolarFly polarFly = new PolarFly(31);
        Expansion quadric = Expansion.of(polarFly, Expansion.Method.QUADRIC, 12);
        assertThat(quadric.graph().vertices()).isEqualTo(1377);
        assertThat(quadric.graph().maxDegree()).isEqualTo(56);
        assertThat(PolarFly.hasDiameterTwo(quadric.graph())).isTrue();
        Expansion other = Expansion.of(polarFly, Expansion.Method.NON_QUADRIC, 12);
        assertThat(other.graph().vertices()).isEqualTo(1365);
        assertThat(other.graph().maxDegree()).isEqualTo(45);
        assertThat(Distances.of(other.graph()).diameter()).isEqualTo(3);
        assertThat(Expansion.of(polarFly, Expansion.Method.QUADRIC, 1).newEdges())
                .hasSize(1024);
    }

    @Test
    void growingMovesNoCircuitAndUsesTheFreePortsOfOldPlanes() {
        PolarFly polarFly = new PolarFly(31);
        List<List<int[]>> planes = SwitchPlanes.full(polarFly, DeviceKind.ANY_TO_ANY);
        List<List<int[]>> grown =
                SwitchPlanes.grow(planes, Expansion.of(polarFly, Expansion.Method.QUADRIC, 1), DeviceKind.ANY_TO_ANY);
        int onOldPlanes = 0;
        for (int p = 0; p < planes.size(); p++) {
            assertThat(grown.get(p)).containsAll(planes.get(p));
            onOldPlanes += grown.get(p).size() - planes.get(p).size();
        }
        assertThat(onOldPlanes).isEqualTo(32);
        assertThat(grown.stream().mapToInt(List::size).sum())
                .isEqualTo(polarFly.graph().edges() + 1024);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"2 | 0,1,5", "3 | 0,1,5,11", "4 | 0,1,4,14,16", "5 | 0,1,14,20,24,29", "7 | 0,1,3,13,32,36,43,52"})
    void differenceSetsAreTheGoldenOnes(int q, String expected) {
        assertThat(SingerPlanes.differenceSet(q).stream().map(String::valueOf).reduce((a, b) -> a + "," + b))
                .hasValue(expected);
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 4, 5, 7, 8, 9, 11, 13, 16, 17})
    void planesCarryEveryEdgeOnceAndNoPortTwice(int q) {
        PolarFly polarFly = new PolarFly(q);
        assertThat(SwitchPlanes.full(polarFly, DeviceKind.ANY_TO_ANY)).hasSize(q + 1);
        assertThat(SwitchPlanes.full(polarFly, DeviceKind.TWO_SIDED)).hasSize((q + 2) / 2);
        for (DeviceKind device : DeviceKind.values()) {
            carriesEveryEdge(polarFly, device, SwitchPlanes.full(polarFly, device));
            carriesEveryEdge(polarFly, device, SwitchPlanes.ofRadix(polarFly, device, q + 2));
        }
    }

    @Test
    void smallSwitchesAreAsFewAsTheBound() {
        PolarFly polarFly = new PolarFly(31);
        List<List<int[]>> devices = SwitchPlanes.ofRadix(polarFly, DeviceKind.TWO_SIDED, 128);
        assertThat(devices).as("15872 circuits, 128 on a device").hasSize(124);
        carriesEveryEdge(polarFly, DeviceKind.TWO_SIDED, devices);
    }

    private static void carriesEveryEdge(PolarFly polarFly, DeviceKind device, List<List<int[]>> planes) {
        Set<Long> edges = new HashSet<>();
        for (List<int[]> plane : planes) {
            Set<Integer> first = new HashSet<>();
            Set<Integer> second = device == DeviceKind.TWO_SIDED ? new HashSet<>() : first;
            for (int[] c : plane) {
                assertThat(first.add(c[0])).isTrue();
                assertThat(second.add(c[1])).isTrue();
                assertThat(polarFly.orthogonal(c[0], c[1]) && c[0] != c[1]).isTrue();
                assertThat(edges.add((long) Math.min(c[0], c[1]) << 32 | Math.max(c[0], c[1])))
                        .isTrue();
            }
        }
        assertThat(edges).hasSize(polarFly.graph().edges());
    }

    @Test
    void flowsReachTheReferenceThroughput() {
        PolarFly polarFly = new PolarFly(31);
        FlowRouting flows = new FlowRouting(polarFly, 16);
        assertThat(flows.uniform(Routing.MINIMAL).throughput()).isCloseTo(1.0, within(1e-9));
        assertThat(flows.uniform(Routing.VALIANT).throughput()).isCloseTo(0.5, within(1e-9));
        int[] to = FlowRouting.derangement(993, 1);
        assertThat(flows.permutation(to, Routing.MINIMAL).throughput()).isBetween(1 / 48.0, 1 / 16.0);
        assertThat(flows.permutation(to, Routing.UGAL).throughput()).isGreaterThanOrEqualTo(0.57);
        assertThat(flows.permutation(to, Routing.VALIANT).throughput()).isBetween(0.4, 0.55);
    }

    @Test
    void comparedNetworksHaveTheSizesOfTableV() {
        sized(ComparedTopologies.slimFly(23), 1058, 35, 2);
        sized(ComparedTopologies.dragonfly(12, 6), 876, 17, 3);
        sized(ComparedTopologies.dragonfly(6, 27), 978, 32, 3);
        sized(ComparedTopologies.jellyfish(993, 32, 1), 993, 32, 3);
        sized(ComparedTopologies.fatTree(18, 3), 972, 36, 4);
    }

    private static void sized(Graph graph, int vertices, int degree, int diameter) {
        assertThat(graph.vertices()).isEqualTo(vertices);
        assertThat(graph.maxDegree()).isEqualTo(degree);
        Distances distances = Distances.of(graph);
        assertThat(distances.connected()).isTrue();
        assertThat(distances.diameter()).isEqualTo(diameter);
    }

    @Test
    void resilienceAndBisectionAreNearTheReference() {
        Graph polarFly = new PolarFly(31).graph();
        assertThat(Resilience.medianDisconnectionRatio(polarFly, 100, 1)).isCloseTo(.795, within(.01));
        assertThat(Resilience.medianDisconnectionRatio(ComparedTopologies.slimFly(23), 100, 1))
                .isCloseTo(.814, within(.01));
        assertThat(Resilience.medianDisconnectionRatio(ComparedTopologies.fatTree(18, 3), 100, 1))
                .isCloseTo(.681, within(.02));
        assertThat(Resilience.medianDisconnectionRatio(ComparedTopologies.dragonfly(12, 6), 100, 1))
                .isCloseTo(.662, within(.02));
        assertThat(Resilience.afterFailures(polarFly, 0.05, 1).diameter()).isEqualTo(4);
        assertThat((double) Bisection.width(polarFly, 4, 1) / polarFly.edges()).isCloseTo(.4202, within(.01));
    }
}
