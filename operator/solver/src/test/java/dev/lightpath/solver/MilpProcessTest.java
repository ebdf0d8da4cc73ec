package dev.lightpath.solver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.lightpath.solver.MixedIntegerProgram.Terms;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class MilpProcessTest {
    private static final Duration LIMIT = Duration.ofSeconds(60);

    @ParameterizedTest
    @EnumSource(Backend.class)
    void solvesAKnapsack(Backend backend) {
        MilpOutcome outcome = MilpProcess.likeThis().solve(knapsack(), backend, LIMIT, 1, () -> false);
        assertThat(outcome).isInstanceOfSatisfying(MilpOutcome.Solved.class, solved -> {
            assertThat(solved.optimal()).isTrue();
            assertThat(solved.objective()).isCloseTo(-13, within(1e-6));
            assertThat(solved.values()).hasSize(3);
        });
    }

    @ParameterizedTest
    @EnumSource(Backend.class)
    void tellsThatNothingSolvesAContradiction(Backend backend) {
        MixedIntegerProgram program = new MixedIntegerProgram();
        int x = program.variable(0, 1, true, Double.NaN);
        program.atLeast(2, new Terms().plus(1, x));
        assertThat(MilpProcess.likeThis().solve(program, backend, LIMIT, 1, () -> false))
                .isEqualTo(new MilpOutcome.Infeasible());
    }

    @Test
    void survivesACrashOfTheChild() {
        MilpProcess crashing = new MilpProcess(List.of("/bin/sh", "-c", "echo native trouble; kill -SEGV $$"));
        assertThat(crashing.solve(knapsack(), Backend.SCIP, LIMIT, 1, () -> false))
                .isInstanceOfSatisfying(
                        MilpOutcome.Failed.class,
                        failed -> assertThat(failed.reason()).contains("139").contains("native trouble"));
    }

    @Test
    void survivesTheKillingOfTheChild() {
        MilpProcess patient = new MilpProcess(List.of("/bin/sh", "-c", "exec sleep 600"));
        CompletableFuture<MilpOutcome> outcome =
                CompletableFuture.supplyAsync(() -> patient.solve(knapsack(), Backend.SCIP, LIMIT, 1, () -> false));
        while (!outcome.isDone()) {
            ProcessHandle.current()
                    .children()
                    .filter(child -> child.info()
                            .command()
                            .map(Path::of)
                            .filter(c -> c.endsWith("sleep"))
                            .isPresent())
                    .forEach(ProcessHandle::destroyForcibly);
            Thread.onSpinWait();
        }
        assertThat(outcome.join()).isInstanceOf(MilpOutcome.Failed.class);
    }

    @Test
    void survivesAChildThatCannotStart() {
        MilpProcess missing = new MilpProcess(List.of("/nowhere/at/all"));
        assertThat(missing.solve(knapsack(), Backend.SCIP, LIMIT, 1, () -> false))
                .isInstanceOf(MilpOutcome.Failed.class);
    }

    @Test
    void endsTheChildWhenStopped() {
        AtomicBoolean asked = new AtomicBoolean();
        MilpProcess patient = new MilpProcess(List.of("/bin/sh", "-c", "exec sleep 600"));
        MilpOutcome outcome =
                patient.solve(knapsack(), Backend.SCIP, LIMIT, 1, () -> !asked.compareAndSet(false, true));
        assertThat(outcome).isEqualTo(new MilpOutcome.Undecided());
    }

    /** Maximise 8a + 5b + 3c with 5a + 4b + 2c <= 9, each at most 1: a and b. */
    private static MixedIntegerProgram knapsack() {
        MixedIntegerProgram program = new MixedIntegerProgram();
        int a = program.binary(1);
        int b = program.binary(Double.NaN);
        int c = program.binary(Double.NaN);
        program.atMost(9, new Terms().plus(5, a).plus(4, b).plus(2, c));
        program.minimize(new Terms().plus(-8, a).plus(-5, b).plus(-3, c));
        return program;
    }
}
