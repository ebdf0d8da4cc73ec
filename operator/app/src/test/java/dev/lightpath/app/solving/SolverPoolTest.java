package dev.lightpath.app.solving;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.planner.ask.Asked;
import dev.lightpath.planner.ask.Prediction;
import dev.lightpath.planner.ask.TopologyAnswer;
import dev.lightpath.planner.ask.TopologyQuestion;
import dev.lightpath.planner.delta.DeltaPlanner;
import dev.lightpath.planner.delta.SearchFailed;
import dev.lightpath.planner.delta.search.SearchLimits;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What is searched at a time, what is answered, and what is tried again. */
final class SolverPoolTest extends SolverPoolTrial {
    @Test
    void answersBesideWhoAsksAndRemembers() throws InterruptedException {
        AtomicInteger solved = new AtomicInteger();
        DeltaPlanner delta = new DeltaPlanner();
        try (SolverPool solving = solving((instance, goal, limits) -> {
            solved.incrementAndGet();
            return delta.solve(instance, goal, limits);
        })) {
            solving.ask(asking(GPT));
            awaitWake();
            assertThat(solving.answers().get(GPT.digest())).isInstanceOf(TopologyAnswer.Found.class);
            solving.ask(asking(GPT));
            assertThat(solved).hasValue(1);
        }
    }

    @Test
    void dropsWhatNobodyAsksAnyMore() throws InterruptedException {
        CountDownLatch began = new CountDownLatch(1);
        try (SolverPool solving = solving((instance, goal, limits) -> {
            began.countDown();
            while (!limits.stop().getAsBoolean()) {
                Thread.onSpinWait();
            }
            return new DeltaPlanner().solve(instance, goal, limits);
        })) {
            solving.ask(asking(GPT));
            assertThat(began.await(60, TimeUnit.SECONDS)).isTrue();
            solving.ask(new TreeMap<>());
            awaitWake();
            assertThat(solving.answers()).isEmpty();
        }
    }

    @Test
    void givesTheBestKnownWhenTimeIsUp() throws InterruptedException {
        try (SolverPool solving = solving((instance, goal, limits) -> {
            nanos.addAndGet(Duration.ofSeconds(11).toNanos());
            assertThat(limits.stop().getAsBoolean()).isTrue();
            return new DeltaPlanner().solve(instance, goal, limits);
        })) {
            solving.ask(asking(GPT));
            awaitWake();
            TopologyAnswer.Found found =
                    (TopologyAnswer.Found) solving.answers().get(GPT.digest());
            assertThat(found.prediction().iterationSeconds()).isPositive();
            assertThat(found.prediction().lowerBoundSeconds())
                    .isLessThanOrEqualTo(found.prediction().iterationSeconds());
        }
    }

    @Test
    void aFailureIsToldAndTriedAgainAfterAMinute() throws InterruptedException {
        AtomicInteger tries = new AtomicInteger();
        try (SolverPool solving = solving((instance, goal, limits) -> {
            if (tries.incrementAndGet() == 1) {
                throw new IllegalStateException("a bug");
            }
            return new DeltaPlanner().solve(instance, goal, limits);
        })) {
            solving.ask(asking(GPT));
            awaitWake();
            assertThat(((TopologyAnswer.Failed) solving.answers().get(GPT.digest())).why())
                    .contains("IllegalStateException");
            solving.ask(new TreeMap<>());
            assertThat(solving.answers()).hasSize(1);
            nanos.addAndGet(Duration.ofSeconds(61).toNanos());
            solving.ask(asking(GPT));
            awaitWake();
            assertThat(solving.answers().get(GPT.digest())).isInstanceOf(TopologyAnswer.Found.class);
        }
    }

    @Test
    void whoAsksWhatIsSoonAnsweredDoesNotWaitForTwoLongSearches() throws InterruptedException {
        CountDownLatch end = new CountDownLatch(1);
        CountDownLatch searching = new CountDownLatch(2);
        try (SolverPool solving = solving(deafUnlessGpt(searching, end))) {
            List<TopologyQuestion> two = List.of(asking(5), asking(6));
            solving.ask(asking(two));
            assertThat(searching.await(60, TimeUnit.SECONDS)).isTrue();
            solving.ask(asking(List.of(two.get(0), two.get(1), GPT)));
            nanos.addAndGet(SolverPool.LONG.toNanos() + 1);
            awaitWake();
            assertThat(solving.answers()).containsOnlyKeys(GPT.digest());
            end.countDown();
            awaitWake();
            awaitWake();
            assertThat(solving.answers()).hasSize(3);
            assertThat(abandoned).hasValue(0);
        } finally {
            end.countDown();
        }
    }

