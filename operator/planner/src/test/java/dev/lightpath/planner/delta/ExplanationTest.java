package dev.lightpath.planner.delta;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.lightpath.planner.delta.model.CommunicationTask;
import dev.lightpath.planner.delta.model.DeltaInstance;
import dev.lightpath.planner.delta.model.Topology;
import dev.lightpath.planner.delta.search.SearchLimits;
import dev.lightpath.planner.delta.simulation.Rates;
import dev.lightpath.planner.delta.simulation.Simulator;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ExplanationTest {

    @ParameterizedTest
    @EnumSource(names = {"JOINT", "FAST"})
    void followsTheTimeFromTheStartToTheEnd(Algorithm algorithm) {
        Explanation explanation = explained("gpt7b-400", List.of(1, 3, 3), algorithm);
        double seconds = 0;
        for (Explanation.PathStep step : explanation.criticalPath()) {
            seconds += step.waitSeconds();
            assertThat(step.startSeconds()).as(step.name()).isCloseTo(seconds, within(1e-9));
            assertThat(step.seconds()).isGreaterThanOrEqualTo(step.cardSeconds() - 1e-12);
            seconds += step.seconds();
        }
        assertThat(seconds).isCloseTo(explanation.makespanSeconds(), within(1e-9));
    }

    @Test
    void sumsWhatEachPairSends() {
        DeltaInstance instance = Golden.instance("gpt7b-400");
        Explanation explanation = explained("gpt7b-400", List.of(1, 3, 3), Algorithm.JOINT);
        assertThat(explanation.pairs())
                .extracting(Explanation.PairShare::circuits)
                .containsExactly(1, 3, 3);
        assertThat(explanation.pairs().stream()
                        .mapToDouble(pair -> pair.bytes() + pair.bytesBack())
                        .sum())
                .isEqualTo(instance.tasks().stream()
                        .mapToDouble(CommunicationTask::bytes)
                        .sum());
        assertThat(explanation.pairs())
                .allSatisfy(pair -> assertThat(pair.busyShare()).isBetween(0.0, 1.0));
        assertThat(explanation.pairs().stream()
                        .mapToDouble(Explanation.PairShare::criticalSeconds)
                        .sum())
                .isCloseTo(
                        explanation.criticalPath().stream()
                                .mapToDouble(Explanation.PathStep::seconds)
                                .sum(),
                        within(1e-9));
    }

    @Test
    void tellsWhatOneMorePortGives() {
        Explanation explanation = explained("gpt7b-400", List.of(1, 3, 3), Algorithm.JOINT);
        assertThat(explanation.morePorts())
                .extracting(Explanation.MorePorts::pods)
                .containsExactly(List.of(0), List.of(1), List.of(0, 1));
        assertThat(explanation.morePorts()).allSatisfy(more -> {
            assertThat(more.ports()).isEqualTo(4 * more.pods().size());
            assertThat(more.used()).isEqualTo(4 * more.pods().size());
            assertThat(more.proved()).isTrue();
            assertThat(more.makespanSeconds()).isLessThanOrEqualTo(explanation.makespanSeconds());
        });
        DeltaInstance instance = Golden.instance("gpt7b-400");
        double bruteForce = Double.POSITIVE_INFINITY;
        for (int a = 1; a <= 4; a++) {
            for (int b = 1; a + b <= 5; b++) {
                for (int c = 1; a + c <= 4; c++) {
                    if (b <= instance.groups().get(1).maxCircuits()) {
                        bruteForce = Math.min(
                                bruteForce,
                                new Simulator(instance).makespanSeconds(new Topology(List.of(a, b, c)), Rates.JOINT));
                    }
                }
            }
        }
        assertThat(explanation.morePorts().getFirst().makespanSeconds())
                .isCloseTo(bruteForce, within(bruteForce * 1e-9));
    }

    private static Explanation explained(String name, List<Integer> circuits, Algorithm algorithm) {
        return Explanation.of(
                Golden.instance(name),
                new Topology(circuits),
                algorithm,
                new DeltaPlanner(),
                SearchLimits.standard().withNodes(20_000));
    }
}
