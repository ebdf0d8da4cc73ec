package dev.lightpath.planner.delta;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.planner.delta.model.DeltaInstance;
import dev.lightpath.planner.delta.model.Pod;
import dev.lightpath.planner.delta.model.PodPair;
import dev.lightpath.planner.delta.model.Topology;
import dev.lightpath.planner.delta.search.SearchLimits;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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

    @ParameterizedTest
    @CsvSource({
        "47, 47, 48, 'ports: 47 claimed'",
        "0, 99, 48, 'portBound: 99 is above'",
        "0, 0, 64, 'portBudget: 64 claimed, 48 offered'",
        "0, 1, 48, 'proved: claimed with'"
    })
    void refusesPortsThatTheTopologyDoesNotTake(int ports, int portBound, int portBudget, String message) {
        DeltaSolution boast = new DeltaSolution(
                honest.goal(),
                honest.topology(),
                honest.makespanSeconds(),
                honest.lowerBoundSeconds(),
                true,
                honest.nct(),
                ports == 0 ? honest.ports() : ports,
                portBound == 0 ? honest.ports() : portBound,
                portBudget);
        assertThat(SolutionVerifier.violations(instance, boast))
                .anySatisfy(line -> assertThat(line).startsWith(message));
    }

    @Test
    void refusesABoundAboveTheMakespan() {
        DeltaSolution boast = new DeltaSolution(
                honest.goal(),
                honest.topology(),
                honest.makespanSeconds(),
                honest.makespanSeconds() * 1.01,
                false,
                honest.nct(),
                honest.ports(),
                honest.portBound(),
                honest.portBudget());
        assertThat(SolutionVerifier.violations(instance, boast))
                .anySatisfy(line -> assertThat(line).startsWith("lowerBoundSeconds:"));
    }

    @Test
    void refusesAnotherNumberOfCounts() {
        assertThat(SolutionVerifier.violations(instance, with(new Topology(List.of(1, 1)), honest)))
                .containsExactly("topology: 2 counts for 5 groups");
    }

    /** Ports are counted here by hand, circuit by circuit. */
    @Test
    void findsEveryBrokenPortLimitOfRandomTopologies() {
        int broken = 0;
        for (long seed = 1; seed <= 300; seed++) {
            DeltaInstance random = new RandomInstances(seed).next();
            SplittableRandom counts = new SplittableRandom(seed);
            List<Integer> circuits =
                    random.groups().stream().map(group -> 1 + counts.nextInt(4)).toList();
            boolean fits = true;
            for (Pod pod : random.pods()) {
                int ends = 0;
                for (int g = 0; g < circuits.size(); g++) {
                    for (PodPair pair : random.groups().get(g).pairs()) {
                        ends += pair.first() == pod.id() || pair.second() == pod.id() ? circuits.get(g) : 0;
                    }
                }
                fits &= !pod.counted() || ends <= pod.ports();
            }
            Topology topology = new Topology(circuits);
            assertThat(SolutionVerifier.fitsPorts(random, topology))
                    .as("seed " + seed)
                    .isEqualTo(fits);
            if (!fits) {
                broken++;
                assertThat(SolutionVerifier.portViolations(random, topology))
                        .as("seed " + seed)
                        .isNotEmpty();
            }
        }
        assertThat(broken).isBetween(50, 250);
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