    @Test
    void noMoreThanFourAreSearchedAtATime() throws InterruptedException {
        CountDownLatch end = new CountDownLatch(1);
        Semaphore searching = new Semaphore(0);
        try (SolverPool solving = solving((instance, goal, limits) -> {
            searching.release();
            sleepUntil(end);
            return new DeltaPlanner().solve(instance, goal, limits);
        })) {
            TreeMap<String, Asked> questions = new TreeMap<>();
            IntStream.range(4, 10)
                    .forEach(ports -> questions.putAll(asking("team-" + ports % 2, List.of(asking(ports)))));
            solving.ask(questions);
            assertThat(searching.tryAcquire(2, 60, TimeUnit.SECONDS)).isTrue();
            assertThat(searching.tryAcquire(1, TimeUnit.SECONDS))
                    .as("while none takes long")
                    .isFalse();
            nanos.addAndGet(SolverPool.LONG.toNanos() + 1);
            assertThat(searching.tryAcquire(2, 60, TimeUnit.SECONDS)).isTrue();
            nanos.addAndGet(SolverPool.LONG.toNanos() + 1);
            assertThat(searching.tryAcquire(1, TimeUnit.SECONDS)).as("a fifth").isFalse();
        } finally {
            end.countDown();
        }
    }

    /** One namespace has all the places it may have, and more waiting. */
    @Test
    void anotherNamespaceAndARepairFindAPlaceBesideLongSearchesOfOne() throws InterruptedException {
        CountDownLatch end = new CountDownLatch(1);
        Semaphore searching = new Semaphore(0);
        try (SolverPool solving = solving((instance, goal, limits) -> {
            searching.release();
            sleepUntil(end);
            return new DeltaPlanner().solve(instance, goal, limits);
        })) {
            TreeMap<String, Asked> questions = asking(
                    "many",
                    IntStream.range(4, 12).mapToObj(SolverPoolTrial::asking).toList());
            solving.ask(questions);
            assertThat(searching.tryAcquire(2, 60, TimeUnit.SECONDS)).isTrue();
            nanos.addAndGet(SolverPool.LONG.toNanos() + 1);
            assertThat(searching.tryAcquire(1, 60, TimeUnit.SECONDS)).isTrue();
            assertThat(searching.tryAcquire(1, TimeUnit.SECONDS))
                    .as("a fourth of one")
                    .isFalse();
            questions.putAll(asking("few", List.of(asking(12))));
            solving.ask(questions);
            assertThat(searching.tryAcquire(1, 60, TimeUnit.SECONDS)).isTrue();
            TopologyQuestion repair = asking(13);
            questions.put(repair.digest(), Asked.by("few", Asked.Urgency.REPAIR, repair));
            solving.ask(questions);
            assertThat(searching.tryAcquire(1, 60, TimeUnit.SECONDS)).isTrue();
            questions.putAll(asking("fewer", List.of(asking(14))));
            solving.ask(questions);
            assertThat(searching.tryAcquire(1, TimeUnit.SECONDS)).as("a sixth").isFalse();
        } finally {
            end.countDown();
        }
    }

    @Test
    void aSearchThatFailedElsewhereIsToldInItsWords() throws InterruptedException {
        try (SolverPool solving = solving((instance, goal, limits) -> {
            throw new SearchFailed("two workers went away");
        })) {
            solving.ask(asking(GPT));
            assertThat(awaitFailure(solving, GPT).why())
                    .endsWith("the choice of circuits failed: two workers went away");
        }
    }

