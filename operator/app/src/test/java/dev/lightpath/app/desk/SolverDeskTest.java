package dev.lightpath.app.desk;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.planner.ask.TopologyAnswer;
import dev.lightpath.planner.ask.TopologyQuestion;
import dev.lightpath.planner.delta.Algorithm;
import dev.lightpath.planner.delta.DeltaPlanner;
import dev.lightpath.planner.delta.Goal;
import dev.lightpath.planner.delta.Preset;
import dev.lightpath.planner.delta.TopologyPlanner;
import java.time.Duration;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class SolverDeskTest {
    private static final TopologyQuestion GPT = new TopologyQuestion(
            Preset.GPT_7B.model(),
            Preset.GPT_7B.workload().parallelism(),
            Preset.GPT_7B.workload().batch(),
            2,
            400,
            List.of(4, 4),
            Goal.fewestPorts(Algorithm.JOINT, 1e-9),
            Duration.ofSeconds(10));

    private final Semaphore woken = new Semaphore(0);
    private final AtomicLong nanos = new AtomicLong();

    private static TreeMap<String, TopologyQuestion> asking(TopologyQuestion question) {
        TreeMap<String, TopologyQuestion> questions = new TreeMap<>();
        questions.put(question.digest(), question);
        return questions;
    }

    private SolverDesk desk(TopologyPlanner planner) {
        return new SolverDesk(planner, woken::release, nanos::get);
    }

    private void awaitWake() throws InterruptedException {
        assertThat(woken.tryAcquire(60, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void answersBesideWhoAsksAndRemembers() throws InterruptedException {
        AtomicInteger solved = new AtomicInteger();
        DeltaPlanner delta = new DeltaPlanner();
        try (SolverDesk desk = desk((instance, goal, limits) -> {
            solved.incrementAndGet();
            return delta.solve(instance, goal, limits);
        })) {
            desk.ask(asking(GPT));
            awaitWake();
            assertThat(desk.answers().get(GPT.digest())).isInstanceOf(TopologyAnswer.Found.class);
            desk.ask(asking(GPT));
            assertThat(solved).hasValue(1);
        }
    }

    @Test
    void dropsWhatNobodyAsksAnyMore() throws InterruptedException {
        CountDownLatch began = new CountDownLatch(1);
        try (SolverDesk desk = desk((instance, goal, limits) -> {
            began.countDown();
            while (!limits.stop().getAsBoolean()) {
                Thread.onSpinWait();
            }
            return new DeltaPlanner().solve(instance, goal, limits);
        })) {
            desk.ask(asking(GPT));
            assertThat(began.await(60, TimeUnit.SECONDS)).isTrue();
            desk.ask(new TreeMap<>());
            awaitWake();
            assertThat(desk.answers()).isEmpty();
        }
    }

    @Test
    void givesTheBestKnownWhenTimeIsUp() throws InterruptedException {
        try (SolverDesk desk = desk((instance, goal, limits) -> {
            nanos.addAndGet(Duration.ofSeconds(11).toNanos());
            assertThat(limits.stop().getAsBoolean()).isTrue();
            return new DeltaPlanner().solve(instance, goal, limits);
        })) {
            desk.ask(asking(GPT));
            awaitWake();
            TopologyAnswer.Found found = (TopologyAnswer.Found) desk.answers().get(GPT.digest());
            assertThat(found.prediction().iterationSeconds()).isPositive();
            assertThat(found.prediction().lowerBoundSeconds())
                    .isLessThanOrEqualTo(found.prediction().iterationSeconds());
        }
    }

    @Test
    void aFailureIsToldAndTriedAgainAfterAMinute() throws InterruptedException {
        AtomicInteger tries = new AtomicInteger();
        try (SolverDesk desk = desk((instance, goal, limits) -> {
            if (tries.incrementAndGet() == 1) {
                throw new IllegalStateException("a bug");
            }
            return new DeltaPlanner().solve(instance, goal, limits);
        })) {
            desk.ask(asking(GPT));
            awaitWake();
            assertThat(((TopologyAnswer.None) desk.answers().get(GPT.digest())).why())
                    .contains("a bug");
            desk.ask(new TreeMap<>());
            assertThat(desk.answers()).hasSize(1);
            nanos.addAndGet(Duration.ofSeconds(61).toNanos());
            desk.ask(asking(GPT));
            awaitWake();
            assertThat(desk.answers().get(GPT.digest())).isInstanceOf(TopologyAnswer.Found.class);
        }
    }
}
