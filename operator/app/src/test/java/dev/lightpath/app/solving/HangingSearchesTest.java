package dev.lightpath.app.solving;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.lightpath.planner.ask.Asked;
import dev.lightpath.planner.ask.Iteration;
import dev.lightpath.planner.ask.TopologyAnswer;
import dev.lightpath.planner.ask.TopologyQuestion;
import dev.lightpath.planner.delta.Algorithm;
import dev.lightpath.planner.delta.DeltaPlanner;
import dev.lightpath.planner.delta.Goal;
import dev.lightpath.planner.delta.TopologyPlanner;
import dev.lightpath.planner.delta.iteration.Batch;
import dev.lightpath.planner.delta.iteration.Preset;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Searches that hear no signal to stop: nobody waits for them, and no more than a few are left alone. */
final class HangingSearchesTest extends SolverPoolTrial {
    @Test
    void solvesThatIgnoreTheirStopSignalBlockNobody() throws InterruptedException {
        CountDownLatch end = new CountDownLatch(1);
        CountDownLatch hanging = new CountDownLatch(2);
        try (SolverPool solving = solving(deafUnlessGpt(hanging, end))) {
            List<TopologyQuestion> deaf = List.of(asking(5), asking(6));
            solving.ask(asking(deaf));
            assertThat(hanging.await(60, TimeUnit.SECONDS)).isTrue();
            solving.ask(asking(List.of(deaf.get(0), deaf.get(1), GPT)));
            nanos.addAndGet(Duration.ofSeconds(16).toNanos());
            while (!(solving.answers().get(GPT.digest()) instanceof TopologyAnswer.Found)) {
                awaitWake();
            }
            for (TopologyQuestion question : deaf) {
                while (!solving.answers().containsKey(question.digest())) {
                    awaitWake();
                }
                assertThat(solving.answers().get(question.digest()))
                        .isInstanceOfSatisfying(TopologyAnswer.Failed.class, failed -> {
                            assertThat(failed.why()).contains("did not stop 5 s after its time limit of 10 s");
                            assertThat(failed.share().orElseThrow().prediction().iterationSeconds())
                                    .isPositive();
                        });
            }
            assertThat(abandoned).hasValue(2);
        } finally {
            end.countDown();
        }
    }

    @Test
    void whatATermLeftJustNowRefusesTheNextOneNoSearch() throws InterruptedException {
        CountDownLatch end = new CountDownLatch(1);
        Semaphore searching = new Semaphore(0);
        try {
            try (SolverPool solving = solving((instance, goal, limits) -> {
                searching.release();
                sleepUntil(end);
                return new DeltaPlanner().solve(instance, goal, limits);
            })) {
                TreeMap<String, Asked> questions = new TreeMap<>();
                IntStream.range(5, 9)
                        .forEach(ports -> questions.putAll(asking("team-" + ports % 2, List.of(asking(ports)))));
                solving.ask(questions);
                assertThat(searching.tryAcquire(2, 60, TimeUnit.SECONDS)).isTrue();
                nanos.addAndGet(SolverPool.LONG.toNanos() + 1);
                assertThat(searching.tryAcquire(2, 60, TimeUnit.SECONDS)).isTrue();
            }
            assertThat(abandoned).hasValue(SolverPool.MOST_ABANDONED);
            try (SolverPool next = solving(new DeltaPlanner())) {
                next.ask(asking(GPT));
                awaitWake();
                assertThat(next.answers().get(GPT.digest())).isInstanceOf(TopologyAnswer.Found.class);
            }
        } finally {
            end.countDown();
        }
    }