    @Test
    void memoryThatRunsOutIsAFailureOfOneQuestionWithCircuitsByTraffic() throws InterruptedException {
        try (SolverPool solving = solving((instance, goal, limits) -> {
            throw new OutOfMemoryError("Java heap space");
        })) {
            solving.ask(asking(GPT));
            TopologyAnswer.Failed failed = awaitFailure(solving, GPT);
            assertThat(failed.why()).contains("OutOfMemoryError");
            Prediction share = failed.share().orElseThrow().prediction();
            assertThat(share.question()).isNotEqualTo(GPT.digest());
            assertThat(share.proved()).isFalse();
            assertThat(share.lowerBoundSeconds()).isPositive().isLessThanOrEqualTo(share.iterationSeconds());
        }
    }

    @Test
    void iterationsAreHeldOfTheLatestAnswersAsFarAsThereIsRoom() {
        TopologyAnswer.Found found = (TopologyAnswer.Found) GPT.answer(new DeltaPlanner(), SearchLimits.standard());
        LinkedHashMap<String, TopologyAnswer> answers = new LinkedHashMap<>();
        answers.put("first", found);
        answers.put("second", found);
        answers.put("none", new TopologyAnswer.None("no", true));
        answers.put("third", found);
        answers.put("failed", new TopologyAnswer.Failed("it crashed", Optional.of(found)));
        long bytes = found.built().orElseThrow().bytes();
        SolverPool.holdIterations(answers, 3 * bytes);
        assertThat(answers)
                .containsEntry("first", found.bare())
                .containsEntry("second", found)
                .containsEntry("third", found);
        assertThat(answers.get("failed").built()).isPresent();
        SolverPool.holdIterations(answers, bytes - 1);
        assertThat(answers.values()).noneMatch(answer -> answer.built().isPresent());
    }

    /** What a pass uses and does not have it asks again: else those that ask would search in circles. */
    @Test
    void answersToThousandsOfQuestionsStay() {
        LinkedHashMap<String, TopologyAnswer> answers = new LinkedHashMap<>();
        IntStream.range(0, 8000).forEach(i -> answers.put("question-" + i, new TopologyAnswer.None("no", true)));
        assertThat(SolverPool.forgotten(answers)).isEmpty();
        IntStream.range(8000, 9000).forEach(i -> answers.put("question-" + i, new TopologyAnswer.None("no", true)));
        assertThat(SolverPool.forgotten(answers)).startsWith("question-0", "question-1");
        assertThat(answers).hasSizeBetween(8000, 8999).containsKey("question-8999");
    }

    @Test
    void failuresAreTriedAgainLaterAndLaterAndSayTheSame() throws InterruptedException {
        AtomicInteger tries = new AtomicInteger();
        try (SolverPool solving = solving((instance, goal, limits) -> {
            tries.incrementAndGet();
            throw new IllegalStateException("a bug");
        })) {
            solving.ask(asking(GPT));
            TopologyAnswer first = awaitFailure(solving, GPT);
            nanos.addAndGet(Duration.ofSeconds(61).toNanos());
            solving.ask(asking(GPT));
            // what is known is shown while it is tried again
            assertThat(solving.answers().get(GPT.digest()).bare()).isEqualTo(first.bare());
            awaitWake();
            assertThat(tries).hasValue(2);
            assertThat(solving.answers().get(GPT.digest()).bare()).isEqualTo(first.bare());
            nanos.addAndGet(Duration.ofSeconds(61).toNanos());
            solving.ask(asking(GPT));
            assertThat(tries).hasValue(2);
            nanos.addAndGet(Duration.ofSeconds(60).toNanos());
            solving.ask(asking(GPT));
            awaitWake();
            assertThat(tries).hasValue(3);
        }
    }

    @Test
    void whatACrashSaysOfItsTryIsNotInTheAnswer() throws InterruptedException {
        AtomicInteger tries = new AtomicInteger();
        try (SolverPool solving = solving((instance, goal, limits) -> {
            throw new IllegalStateException("a bug at try " + tries.incrementAndGet());
        })) {
            solving.ask(asking(GPT));
            TopologyAnswer.Failed first = awaitFailure(solving, GPT);
            assertThat(first.why()).contains("IllegalStateException");
            nanos.addAndGet(Duration.ofSeconds(61).toNanos());
            solving.ask(asking(GPT));
            awaitWake();
            assertThat(tries).hasValue(2);
            assertThat(solving.answers().get(GPT.digest()).bare()).isEqualTo(first.bare());
        }
    }
}
