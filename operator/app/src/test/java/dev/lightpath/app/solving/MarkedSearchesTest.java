package dev.lightpath.app.solving;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.planner.ask.TopologyAnswer;
import dev.lightpath.planner.delta.DeltaPlanner;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Searches that were under way when the process ended. */
final class MarkedSearchesTest extends SolverPoolTrial {
    @Test
    void whatWasUnderWayWhenOneProcessEndedIsSearchedOnceMore(@TempDir Path folder) throws InterruptedException {
        SearchMarks.in(Optional.of(folder)).begin(GPT.digest());
        SearchMarks next = SearchMarks.in(Optional.of(folder));
        assertThat(next.ends(GPT.digest())).isEqualTo(1);
        try (SolverPool solving = solving(new DeltaPlanner(), next)) {
            solving.ask(asking(GPT));
            awaitWake();
            assertThat(solving.answers().get(GPT.digest())).isInstanceOf(TopologyAnswer.Found.class);
        }
        assertThat(SearchMarks.in(Optional.of(folder)).ends(GPT.digest())).isZero();
    }

    @Test
    void whatEndsOneProcessAfterTheOtherIsAFailureAndTriedAgainLater(@TempDir Path folder) throws InterruptedException {
        SearchMarks.in(Optional.of(folder)).begin(GPT.digest());
        SearchMarks.in(Optional.of(folder)).begin(GPT.digest());
        AtomicInteger tries = new AtomicInteger();
        try (SolverPool solving = solving(
                (instance, goal, limits) -> {
                    tries.incrementAndGet();
                    return new DeltaPlanner().solve(instance, goal, limits);
                },
                SearchMarks.in(Optional.of(folder)))) {
            solving.ask(asking(GPT));
            TopologyAnswer.Failed failed = awaitFailure(solving, GPT);
            assertThat(failed.why())
                    .contains("the operator ended again and again", "previous container", "resources.limits.memory")
                    .hasLineCount(1);
            assertThat(failed.share()).isPresent();
            assertThat(tries).hasValue(0);
            assertThat(SearchMarks.in(Optional.of(folder)).ends(GPT.digest()))
                    .as("nobody searched")
                    .isEqualTo(2);
            nanos.addAndGet(Duration.ofSeconds(61).toNanos());
            solving.ask(asking(GPT));
            while (!(solving.answers().get(GPT.digest()) instanceof TopologyAnswer.Found)) {
                awaitWake();
            }
        }
        assertThat(SearchMarks.in(Optional.of(folder)).ends(GPT.digest())).isZero();
    }

    @Test
    void notEvenCircuitsByTrafficAreSoughtWhereTheyEndedTheProcessToo(@TempDir Path folder)
            throws InterruptedException {
        Solve search = new Solve(GPT, new DeltaPlanner(), nanos::get);
        for (int process = 0; process < 2; process++) {
            SearchMarks.in(Optional.of(folder)).begin(search.mark());
            SearchMarks.in(Optional.of(folder)).begin(search.instead("it ended").mark());
        }
        try (SolverPool solving = solving(new DeltaPlanner(), SearchMarks.in(Optional.of(folder)))) {
            solving.ask(asking(GPT));
            TopologyAnswer.Failed failed = awaitFailure(solving, GPT);
            assertThat(failed.why()).contains("the operator ended again and again");
            assertThat(failed.share()).isEmpty();
        }
    }

    @Test
    void circuitsByTrafficAreMarkedWhileTheyAreSought(@TempDir Path folder) throws InterruptedException {
        Solve instead = new Solve(GPT, new DeltaPlanner(), nanos::get).instead("it ended");
        SearchMarks.in(Optional.of(folder)).begin(instead.mark());
        assertThat(SearchMarks.in(Optional.of(folder)).ends(GPT.digest())).isZero();
        CountDownLatch ended = new CountDownLatch(1);
        instead.start(SearchMarks.in(Optional.of(folder)), _ -> ended.countDown());
        assertThat(ended.await(60, TimeUnit.SECONDS)).isTrue();
        assertThat(SearchMarks.in(Optional.of(folder)).ends(instead.mark()))
                .as("it gave an answer")
                .isZero();
    }

    @Test
    void whatAClosedDeskLeftRunningIsMarkedUntilTheLastThreadOfItEnds(@TempDir Path folder)
            throws InterruptedException {
        SearchMarks marks = SearchMarks.in(Optional.of(folder));
        CountDownLatch endFirst = new CountDownLatch(1);
        CountDownLatch endSecond = new CountDownLatch(1);
        Semaphore hanging = new Semaphore(0);
        try {
            try (SolverPool first = solving(hangingUntil(endFirst, hanging), marks)) {
                first.ask(asking(GPT));
                assertThat(hanging.tryAcquire(60, TimeUnit.SECONDS)).isTrue();
            }
            assertThat(SearchMarks.in(Optional.of(folder)).ends(GPT.digest()))
                    .as("closed, and not ended")
                    .isEqualTo(1);
            try (SolverPool second = solving(hangingUntil(endSecond, hanging), marks)) {
                second.ask(asking(GPT));
                assertThat(hanging.tryAcquire(60, TimeUnit.SECONDS)).isTrue();
            }
            endFirst.countDown();
            awaitAbandoned(1);
            assertThat(SearchMarks.in(Optional.of(folder)).ends(GPT.digest()))
                    .as("one of two ended")
                    .isEqualTo(1);
            endSecond.countDown();
            awaitAbandoned(0);
            assertThat(SearchMarks.in(Optional.of(folder)).ends(GPT.digest())).isZero();
        } finally {
            endFirst.countDown();
            endSecond.countDown();
        }
    }

    @Test
    void aSearchThatGaveNoAnswerOfItsOwnForgetsNoEnd(@TempDir Path folder) throws InterruptedException {
        SearchMarks.in(Optional.of(folder)).begin(GPT.digest());
        CountDownLatch began = new CountDownLatch(1);
        try (SolverPool solving = solving(
                (instance, goal, limits) -> {
                    began.countDown();
                    while (!limits.stop().getAsBoolean()) {
                        Thread.onSpinWait();
                    }
                    return new DeltaPlanner().solve(instance, goal, limits);
                },
                SearchMarks.in(Optional.of(folder)))) {
            solving.ask(asking(GPT));
            assertThat(began.await(60, TimeUnit.SECONDS)).isTrue();
            solving.ask(new TreeMap<>());
            awaitWake();
        }
        assertThat(SearchMarks.in(Optional.of(folder)).ends(GPT.digest()))
                .as("dropped")
                .isEqualTo(1);
        try (SolverPool solving = solving(
                (instance, goal, limits) -> {
                    throw new IllegalStateException("a bug");
                },
                SearchMarks.in(Optional.of(folder)))) {
            solving.ask(asking(GPT));
            awaitFailure(solving, GPT);
        }
        assertThat(SearchMarks.in(Optional.of(folder)).ends(GPT.digest()))
                .as("crashed")
                .isEqualTo(1);
    }
}
