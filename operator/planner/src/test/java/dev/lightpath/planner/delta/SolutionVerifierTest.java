package dev.lightpath.planner.delta;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class SolutionVerifierTest {
    private final DeltaInstance instance = Golden.instance("megatron177b-400");
    private final DeltaSolution honest =
            new DeltaPlanner().solve(instance, Goal.shortest(Algorithm.JOINT), SearchLimits.standard());

    @Test
    void acceptsAnHonestAnswer() {
        assertThat(SolutionVerifier.violations(instance, honest)).isEmpty();
    }

    @Test
    void refusesATopologyThatTakesMorePortsThanAPodHas() {
        List<String> wrong = SolutionVerifier.violations(instance, with(new Topology(List.of(8, 8, 9, 8, 8)), honest));
        assertThat(wrong).anySatisfy(line -> assertThat(line).contains("pod 0: 17 circuit ends, it has 16"));
    }

    @Test
    void refusesACountAboveItsGroup() {
        List<String> wrong = SolutionVerifier.violations(instance, with(new Topology(List.of(9, 1, 1, 1, 1)), honest));
        assertThat(wrong).anySatisfy(line -> assertThat(line).contains("topology[0]: 9 circuits, the group allows 8"));
    }

    @Test
    void refusesAMakespanThatTheTopologyDoesNotReach() {
        DeltaSolution boast = new DeltaSolution(
                honest.goal(),
                honest.topology(),
                honest.makespanSeconds() * 0.99,
                honest.makespanSeconds() * 0.99,
                true,
                honest.nct(),
                honest.ports(),
                honest.portBound(),
                honest.portBudget());
        assertThat(SolutionVerifier.violations(instance, boast))
                .anySatisfy(line -> assertThat(line).startsWith("makespanSeconds:"));
    }

    @Test
    void refusesAProofWithAGap() {
        DeltaSolution boast = new DeltaSolution(
                honest.goal(),
                honest.topology(),
                honest.makespanSeconds(),
                honest.makespanSeconds() * 0.99,
                true,
                honest.nct(),
                honest.ports(),
                honest.portBound(),
                honest.portBudget());
        assertThat(SolutionVerifier.violations(instance, boast))
                .anySatisfy(line -> assertThat(line).startsWith("proved:"));
    }

    private static DeltaSolution with(Topology topology, DeltaSolution solution) {
        return new DeltaSolution(
                solution.goal(),
                topology,
                solution.makespanSeconds(),
                solution.lowerBoundSeconds(),
                solution.proved(),
                solution.nct(),
                solution.ports(),
                solution.portBound(),
                solution.portBudget());
    }
}
