package dev.lightpath.app.solving;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.app.loop.SolvingMeter;
import dev.lightpath.planner.ask.Asked;
import dev.lightpath.planner.ask.Iteration;
import dev.lightpath.planner.ask.TopologyAnswer;
import dev.lightpath.planner.ask.TopologyQuestion;
import dev.lightpath.planner.delta.Algorithm;
import dev.lightpath.planner.delta.DeltaPlanner;
import dev.lightpath.planner.delta.Goal;
import dev.lightpath.planner.delta.TopologyPlanner;
import dev.lightpath.planner.delta.iteration.Preset;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** A pool of searches whose clock is a number, and questions to it. */
abstract class SolverPoolTrial {
    static final TopologyQuestion GPT = new TopologyQuestion(
            new Iteration.OfModel(
                    Preset.GPT_7B.model(), Preset.GPT_7B.workload().batch()),
            Preset.GPT_7B.workload().parallelism(),
            2,
            400,
            List.of(4, 4),
            Goal.fewestPorts(Algorithm.JOINT, 1e-9),
            Duration.ofSeconds(10));
    final Semaphore woken = new Semaphore(0);
    final AtomicLong nanos = new AtomicLong();
    final AtomicInteger abandoned = new AtomicInteger();
    final AtomicLong longest = new AtomicLong();

    final SolvingMeter meter = new SolvingMeter() {
        @Override
        public void solved(TopologyAnswer answer, Duration elapsed) {
            longest.accumulateAndGet(elapsed.toNanos(), Math::max);
        }

        @Override
        public void abandoned(int threads) {
            abandoned.set(threads);
        }
    };

    final AbandonedSearches searches = new AbandonedSearches(meter);

    static TreeMap<String, Asked> asking(TopologyQuestion question) {
        return asking(List.of(question));
    }

    SolverPool solving(TopologyPlanner planner) {
        return solving(planner, SearchMarks.in(Optional.empty()));
    }

    SolverPool solving(TopologyPlanner planner, SearchMarks marks) {
        return new SolverPool(planner, woken::release, meter, searches, marks, nanos::get);
    }

    TopologyAnswer.Failed awaitFailure(SolverPool solving, TopologyQuestion question) throws InterruptedException {
        while (true) {
            awaitWake();
            if (solving.answers().get(question.digest()) instanceof TopologyAnswer.Failed failed) {
                return failed;
            }
        }
    }

    void awaitWake() throws InterruptedException {
        assertThat(woken.tryAcquire(60, TimeUnit.SECONDS)).isTrue();
    }

    /** Solves the one question, and any other not before the end. */
    static TopologyPlanner deafUnlessGpt(CountDownLatch began, CountDownLatch end) {
        return (instance, goal, limits) -> {
            if (instance.portBudget() != GPT.instance().portBudget()) {
                began.countDown();
                sleepUntil(end);
            }
            return new DeltaPlanner().solve(instance, goal, limits);
        };
    }

    static TopologyQuestion asking(int mostPorts) {
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

    static TreeMap<String, Asked> asking(List<TopologyQuestion> all) {
        return asking("team", all);
    }

    static TreeMap<String, Asked> asking(String namespace, List<TopologyQuestion> all) {
        TreeMap<String, Asked> questions = new TreeMap<>();
        all.forEach(question -> questions.put(question.digest(), Asked.by(namespace, Asked.Urgency.NEEDED, question)));
        return questions;
    }

    static void sleepUntil(CountDownLatch end) {
        while (true) {
            try {
                end.await();
                return;
            } catch (InterruptedException deaf) {
                // a solver that hears nothing
            }
        }
    }

    static TopologyPlanner hangingUntil(CountDownLatch end, Semaphore hanging) {
        return (instance, goal, limits) -> {
            hanging.release();
            sleepUntil(end);
            return new DeltaPlanner().solve(instance, goal, limits);
        };
    }

    void awaitAbandoned(int threads) throws InterruptedException {
        long deadline = System.nanoTime() + Duration.ofSeconds(60).toNanos();
        while (abandoned.get() != threads && System.nanoTime() < deadline) {
            Thread.sleep(10);
        }
        assertThat(abandoned).hasValue(threads);
    }
}