    @Test
    void aSolveThatNobodyAsksForAnyMoreAndThatGoesOnBlocksNobody() throws InterruptedException {
        CountDownLatch end = new CountDownLatch(1);
        CountDownLatch hanging = new CountDownLatch(2);
        try (SolverPool solving = solving(deafUnlessGpt(hanging, end))) {
            solving.ask(asking(List.of(asking(5), asking(6))));
            assertThat(hanging.await(60, TimeUnit.SECONDS)).isTrue();
            solving.ask(asking(GPT));
            nanos.addAndGet(Duration.ofSeconds(6).toNanos());
            while (!solving.answers().containsKey(GPT.digest())) {
                awaitWake();
            }
            assertThat(solving.answers()).containsOnlyKeys(GPT.digest());
            // both are left alone, each when it is next looked at
            await().atMost(Duration.ofSeconds(60))
                    .untilAsserted(() -> assertThat(abandoned).hasValue(2));
        } finally {
            end.countDown();
        }
    }

    @Test
    void abandonsNoMoreThanAFew() throws InterruptedException {
        CountDownLatch end = new CountDownLatch(1);
        AtomicInteger begun = new AtomicInteger();
        Semaphore hanging = new Semaphore(0);
        try (SolverPool solving = solving((instance, goal, limits) -> {
            begun.incrementAndGet();
            hanging.release();
            sleepUntil(end);
            return new DeltaPlanner().solve(instance, goal, limits);
        })) {
            for (int ports = 5; ports < 5 + SolverPool.MOST_ABANDONED; ports++) {
                TopologyQuestion question = asking(ports);
                solving.ask(asking(question));
                assertThat(hanging.tryAcquire(60, TimeUnit.SECONDS)).isTrue();
                nanos.addAndGet(Duration.ofSeconds(16).toNanos());
                awaitFailure(solving, question);
            }
            solving.ask(asking(GPT));
            TopologyAnswer.Failed refused = awaitFailure(solving, GPT);
            assertThat(refused.why()).contains("restart the operator");
            assertThat(refused.share()).isPresent();
            assertThat(begun).hasValue(SolverPool.MOST_ABANDONED);
            end.countDown();
            long deadline = System.nanoTime() + Duration.ofSeconds(60).toNanos();
            while (abandoned.get() > 0 && System.nanoTime() < deadline) {
                Thread.sleep(10);
            }
            assertThat(abandoned).hasValue(0);
        } finally {
            end.countDown();
        }
    }

    @Test
    void noThreadIsBegunBeyondTheMostHoweverManyDoNotStop() throws InterruptedException {
        for (int ports = 5; ports < 5 + SolverPool.MOST_THREADS; ports++) {
            searches.add(new Solve(asking(ports), new DeltaPlanner(), nanos::get), 0);
        }
        nanos.set(Duration.ofDays(9).toNanos());
        try (SolverPool solving = solving(new DeltaPlanner())) {
            solving.ask(asking(GPT));
            TopologyAnswer.Failed failed = awaitFailure(solving, GPT);
            assertThat(failed.why()).contains("restart the operator");
            assertThat(failed.share()).as("circuits by traffic take a thread").isEmpty();
            assertThat(longest).as("nanoseconds that it took").hasValue(0);
        }
    }

    @Test
    void whatHangsIsNotSearchedAgainBeforeItEnds() throws InterruptedException {
        CountDownLatch end = new CountDownLatch(1);
        AtomicInteger begun = new AtomicInteger();
        Semaphore hanging = new Semaphore(0);
        TopologyQuestion poison = asking(5);
        try (SolverPool solving = solving((instance, goal, limits) -> {
            if (instance.portBudget() != GPT.instance().portBudget()) {
                begun.incrementAndGet();
                hanging.release();
                sleepUntil(end);
            }
            return new DeltaPlanner().solve(instance, goal, limits);
        })) {
            solving.ask(asking(poison));
            assertThat(hanging.tryAcquire(60, TimeUnit.SECONDS)).isTrue();
            nanos.addAndGet(Duration.ofSeconds(16).toNanos());
            TopologyAnswer.Failed failed = awaitFailure(solving, poison);
            nanos.addAndGet(Duration.ofHours(2).toNanos());
            solving.ask(asking(List.of(poison, GPT)));
            while (!(solving.answers().get(GPT.digest()) instanceof TopologyAnswer.Found)) {
                awaitWake();
            }
            assertThat(begun).hasValue(1);
            assertThat(solving.answers()).containsEntry(poison.digest(), failed);
            end.countDown();
            long deadline = System.nanoTime() + Duration.ofSeconds(60).toNanos();
            while (abandoned.get() > 0 && System.nanoTime() < deadline) {
                Thread.sleep(10);
            }
            solving.ask(asking(poison));
            while (!(solving.answers().get(poison.digest()) instanceof TopologyAnswer.Found)) {
                awaitWake();
            }
        } finally {
            end.countDown();
        }
    }

