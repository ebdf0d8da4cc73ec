package dev.lightpath.app.job.reading;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.app.job.measured.SpeedFitting.Question;
import dev.lightpath.crds.job.TrainingJob;
import dev.lightpath.crds.job.measurement.MeasuredCircuits;
import dev.lightpath.planner.ask.Speeds;
import dev.lightpath.planner.learn.Learnt;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SpeedFitsTest {
    private static final Learnt LEARNT = new Learnt.Both(new Speeds(0.8, 0.5));

    private final List<String> told = new CopyOnWriteArrayList<>();
    private final SpeedFits fits = new SpeedFits(job -> told.add(job.getName()));

    @AfterEach
    void stop() {
        fits.close();
    }

    private static TrainingJob job(String namespace, String name) {
        TrainingJob job = new TrainingJob();
        job.setMetadata(
                new ObjectMetaBuilder().withNamespace(namespace).withName(name).build());
        return job;
    }

    private static Question question(String seconds) {
        return new Question("digest", List.of(new MeasuredCircuits(List.of(1), List.of(seconds, seconds, seconds))));
    }

    private void awaitTold(String... jobs) {
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .untilAsserted(() -> assertThat(told).containsExactly(jobs));
    }

    @Test
    void fitsEachQuestionOnceAndTellsTheJob() {
        AtomicInteger count = new AtomicInteger();
        for (int i = 0; i < 3; i++) {
            fits.of(job("a", "llm"), question("1"), () -> {
                count.incrementAndGet();
                return LEARNT;
            });
        }
        awaitTold("llm");
        assertThat(fits.of(job("a", "llm"), question("1"), () -> LEARNT)).contains(LEARNT);
        assertThat(count).hasValue(1);
        assertThat(fits.of(job("a", "llm"), question("2"), () -> LEARNT)).isEmpty();
        awaitTold("llm", "llm");
    }

    @Test
    void aLongFitHoldsUpNobodyThatAsksAndNamespacesTakeTurns() {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        fits.of(job("a", "first"), question("1"), () -> {
            begun.countDown();
            try {
                end.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return LEARNT;
        });
        Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> begun.getCount() == 0);
        assertThat(fits.of(job("a", "second"), question("1"), () -> LEARNT)).isEmpty();
        assertThat(fits.of(job("a", "third"), question("1"), () -> LEARNT)).isEmpty();
        assertThat(fits.of(job("b", "other"), question("1"), () -> LEARNT)).isEmpty();
        assertThat(told).isEmpty();
        end.countDown();
        awaitTold("first", "other", "second", "third");
    }

    @Test
    void aFitThatFailsTeachesNothing() {
        fits.of(job("a", "llm"), question("1"), () -> {
            throw new IllegalStateException("a bug");
        });
        awaitTold("llm");
        fits.of(job("a", "deep"), question("1"), () -> {
            throw new StackOverflowError();
        });
        awaitTold("llm", "deep");
        for (String name : List.of("llm", "deep")) {
            assertThat(fits.of(job("a", name), question("1"), () -> LEARNT))
                    .hasValueSatisfying(learnt -> assertThat(learnt).isInstanceOf(Learnt.Nothing.class));
        }
    }

    @Test
    void nothingIsBegunOnceItIsClosed() {
        fits.close();
        assertThat(fits.of(job("a", "llm"), question("1"), () -> LEARNT)).isEmpty();
    }

    @Test
    void forgetsJobsBeyondTheMost() {
        for (int i = 0; i <= SpeedFits.MOST; i++) {
            fits.of(job("a", "j" + i), question("1"), () -> LEARNT);
        }
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .untilAsserted(() -> assertThat(told).contains("j" + SpeedFits.MOST));
        assertThat(fits.of(job("a", "j0"), question("1"), () -> LEARNT)).isEmpty();
    }
}
