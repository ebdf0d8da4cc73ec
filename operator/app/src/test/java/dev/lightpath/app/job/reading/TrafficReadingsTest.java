package dev.lightpath.app.job.reading;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lightpath.app.job.facts.TrafficFacts;
import dev.lightpath.app.job.reading.TrafficReadings.Found;
import dev.lightpath.crds.job.TrafficFormat;
import dev.lightpath.crds.job.TrafficSource;
import dev.lightpath.crds.slice.RecordedTraffic;
import dev.lightpath.planner.delta.iteration.Parallelism;
import dev.lightpath.reading.traffic.TrafficSourceReader;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class TrafficReadingsTest {
    private final AtomicLong nanos = new AtomicLong();
    private final BlockingQueue<ResourceID> told = new LinkedBlockingQueue<>();
    private final TrafficReadings readings = new TrafficReadings(told::add, nanos::get);
    private final List<String> read = new CopyOnWriteArrayList<>();

    @AfterEach
    void close() {
        readings.close();
    }

    @Test
    void aContentIsReadOnceOnAThreadOfItsOwnAndItsJobIsTold() throws InterruptedException {
        CountDownLatch slow = new CountDownLatch(1);
        TrafficFacts first = readings.of(content("a", "1"), job("a", "llm"), () -> {
            await(slow);
            return wrong("1");
        });
        assertThat(first.awaited())
                .contains(
                        "spec.scaleOut.traffic: ConfigMap trace is being read: one recording at a time, in turns between namespaces");
        assertThat(readings.of(content("a", "1"), job("a", "other"), never()).awaited())
                .isPresent();
        slow.countDown();
        assertThat(List.of(next(), next())).containsExactlyInAnyOrder(job("a", "llm"), job("a", "other"));
        assertThat(readings.of(content("a", "1"), job("a", "llm"), never()).problem())
                .contains("1 is wrong");
    }

    /** The first of many is being read when another namespace asks. */
    @Test
    void manyRecordingsOfOneNamespaceDelayAnotherByOneAtMost() throws InterruptedException {
        CountDownLatch slow = new CountDownLatch(1);
        ask("many", "0", slow);
        int many = 30;
        for (int number = 1; number < many; number++) {
            ask("many", String.valueOf(number), slow);
        }
        ask("few", "x", slow);
        ask("fewer", "y", slow);
        slow.countDown();
        for (int all = 0; all < many + 2; all++) {
            next();
        }
        assertThat(read).startsWith("many/0", "few/x", "fewer/y", "many/1").hasSize(many + 2);
    }

    @Test
    void whatIsHeldOfANamespaceIsBoundedAndDisplacesNothingOfAnother() throws InterruptedException {
        known("few", "x");
        for (int number = 0; number < TrafficReadings.MOST; number++) {
            known("many", String.valueOf(number));
        }
        assertThat(readings.of(content("many", "more"), job("many", "more"), never())
                        .awaited()
                        .orElseThrow())
                .startsWith("spec.scaleOut.traffic: ConfigMap trace is read once other jobs of the namespace");
        assertThat(readings.of(content("few", "x"), job("few", "x"), never()).problem())
                .isPresent();

        nanos.addAndGet(TrafficReadings.FORGOTTEN.toNanos() + 1);
        readings.of(content("many", "7"), job("many", "7"), never());
        known("many", "more");
        assertThat(readings.of(content("many", "7"), job("many", "7"), never()).problem())
                .as("asked for since")
                .isPresent();
    }

    @Test
    void largeOnesAreFewer() throws InterruptedException {
        int most = (int) (TrafficReadings.MOST_CHARACTERS / TrafficReadings.LARGEST);
        for (int number = 0; number < most; number++) {
            String digest = String.valueOf(number);
            readings.of(
                    content("large", digest),
                    job("large", digest),
                    () -> new Found(
                            Optional.of(
                                    TrafficFacts.of(Optional.of(packed("A".repeat((int) TrafficReadings.LARGEST))))),
                            false));
            next();
        }
        assertThat(readings.of(content("large", "more"), job("large", "more"), never())
                        .awaited())
                .isPresent();
    }

    @Test
    void aRefusalThatAPersonMayLiftIsLookedAtAgainAndStandsMeanwhile() throws InterruptedException {
        readings.of(
                content("a", "1"), job("a", "llm"), () -> new Found(wrong("1").facts(), true));
        next();
        nanos.addAndGet(TrafficReadings.PASSING.toNanos() + 1);
        CountDownLatch slow = new CountDownLatch(1);
        Supplier<Found> lifted = () -> {
            await(slow);
            return wrong("2");
        };
        assertThat(readings.of(content("a", "1"), job("a", "llm"), lifted).problem())
                .contains("1 is wrong");
        assertThat(readings.of(content("a", "1"), job("a", "llm"), never()).problem())
                .contains("1 is wrong");
        slow.countDown();
        next();
        assertThat(readings.of(content("a", "1"), job("a", "llm"), never()).problem())
                .contains("2 is wrong");
    }

    @Test
    void aFailureIsToldOnceAndTheNextReadingIsAnother() throws InterruptedException {
        readings.of(content("a", "1"), job("a", "llm"), () -> {
            throw new IllegalStateException("no answer");
        });
        next();
        assertThatThrownBy(() -> readings.of(content("a", "1"), job("a", "llm"), never()))
                .hasMessage("no answer");
        known("a", "1");
    }

    @Test
    void aContentThatChangedMeanwhileIsForgotten() throws InterruptedException {
        readings.of(content("a", "1"), job("a", "llm"), () -> new Found(Optional.empty(), false));
        assertThat(next()).isEqualTo(job("a", "llm"));
        known("a", "1");
    }

    private void known(String namespace, String digest) throws InterruptedException {
        assertThat(readings.of(content(namespace, digest), job(namespace, digest), () -> wrong(digest))
                        .awaited())
                .isPresent();
        assertThat(next()).isEqualTo(job(namespace, digest));
        assertThat(readings.of(content(namespace, digest), job(namespace, digest), never())
                        .problem())
                .isPresent();
    }

    private void ask(String namespace, String digest, CountDownLatch until) {
        readings.of(content(namespace, digest), job(namespace, digest), () -> {
            await(until);
            read.add(namespace + "/" + digest);
            return wrong(digest);
        });
    }

    private ResourceID next() throws InterruptedException {
        ResourceID job = told.poll(30, TimeUnit.SECONDS);
        assertThat(job).as("a job is told").isNotNull();
        return job;
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Supplier<Found> never() {
        return () -> {
            throw new AssertionError("read although it is known");
        };
    }

    private static ResourceID job(String namespace, String name) {
        return new ResourceID(name, namespace);
    }

    private static TrafficReadings.Content content(String namespace, String digest) {
        return new TrafficReadings.Content(
                namespace,
                digest,
                new TrafficSource("trace", TrafficFormat.CHAKRA),
                new TrafficSourceReader(Parallelism.ofDegrees(1, 2, 1, 1, 1), 1, 8, 400));
    }

    private static RecordedTraffic packed(String iteration) {
        return new RecordedTraffic(
                "trace", TrafficFormat.CHAKRA, null, null, null, null, "0f3a", 2, List.of("0-1"), iteration, null);
    }

    private static Found wrong(String what) {
        return new Found(Optional.of(TrafficFacts.refused(what + " is wrong")), false);
    }
}
