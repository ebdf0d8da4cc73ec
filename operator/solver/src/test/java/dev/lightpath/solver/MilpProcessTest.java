package dev.lightpath.solver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.lightpath.solver.MixedIntegerProgram.Terms;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class MilpProcessTest {
    @TempDir
    Path folder = Path.of("");

    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final int SHOPS = 40;
    private static final int PRODUCTS = 5;
    private static final Duration GRACE = Duration.ofMillis(200);
    private static final long NODES = 1_000_000;

    @ParameterizedTest
    @EnumSource(Backend.class)
    void solvesAKnapsack(Backend backend) {
        MilpOutcome outcome =
                MilpProcess.likeThis().solve(new MilpQuestion(knapsack(), backend, LIMIT, NODES), () -> false);
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
        assertThat(MilpProcess.likeThis().solve(new MilpQuestion(program, backend, LIMIT, NODES), () -> false))
                .isEqualTo(new MilpOutcome.Infeasible());
    }

    @Test
    void survivesACrashOfTheChild() {
        MilpProcess crashing =
                new MilpProcess(room -> List.of("/bin/sh", "-c", "echo native trouble; kill -SEGV $$"), GRACE);
        assertThat(crashing.solve(new MilpQuestion(knapsack(), Backend.SCIP, LIMIT, NODES), () -> false))
                .isInstanceOfSatisfying(
                        MilpOutcome.Failed.class,
                        failed -> assertThat(failed.reason()).contains("139").contains("native trouble"));
    }

    @Test
    void survivesTheKillingOfTheChild() {
        MilpProcess patient = new MilpProcess(room -> List.of("/bin/sh", "-c", "exec sleep 600"), GRACE);
        CompletableFuture<MilpOutcome> outcome = CompletableFuture.supplyAsync(
                () -> patient.solve(new MilpQuestion(knapsack(), Backend.SCIP, LIMIT, NODES), () -> false),
                Thread::startVirtualThread);
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
        MilpProcess missing = new MilpProcess(room -> List.of("/nowhere/at/all"), GRACE);
        assertThat(missing.solve(new MilpQuestion(knapsack(), Backend.SCIP, LIMIT, NODES), () -> false))
                .isInstanceOf(MilpOutcome.Failed.class);
    }

    @Test
    void endsTheChildWhenStopped() {
        AtomicBoolean asked = new AtomicBoolean();
        MilpProcess patient = new MilpProcess(room -> List.of("/bin/sh", "-c", "exec sleep 600"), GRACE);
        MilpOutcome outcome = patient.solve(
                new MilpQuestion(knapsack(), Backend.SCIP, LIMIT, NODES), () -> !asked.compareAndSet(false, true));
        assertThat(outcome).isEqualTo(new MilpOutcome.Undecided());
    }

    @ParameterizedTest
    @EnumSource(Backend.class)
    void givesItsBestAnswerWhenItsNodesAreSpent(Backend backend) {
        MilpOutcome outcome =
                MilpProcess.likeThis().solve(new MilpQuestion(marketSplit(), backend, LIMIT, 20), () -> false);
        assertThat(outcome).isInstanceOfSatisfying(MilpOutcome.Solved.class, solved -> {
            assertThat(solved.optimal()).isFalse();
            assertThat(solved.bound()).isLessThan(solved.objective());
            assertThat(solved.values()).hasSize(SHOPS + 2 * PRODUCTS);
        });
    }

    @ParameterizedTest
    @EnumSource(Backend.class)
    void failsNeverForWantOfTime(Backend backend) {
        Duration tiny = Duration.ofMillis(1);
        assertThat(MilpProcess.likeThis().solve(new MilpQuestion(marketSplit(), backend, tiny, NODES), () -> false))
                .isInstanceOfAny(MilpOutcome.Solved.class, MilpOutcome.Undecided.class);
    }

    @ParameterizedTest
    @EnumSource(Backend.class)
    void givesTheSameAnswerAgain(Backend backend) {
        MilpQuestion question = new MilpQuestion(marketSplit(), backend, LIMIT, 20);
        assertThat(MilpProcess.likeThis().solve(question, () -> false))
                .isEqualTo(MilpProcess.likeThis().solve(question, () -> false));
    }

    @Test
    void asksAStoppedChildForTheBestItHas() throws IOException {
        MilpOutcome best = new MilpOutcome.Solved(false, 3, 1, List.of(1.0, 0.0));
        Path prepared = folder.resolve("best");
        try (DataOutputStream out = new DataOutputStream(Files.newOutputStream(prepared))) {
            Outcomes.write(out, best);
        }
        MilpProcess polite =
                new MilpProcess(room -> List.of("/bin/sh", "-c", "cat > /dev/null; cp " + prepared + " \"$1\""), LIMIT);
        assertThat(polite.solve(new MilpQuestion(knapsack(), Backend.SCIP, LIMIT, NODES), () -> true))
                .isEqualTo(best);
    }

    @Test
    void leavesNothingBehindWhenTheChildIsKilled() {
        List<Path> rooms = new ArrayList<>();
        MilpProcess untidy = new MilpProcess(
                room -> {
                    rooms.add(room);
                    return List.of("/bin/sh", "-c", "mkdir " + room + "/library; kill -KILL $$");
                },
                GRACE);
        assertThat(untidy.solve(new MilpQuestion(knapsack(), Backend.SCIP, LIMIT, NODES), () -> false))
                .isInstanceOf(MilpOutcome.Failed.class);
        assertThat(rooms).singleElement().satisfies(room -> assertThat(room).doesNotExist());
    }

    /** Shares shops between two sellers so that each gets half of every product: easy to start, very hard to prove. */
    private static MixedIntegerProgram marketSplit() {
        SplittableRandom random = new SplittableRandom(1);
        MixedIntegerProgram program = new MixedIntegerProgram();
        int[] shops = IntStream.range(0, SHOPS)
                .map(shop -> program.binary(Double.NaN))
                .toArray();
        Terms unfairness = new Terms();
        for (int product = 0; product < PRODUCTS; product++) {
            Terms balance = new Terms();
            int all = 0;
            for (int shop : shops) {
                int sold = random.nextInt(100);
                all += sold;
                balance.plus(sold, shop);
            }
            int over = program.variable(0, 10_000, true, Double.NaN);
            int under = program.variable(0, 10_000, true, Double.NaN);
            int half = all / 2;
            program.constraint(half, half, balance.plus(-1, over).plus(1, under));
            unfairness.plus(1, over).plus(1, under);
        }
        program.minimize(unfairness);
        return program;
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
