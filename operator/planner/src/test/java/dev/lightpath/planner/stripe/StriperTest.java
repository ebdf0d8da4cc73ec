package dev.lightpath.planner.stripe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class StriperTest {

    private static final int[][] TRIANGLE = {{0, 1, 1}, {1, 0, 1}, {1, 1, 0}};

    @Test
    void refusesTheTriangleOnTwoSwitchesWithOnePortEach() {
        StripingOutcome outcome = stripe(2, 1, DeviceKind.ANY_TO_ANY, TRIANGLE);
        assertThat(outcome)
                .isEqualTo(new StripingOutcome.Infeasible(
                        "pods 0, 1, 2 want 3 circuits among them but 2 switches can join their usable ports by 2 at most",
                        true));
    }

    @Test
    void stripesTheTriangleOverThreeSwitchesWithOnePortEach() {
        StripingRequest request = request(3, 1, DeviceKind.ANY_TO_ANY, TRIANGLE);
        assertThat(Striper.stripe(request, SearchBudget.standard()))
                .isInstanceOfSatisfying(
                        StripingOutcome.Striped.class,
                        striped -> assertThat(StripingCheck.violations(request, striped))
                                .isEmpty());
    }

    @Test
    void provesByExhaustionThatThePetersenGraphHasNoThreePerfectPlanes() {
        int[][] petersen = new int[10][10];
        for (int i = 0; i < 5; i++) {
            join(petersen, i, (i + 1) % 5);
            join(petersen, i, i + 5);
            join(petersen, i + 5, (i + 2) % 5 + 5);
        }
        assertThat(stripe(3, 1, DeviceKind.ANY_TO_ANY, petersen))
                .isInstanceOfSatisfying(
                        StripingOutcome.Infeasible.class,
                        none -> assertThat(none.proved()).isTrue());
        assertThat(stripe(4, 1, DeviceKind.ANY_TO_ANY, petersen)).isInstanceOf(StripingOutcome.Striped.class);
    }

    @Test
    void namesThePodThatWantsMoreThanItsPorts() {
        assertThat(stripe(1, 1, DeviceKind.TWO_SIDED, new int[][] {{0, 1, 1}, {0, 0, 0}, {0, 0, 0}}))
                .isEqualTo(new StripingOutcome.Infeasible(
                        "pod 0 wants 2 circuits out but has 1 usable ports on 1 switch", true));
    }

    @Test
    void keepsEveryCircuitOfAnUnchangedTopology() {
        int[][] x = {{0, 2, 1}, {1, 0, 2}, {2, 1, 0}};
        StripingOutcome.Striped first = (StripingOutcome.Striped) stripe(2, 2, DeviceKind.TWO_SIDED, x);
        StripingRequest again = new StripingRequest(
                2, 2, DeviceKind.TWO_SIDED, LogicalTopology.of(x), first.switches(), new TreeSet<>());
        StripingOutcome.Striped second = (StripingOutcome.Striped) Striper.stripe(again, SearchBudget.standard());
        assertThat(second.switches()).isEqualTo(first.switches());
        assertThat(second.moved()).isZero();
        assertThat(second.kept()).isEqualTo(9);
    }

    @Test
    void lightsTwoSidesOfATriangleThatDoesNotFit() {
        Striper.Partial partial =
                Striper.stripeMost(request(2, 1, DeviceKind.ANY_TO_ANY, TRIANGLE), SearchBudget.standard());
        assertThat(partial.missing()).hasSize(1);
        assertThat(partial.striped().switches()).allMatch(of -> of.circuits().size() == 1);
    }

    @Test
    void movesOnlyTheCircuitOfAFailedPort() {
        int[][] x = {{0, 1}, {1, 0}};
        List<SwitchCircuits> previous = List.of(new SwitchCircuits(0, List.of(new Circuit(0, 2), new Circuit(2, 0))));
        TreeSet<SwitchPort> failed = new TreeSet<>(List.of(new SwitchPort(0, 0, SwitchPort.Side.INGRESS)));
        StripingRequest request =
                new StripingRequest(1, 2, DeviceKind.TWO_SIDED, LogicalTopology.of(x), previous, failed);
        assertThat(Striper.stripe(request, SearchBudget.standard()))
                .isEqualTo(new StripingOutcome.Striped(
                        List.of(new SwitchCircuits(0, List.of(new Circuit(1, 2), new Circuit(2, 0)))), 1, 1, 1));
    }

    @Test
    void refusesBadInputByName() {
        assertThatThrownBy(() -> LogicalTopology.of(new int[][] {{0, 1}, {1}}))
                .hasMessage("topology[1] has 1 entries, the matrix has 2 rows: it must be square");
        assertThatThrownBy(() -> LogicalTopology.of(new int[][] {{0, -1}, {1, 0}}))
                .hasMessageContaining("topology[0][1] is -1");
        assertThatThrownBy(() -> request(1, 1, DeviceKind.ANY_TO_ANY, new int[][] {{0, 1}, {0, 0}}))
                .hasMessageContaining("must be symmetric");
        assertThatThrownBy(() -> new StripingRequest(
                        1,
                        1,
                        DeviceKind.TWO_SIDED,
                        LogicalTopology.of(new int[][] {{0, 1}, {1, 0}}),
                        List.of(new SwitchCircuits(0, List.of(new Circuit(0, 2)))),
                        new TreeSet<>()))
                .hasMessage("previous names port 2 of switch 0: allowed 0 to 1");
    }

    private static void join(int[][] x, int a, int b) {
        x[a][b]++;
        x[b][a]++;
    }

    private static StripingRequest request(int switches, int ports, DeviceKind device, int[][] x) {
        return new StripingRequest(switches, ports, device, LogicalTopology.of(x), List.of(), new TreeSet<>());
    }

    private static StripingOutcome stripe(int switches, int ports, DeviceKind device, int[][] x) {
        return Striper.stripe(request(switches, ports, device, x), SearchBudget.standard());
    }
}