    @Test
    void aDeskThatIsClosedInterruptsItsSearchesAndLeavesThemToTheNextToCount() throws InterruptedException {
        CountDownLatch end = new CountDownLatch(1);
        CountDownLatch interrupted = new CountDownLatch(1);
        Semaphore hanging = new Semaphore(0);
        TopologyPlanner deaf = (instance, goal, limits) -> {
            hanging.release();
            try {
                end.await();
            } catch (InterruptedException e) {
                interrupted.countDown();
                sleepUntil(end);
            }
            return new DeltaPlanner().solve(instance, goal, limits);
        };
        try {
            try (SolverPool first = solving(deaf)) {
                first.ask(asking(asking(5)));
                assertThat(hanging.tryAcquire(60, TimeUnit.SECONDS)).isTrue();
            }
            assertThat(interrupted.await(60, TimeUnit.SECONDS)).isTrue();
            assertThat(abandoned).hasValue(1);
            nanos.addAndGet(Duration.ofSeconds(6).toNanos());
            try (SolverPool second = solving(deaf)) {
                second.ask(asking(asking(5)));
                assertThat(awaitFailure(second, asking(5)).why()).contains("has not stopped");
                second.ask(asking(asking(6)));
                assertThat(hanging.tryAcquire(60, TimeUnit.SECONDS)).isTrue();
                nanos.addAndGet(Duration.ofSeconds(16).toNanos());
                awaitFailure(second, asking(6));
                assertThat(abandoned).hasValue(2);
            }
        } finally {
            end.countDown();
        }
    }

    @Test
    void anAnswerByTrafficThatADeskLeavesBehindWhenItIsClosedIsNobodysAndCountedUntilItEnds()
            throws InterruptedException {
        // so many that one simulation takes seconds
        TopologyQuestion large = new TopologyQuestion(
                new Iteration.OfModel(Preset.GPT_7B.model(), new Batch(8192, 1, 4096, true)),
                Preset.GPT_7B.workload().parallelism(),
                2,
                400,
                List.of(4, 4),
                Goal.fewestPorts(Algorithm.JOINT, 1e-9),
                Duration.ofSeconds(10));
        CountDownLatch crashed = new CountDownLatch(1);
        CountDownLatch byTraffic = new CountDownLatch(1);
        SolverPool solving = new SolverPool(
                (instance, goal, limits) -> {
                    crashed.countDown();
                    throw new IllegalStateException("a bug");
                },
                woken::release,
                meter,
                searches,
                SearchMarks.in(Optional.empty()),
                () -> {
                    // asked under the lock of the pool by the thread that begins the answer: it is under way when
                    // the lock is free
                    if (crashed.getCount() == 0
                            && Thread.currentThread().getName().startsWith("solver-search-")) {
                        byTraffic.countDown();
                    }
                    return nanos.get();
                });
        try (solving) {
            solving.ask(asking(large));
            assertThat(byTraffic.await(60, TimeUnit.SECONDS)).isTrue();
        }
        assertThat(abandoned).hasValue(1);
        awaitAbandoned(0);
        assertThat(woken.availablePermits()).as("told").isZero();
        assertThat(solving.answers()).isEmpty();
    }
}
