package dev.lightpath.app.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.app.publish.status.Scenes;
import dev.lightpath.planner.light.DriverState;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class RehearsalTest {
    private final AtomicInteger read = new AtomicInteger();
    private DriverState driver = Scenes.synced();

    private Rehearsal rehearsal(Cluster cluster) {
        return new Rehearsal(
                () -> {
                    read.incrementAndGet();
                    return cluster.read();
                },
                TreeMap::new,
                () -> new TreeMap<>(Map.of(Scenes.DRIVER, driver)),
                InstantSource.fixed(Instant.parse("2026-05-01T10:00:00Z")));
    }

    private static DesiredState wishes() {
        return new DesiredState(
                new TreeMap<>(Map.of("ring-a", Scenes.ring(false))),
                new TreeMap<>(Map.of(Scenes.SLICE, Scenes.wish())),
                new TreeMap<>(),
                new TreeMap<>(),
                new TreeMap<>(),
                new TreeMap<>());
    }

    private static int passes(Rehearsal rehearsal) {
        int passes = 1;
        while (rehearsal.pass()) {
            passes++;
        }
        return passes;
    }

    /** It would keep a processor busy for ever otherwise. */
    @Test
    void itEndsAfterAFewPasses() {
        assertThat(passes(rehearsal(RehearsalTest::wishes))).isLessThan(20);
        assertThat(read.get()).isBetween(2, 19);
    }

    @Test
    void nothingIsReadBeforeDriversAreInContact() {
        driver = Scenes.driver(DriverState.Contact.UNREACHABLE, "not yet heard");
        Rehearsal rehearsal = rehearsal(RehearsalTest::wishes);
        assertThat(rehearsal.pass()).isTrue();
        assertThat(read).hasValue(0);
        driver = Scenes.synced();
        assertThat(rehearsal.pass()).isTrue();
        assertThat(read).hasValue(1);
    }

    @Test
    void aDriverThatIsAwayIsNotWaitedForWithoutEnd() {
        driver = Scenes.driver(DriverState.Contact.UNREACHABLE, "away");
        assertThat(passes(rehearsal(RehearsalTest::wishes))).isLessThan(200);
        assertThat(read.get()).isPositive();
    }

    /** Whoever leads tells of it. */
    @Test
    void aPassThatFailsEndsItInSilence() {
        Rehearsal rehearsal = rehearsal(() -> {
            throw new IllegalArgumentException("node 60 must be 0..59");
        });
        assertThat(rehearsal.pass()).isFalse();
    }
}
