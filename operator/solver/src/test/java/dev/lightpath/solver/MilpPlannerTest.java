package dev.lightpath.solver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.lightpath.planner.delta.Algorithm;
import dev.lightpath.planner.delta.DeltaPlanner;
import dev.lightpath.planner.delta.DeltaSolution;
import dev.lightpath.planner.delta.Goal;
import dev.lightpath.planner.delta.SolutionVerifier;
import dev.lightpath.planner.delta.iteration.Batch;
import dev.lightpath.planner.delta.iteration.InstanceGenerator;
import dev.lightpath.planner.delta.iteration.ModelShape;
import dev.lightpath.planner.delta.iteration.Parallelism;
import dev.lightpath.planner.delta.iteration.Placement;
import dev.lightpath.planner.delta.iteration.Preset;
import dev.lightpath.planner.delta.iteration.TrainingWorkload;
import dev.lightpath.planner.delta.model.DeltaInstance;
import dev.lightpath.planner.delta.search.SearchLimits;
import dev.lightpath.planner.delta.simulation.Simulator;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class MilpPlannerTest {
    /** Never reached: what is proved must not depend on who else uses the processor. */
    private static final Duration LIMIT = Duration.ofMinutes(10);

    private static final Duration GRACE = Duration.ofSeconds(5);

    /** Each build tries half of the small workloads, those that a MILP closes soonest; all of them take a minute. */
    private static final long FIRST_SEED =
            System.getProperty("lightpath.seeds", "").equals("all") ? 1 : 4;

    private static final long LAST_SEED = 6;

    private final MilpPlanner planner = new MilpPlanner();

    @ParameterizedTest
    @CsvSource({"JOINT, 0.764862895882", "TOPOLOGY, 0.776534088308"})
    void agreesWithTheExactSearchOnGpt(Formulation formulation, double seconds) {
        DeltaInstance instance = InstanceGenerator.generate(Preset.GPT_7B.workload(400, 8, 4096, false));
        MilpAnswer.Found found = solve(instance, formulation, false);
        assertThat(found.closed()).isTrue();
        assertThat(found.objectiveSeconds()).isCloseTo(seconds, within(seconds * 2e-6));
        assertThat(found.solution().makespanSeconds()).isCloseTo(seconds, within(seconds * 1e-9));
    }

    @Test
    void agreesOnTheFewestPortsOfGpt() {
        DeltaInstance instance = InstanceGenerator.generate(Preset.GPT_7B.workload(400, 8, 4096, false));
        DeltaSolution exact =
                new DeltaPlanner().solve(instance, Goal.fewestPorts(Algorithm.JOINT, 1e-6), SearchLimits.standard());
        DeltaSolution found = solve(instance, Formulation.JOINT, true).solution();
        assertThat(found.ports()).isEqualTo(exact.ports());
        assertThat(found.proved()).isTrue();
        assertThat(found.goal().minimizePorts()).isTrue();
    }

    @Test
    void choosesACircuitCountByFixedSteps() {
        DeltaInstance instance = InstanceGenerator.generate(Preset.GPT_7B.workload(400, 2, 4096, false));
        MilpAnswer.Found found = solve(instance, Formulation.FIXED_STEP, false);
        assertThat(found.solution().lowerBoundSeconds()).isLessThanOrEqualTo(found.objectiveSeconds());
        assertThat(found.solution().makespanSeconds()).isLessThanOrEqualTo(found.objectiveSeconds());
    }

    /** Two stages in two pods with random sizes: small enough for the MILP to close. */
    @Test
    void neverUndercutsTheExactSearchOnSmallWorkloads() {
        int equal = 0;
        for (long seed = FIRST_SEED; seed <= LAST_SEED; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            int tensor = 1 + random.nextInt(3);
            TrainingWorkload workload = new TrainingWorkload(
                    "small",
                    ModelShape.dense(8, 1024 * (1 + random.nextInt(3)), 8, 32000, 100 + random.nextInt(200)),
                    new Parallelism(tensor, 2 + random.nextInt(2), 1, 1, 1, 2),
                    new Batch(2 + random.nextInt(2), 1, 2048, true),
                    new Placement(1, tensor + 2 + random.nextInt(2), 50 * (1 + random.nextInt(4)), false));
            DeltaInstance instance = InstanceGenerator.generate(workload);
            DeltaSolution exact =
                    new DeltaPlanner().solve(instance, Goal.shortest(Algorithm.JOINT), SearchLimits.standard());
            MilpAnswer.Found found = solve(instance, Formulation.JOINT, false);
            double seconds = exact.makespanSeconds();
            assertThat(exact.proved()).as("seed " + seed).isTrue();
            assertThat(found.objectiveSeconds()).as("seed " + seed).isGreaterThanOrEqualTo(seconds * (1 - 1e-5));
            if (found.objectiveSeconds() <= seconds * (1 + 1e-5)) {
                equal++;
            }
        }
        assertThat(equal).as("equal optima").isGreaterThanOrEqualTo((int) (LAST_SEED - FIRST_SEED + 1) * 2 / 3);
    }

    @Test
    void answersWithItsHotStartWhenTheChildDies() {
        MilpPlanner unlucky =
                new MilpPlanner(new MilpProcess(room -> List.of("/bin/sh", "-c", "kill -KILL $$"), GRACE));
        DeltaInstance instance = InstanceGenerator.generate(Preset.GPT_7B.workload(400, 8, 4096, false));
        MilpAnswer answer = unlucky.solve(instance, Formulation.JOINT, false, 0, LIMIT, SearchLimits.standard());
        assertThat(answer).isInstanceOfSatisfying(MilpAnswer.None.class, none -> {
            assertThat(none.reason()).contains("137");
            assertThat(none.hotStart().makespanSeconds()).isLessThan(0.78);
        });
    }

    /** The child says its number, so that nothing is killed but the solver's own Java, and that only once it runs. */
    @Test
    void answersWithItsHotStartWhenItsRealChildIsKilled(@TempDir Path folder) throws Exception {
        Path number = folder.resolve("pid");
        MilpProcess announced = new MilpProcess(
                room -> Stream.concat(
                                Stream.of("/bin/sh", "-c", "echo $$ > " + number + "; exec \"$@\"", "sh"),
                                MilpProcess.sameJava(room).stream())
                        .toList(),
                GRACE);
        DeltaInstance instance = InstanceGenerator.generate(Preset.MEGATRON_177B.workload(400, 12, 4096, false));
        CompletableFuture<MilpAnswer> answer = CompletableFuture.supplyAsync(
                () -> new MilpPlanner(announced)
                        .solve(instance, Formulation.JOINT, false, 0, Duration.ofMinutes(5), SearchLimits.standard()),
                Thread::startVirtualThread);
        while (!answer.isDone() && !killed(number)) {
            Thread.sleep(1);
        }
        assertThat(answer.join()).isInstanceOfSatisfying(MilpAnswer.None.class, none -> {
            assertThat(none.reason()).contains("137");
            assertThat(SolutionVerifier.violations(instance, none.hotStart())).isEmpty();
        });
    }

    private static boolean killed(Path number) throws IOException {
        String pid = Files.exists(number) ? Files.readString(number).strip() : "";
        return !pid.isEmpty()
                && ProcessHandle.of(Long.parseLong(pid))
                        .filter(child -> child.info().command().orElse("").endsWith("/java"))
                        .map(ProcessHandle::destroyForcibly)
                        .orElse(false);
    }

    /** The baseline is a solution of the program, so that the solver has an answer from its first node on. */
    @ParameterizedTest
    @EnumSource(names = {"JOINT", "TOPOLOGY"})
    void knowsItsHotStartFromTheFirstNodeOn(Formulation formulation) {
        DeltaInstance instance = InstanceGenerator.generate(Preset.GPT_7B.workload(200, 12, 4096, false));
        MilpAnswer answer = planner.solve(
                instance, formulation, false, 0, LIMIT, SearchLimits.standard().withNodes(1));
        DeltaSolution fast = new DeltaPlanner().solve(instance, Goal.shortest(Algorithm.FAST), SearchLimits.standard());
        double hotStart = new Simulator(instance)
                .makespanSeconds(fast.topology(), formulation.counterpart().rates());
        assertThat(answer).isInstanceOfSatisfying(MilpAnswer.Found.class, found -> {
            assertThat(found.solution().makespanSeconds()).isLessThanOrEqualTo(hotStart);
            assertThat(found.objectiveSeconds()).isLessThanOrEqualTo(hotStart * (1 + 1e-6));
            assertThat(found.boundSeconds()).isLessThanOrEqualTo(found.objectiveSeconds() * (1 + 1e-6));
        });
    }

    @ParameterizedTest
    @EnumSource(Formulation.class)
    void isNeverWorseThanItsHotStartHoweverShortTheTime(Formulation formulation) {
        DeltaInstance instance = InstanceGenerator.generate(Preset.GPT_7B.workload(400, 8, 4096, false));
        MilpAnswer answer =
                planner.solve(instance, formulation, false, 0, Duration.ofMillis(1), SearchLimits.standard());
        DeltaSolution solution = switch (answer) {
            case MilpAnswer.Found found -> found.solution();
            case MilpAnswer.None none -> none.hotStart();
        };
        assertThat(solution.makespanSeconds()).isLessThan(0.78);
        assertThat(solution.lowerBoundSeconds()).isCloseTo(0.764862895882, within(1e-9));
    }

    private MilpAnswer.Found solve(DeltaInstance instance, Formulation formulation, boolean minimizePorts) {
        MilpAnswer answer = planner.solve(instance, formulation, minimizePorts, 1e-6, LIMIT, SearchLimits.standard());
        assertThat(answer).isInstanceOf(MilpAnswer.Found.class);
        return (MilpAnswer.Found) answer;
    }
}
