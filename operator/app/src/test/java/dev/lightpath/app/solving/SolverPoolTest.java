package dev.lightpath.app.solving;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.lightpath.app.loop.SolvingMeter;
import dev.lightpath.planner.ask.Asked;
import dev.lightpath.planner.ask.Iteration;
import dev.lightpath.planner.ask.Prediction;
import dev.lightpath.planner.ask.TopologyAnswer;
import dev.lightpath.planner.ask.TopologyQuestion;
import dev.lightpath.planner.delta.Algorithm;
import dev.lightpath.planner.delta.DeltaPlanner;
import dev.lightpath.planner.delta.Goal;
import dev.lightpath.planner.delta.SearchFailed;
import dev.lightpath.planner.delta.TopologyPlanner;
import dev.lightpath.planner.delta.iteration.Batch;
import dev.lightpath.planner.delta.iteration.Preset;
import dev.lightpath.planner.delta.search.SearchLimits;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SolverPoolTest {
    private static final TopologyQuestion GPT = new TopologyQuestion(
            new Iteration.OfModel(
                    Preset.GPT_7B.model(), Preset.GPT_7B.workload().batch()),
            Preset.GPT_7B.workload().parallelism(),
            2,
            400,
            List.of(4, 4),
            Goal.fewestPorts(Algorithm.JOINT, 1e-9),
            Duration.ofSeconds(10));

    private final Semaphore woken = new Semaphore(0);
    private final AtomicLong nanos = new AtomicLong();
    private final AtomicInteger abandoned = new AtomicInteger();
    private final AtomicLong longest = new AtomicLong();
    private final SolvingMeter meter = new SolvingMeter() {
        @Override
        public void solved(TopologyAnswer answer, Duration elapsed) {
            longest.accumulateAndGet(elapsed.toNanos(), Math::max);
        }

        @Override
        public void abandoned(int threads) {
            abandoned.set(threads);
        }
    };
    private final AbandonedSearches searches = new AbandonedSearches(meter);

    private static TreeMap<String, Asked> asking(TopologyQuestion question) {
        return asking(List.of(question));
    }

    private SolverPool solving(TopologyPlanner planner) {
        return solving(planner, SearchMarks.in(Optional.empty()));
    }

    private SolverPool solving(TopologyPlanner planner, SearchMarks marks) {
        return new SolverPool(planner, woken::release, meter, searches, marks, nanos::get);
    }

    private TopologyAnswer.Failed awaitFailure(SolverPool solving, TopologyQuestion question)
            throws InterruptedException {
        while (true) {
            awaitWake();
            if (solving.answers().get(question.digest()) instanceof TopologyAnswer.Failed failed) {
                return failed;
            }
        }
    }

    private void awaitWake() throws InterruptedException {
        assertThat(woken.tryAcquire(60, TimeUnit.SECONDS)).isTrue();
    }

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

    /** Solves the one question, and any other not before the end. */
    private static TopologyPlanner deafUnlessGpt(CountDownLatch began, CountDownLatch end) {
        return (instance, goal, limits) -> {
            if (instance.portBudget() != GPT.instance().portBudget()) {
                began.countDown();
                sleepUntil(end);
            }
            return new DeltaPlanner().solve(instance, goal, limits);
        };
    }

    private static TopologyQuestion asking(int mostPorts) {
        return new TopologyQuestion(
                new Iteration.OfModel(
                        Preset.GPT_7B.model(), Preset.GPT_7B.workload().batch()),
                Preset.GPT_7B.workload().parallelism(),
                2,
                400,
                List.of(mostPorts, mostPorts),
                Goal.fewestPorts(Algorithm.JOINT, 1e-9),
                Duration.ofSeconds(10));
    }

    private static TreeMap<String, Asked> asking(List<TopologyQuestion> all) {
        return asking("team", all);
    }

    private static TreeMap<String, Asked> asking(String namespace, List<TopologyQuestion> all) {
        TreeMap<String, Asked> questions = new TreeMap<>();
        all.forEach(question -> questions.put(question.digest(), Asked.by(namespace, Asked.Urgency.NEEDED, question)));
        return questions;
    }

    private static void sleepUntil(CountDownLatch end) {
        while (true) {
            try {
                end.await();
                return;
            } catch (InterruptedException deaf) {
                // a solver that hears nothing
            }
        }
    }

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
                    IntStream.range(4, 12).mapToObj(SolverPoolTest::asking).toList());
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

    private static TopologyPlanner hangingUntil(CountDownLatch end, Semaphore hanging) {
        return (instance, goal, limits) -> {
            hanging.release();
            sleepUntil(end);
            return new DeltaPlanner().solve(instance, goal, limits);
        };
    }

    private void awaitAbandoned(int threads) throws InterruptedException {
        long deadline = System.nanoTime() + Duration.ofSeconds(60).toNanos();
        while (abandoned.get() != threads && System.nanoTime() < deadline) {
            Thread.sleep(10);
        }
        assertThat(abandoned).hasValue(threads);
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
