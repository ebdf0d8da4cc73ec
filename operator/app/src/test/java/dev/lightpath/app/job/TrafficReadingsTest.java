package dev.lightpath.app.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.crds.job.TrafficFormat;
import dev.lightpath.crds.job.TrafficSource;
import dev.lightpath.crds.slice.RecordedTraffic;
import dev.lightpath.planner.delta.Parallelism;
import dev.lightpath.reading.traffic.TrafficSourceReader;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class TrafficReadingsTest {
    private final TrafficReadings readings = new TrafficReadings();
    private final List<String> read = new CopyOnWriteArrayList<>();

    @Test
    void aVersionIsReadOnce() {
        assertThat(of("1")).isEqualTo(of("1")).isEqualTo("version 1 is wrong");
        assertThat(of("2")).isEqualTo("version 2 is wrong");
        assertThat(read).containsExactly("1", "2");
    }

    @Test
    void theLongestUnaskedIsForgottenFirst() {
        of("kept");
        for (int version = 0; version < 200; version++) {
            of("kept");
            of(String.valueOf(version));
        }
        of("0");
        assertThat(read).startsWith("kept", "0", "1").endsWith("199", "0").hasSize(202);
    }

    @Test
    void manyLongOnesAreNotAllKept() {
        for (int version = 0; version < 20; version++) {
            ofLength(String.valueOf(version), 400_000);
        }
        assertThat(read).hasSize(20);
        ofLength("10", 400_000);
        assertThat(read).as("the last ten are kept").hasSize(20);
        ofLength("9", 400_000);
        assertThat(read).endsWith("19", "9").hasSize(21);
    }

    /** The one that is being read asks for the others, from other threads, before it is read. */
    @Test
    void nobodyElseWaitsForTracesThatAreRead() {
        of("known");
        TrafficFacts facts = readings.of(version("slow", TrafficFormat.CHAKRA), () -> {
            String known = elsewhere(() -> of("known"));
            String workload =
                    elsewhere(() -> problem(readings.of(version("workload", TrafficFormat.AICB), () -> wrong("w"))));
            return wrong(known + ", " + workload);
        });
        assertThat(problem(facts)).isEqualTo("version version known is wrong, version w is wrong is wrong");
    }

    @Test
    void whoWaitsForAReadingTakesWhatItRead() throws InterruptedException {
        CountDownLatch reading = new CountDownLatch(1);
        CountDownLatch waiting = new CountDownLatch(1);
        Thread first = Thread.ofPlatform()
                .start(() -> readings.of(version("1", TrafficFormat.CHAKRA), () -> {
                    reading.countDown();
                    await(waiting);
                    read.add("1");
                    return wrong("1");
                }));
        await(reading);
        Thread second = Thread.ofPlatform().start(() -> of("1"));
        while (second.getState() != Thread.State.BLOCKED && second.isAlive()) {
            Thread.onSpinWait();
        }
        waiting.countDown();
        first.join();
        second.join();
        assertThat(read).containsExactly("1");
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String elsewhere(Supplier<String> question) {
        return CompletableFuture.supplyAsync(question)
                .orTimeout(60, TimeUnit.SECONDS)
                .join();
    }

    private String of(String version) {
        return problem(readings.of(version(version, TrafficFormat.CHAKRA), () -> {
            read.add(version);
            return wrong(version);
        }));
    }

    private void ofLength(String version, int characters) {
        readings.of(version(version, TrafficFormat.CHAKRA), () -> {
            read.add(version);
            return new TrafficFacts(Optional.of(packed("A".repeat(characters))), Optional.empty());
        });
    }

    private static RecordedTraffic packed(String iteration) {
        return new RecordedTraffic(
                "trace", TrafficFormat.CHAKRA, null, null, null, null, "0f3a", 2, List.of("0-1"), iteration, null);
    }

    private static TrafficReadings.Version version(String version, TrafficFormat format) {
        return new TrafficReadings.Version(
                "uid",
                version,
                new TrafficSource("trace", format),
                new TrafficSourceReader(Parallelism.ofDegrees(1, 2, 1, 1, 1), 1, 8, 400));
    }

    private static TrafficFacts wrong(String version) {
        return new TrafficFacts(Optional.empty(), Optional.of("version " + version + " is wrong"));
    }

    private static String problem(TrafficFacts facts) {
        return facts.problem().orElseThrow();
    }
}
