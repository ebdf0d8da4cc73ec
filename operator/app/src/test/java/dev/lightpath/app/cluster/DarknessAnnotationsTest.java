package dev.lightpath.app.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.planner.engine.decision.Decision;
import dev.lightpath.planner.light.Circuit;
import dev.lightpath.planner.light.DeviceChange;
import dev.lightpath.planner.light.DeviceId;
import dev.lightpath.planner.light.Stage;
import dev.lightpath.planner.light.StageId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

class DarknessAnnotationsTest {
    private static final DeviceId N1 = new DeviceId("driver:1", "n1");
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    private final Map<String, Instant> told = new ConcurrentHashMap<>();
    private volatile Instant now = NOW;
    private volatile boolean held = true;
    private final List<String> writes = new CopyOnWriteArrayList<>();
    private final DarknessAnnotations notice = notice(Duration.ofMinutes(10));

    private DarknessAnnotations notice(Duration patience) {
        return new DarknessAnnotations(
                (node, until) -> {
                    writes.add(node);
                    told.put(node, until);
                },
                () -> held,
                () -> now,
                patience);
    }

    private void announce() throws InterruptedException {
        announce(notice);
    }

    private void announce(DarknessAnnotations notice) throws InterruptedException {
        CountDownLatch then = new CountDownLatch(1);
        notice.announce(change(), then::countDown);
        assertThat(then.await(60, TimeUnit.SECONDS)).isTrue();
        Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> told.containsKey("n1"));
    }

    private static Decision.Apply change() {
        Stage stage = new Stage(
                new StageId(1, 1),
                "ring-a",
                Stage.Cause.COMPACT,
                List.of(new DeviceChange(
                        N1, "digest", new TreeSet<>(List.of(new Circuit("b0.common", "b0.path1"))), new TreeSet<>())));
        return new Decision.Apply(stage, new TreeSet<>(), new TreeSet<>(List.of("n1")));
    }

    @Test
    void darknessIsAnnouncedForLongerThanARobotTakes() throws InterruptedException {
        announce();
        assertThat(told.get("n1")).isAfter(NOW.plusSeconds(120));
    }

    @Test
    void darknessEndsWhenTheLightIsBack() throws InterruptedException {
        announce();
        now = NOW.plusSeconds(3);
        notice.over(N1);
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .until(() -> told.get("n1").equals(NOW.plusSeconds(3)));
    }

    @Test
    void theNextDarknessIsNotEndedByTheLast() throws InterruptedException {
        announce();
        now = NOW.plusSeconds(3);
        notice.over(N1);
        announce();
        notice.close();
        assertThat(told.get("n1")).isEqualTo(NOW.plusSeconds(153));
    }

    @Test
    void theEndOfDarknessIsToldBeforeTheTermEnds() throws InterruptedException {
        announce();
        now = NOW.plusSeconds(3);
        notice.over(N1);
        notice.close();
        assertThat(told.get("n1")).isEqualTo(NOW.plusSeconds(3));
    }

    /** Another process may tell of these nodes by now. */
    @Test
    void nothingIsToldOnceTheTermIsLost() throws InterruptedException {
        announce();
        held = false;
        now = NOW.plusSeconds(3);
        notice.over(N1);
        notice.foretell(new TreeSet<>(List.of("n2")));
        announce();
        notice.close();
        assertThat(writes).containsExactly("n1");
    }

    @Test
    void whatWasForetoldIsToldOnce() throws InterruptedException {
        notice.foretell(new TreeSet<>(List.of("n1")));
        Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> told.containsKey("n1"));
        announce();
        assertThat(writes).containsExactly("n1");
        now = NOW.plusSeconds(3);
        notice.over(N1);
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .until(() -> told.get("n1").equals(NOW.plusSeconds(3)));
    }

    @Test
    void whatAnotherChangeEndedIsToldAgain() throws InterruptedException {
        notice.foretell(new TreeSet<>(List.of("n1")));
        now = NOW.plusSeconds(3);
        notice.over(N1);
        announce();
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .until(() -> told.get("n1").isAfter(NOW.plusSeconds(120)));
    }

    @Test
    void whatWasForetoldAndDoesNotComeIsTakenBack() {
        DarknessAnnotations hasty = notice(Duration.ofMillis(1));
        hasty.foretell(new TreeSet<>(List.of("n1")));
        Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> NOW.equals(told.get("n1")));
    }

    @Test
    void nobodyIsToldOfDarknessThatWasNotAnnounced() {
        notice.over(N1);
        notice.close();
        assertThat(told).isEmpty();
    }

    @Test
    void whatIsDarkAlreadyIsNotForetoldAndNotTakenBack() throws InterruptedException {
        DarknessAnnotations hasty = notice(Duration.ofMillis(1));
        announce(hasty);
        hasty.foretell(new TreeSet<>(List.of("n1", "n2")));
        Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> NOW.equals(told.get("n2")));
        assertThat(writes).containsOnlyOnce("n1");
        assertThat(told.get("n1")).isAfter(NOW.plusSeconds(120));
    }

    @Test
    void whatWasForetoldInVainIsNotForetoldAgainBeforeItCame() throws InterruptedException {
        DarknessAnnotations hasty = notice(Duration.ofMillis(1));
        hasty.foretell(new TreeSet<>(List.of("n1")));
        Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> NOW.equals(told.get("n1")));
        writes.clear();
        hasty.foretell(new TreeSet<>(List.of("n1", "n2")));
        Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> NOW.equals(told.get("n2")));
        assertThat(writes).doesNotContain("n1");
        announce(hasty);
        hasty.over(N1);
        Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> NOW.equals(told.get("n1")));
        writes.clear();
        hasty.foretell(new TreeSet<>(List.of("n1")));
        Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> writes.contains("n1"));
    }

    @Test
    void whatIsForetoldGoesOutAFewAtATimeAndNobodyWhoWaitsStandsBehindIt() throws InterruptedException {
        CountDownLatch go = new CountDownLatch(1);
        AtomicInteger most = new AtomicInteger();
        AtomicInteger at = new AtomicInteger();
        DarknessAnnotations busy = new DarknessAnnotations(
                (node, until) -> {
                    if (node.startsWith("ahead")) {
                        most.accumulateAndGet(at.incrementAndGet(), Math::max);
                        awaitUninterrupted(go);
                        at.decrementAndGet();
                    }
                    writes.add(node);
                    told.put(node, until);
                },
                () -> held,
                () -> now,
                Duration.ofMinutes(10));
        busy.foretell(new TreeSet<>(List.of("ahead-1", "ahead-2", "ahead-3", "ahead-4", "ahead-5")));
        announce(busy);
        assertThat(writes).containsExactly("n1");
        go.countDown();
        Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> writes.size() == 6);
        assertThat(most).hasValue(2);
    }

    /** A thousand notices of light that came back long ago would keep the API server from the next records. */
    @Test
    void darknessThatIsOverBeforeItsTurnComesIsNotTold() {
        CountDownLatch go = new CountDownLatch(1);
        DarknessAnnotations busy = new DarknessAnnotations(
                (node, until) -> {
                    if (node.startsWith("ahead")) {
                        awaitUninterrupted(go);
                    }
                    writes.add(node);
                },
                () -> held,
                () -> now,
                Duration.ofMinutes(10));
        busy.foretell(new TreeSet<>(List.of("ahead-1", "ahead-2", "n1")));
        busy.over(N1);
        go.countDown();
        busy.close();
        assertThat(writes).containsExactlyInAnyOrder("ahead-1", "ahead-2");
    }

    /** Link monitors would stay quiet for minutes of a node whose light is back. */
    @Test
    void darknessThatWasToldEndsEvenIfTheNextIsOverBeforeItsTurnComes() throws InterruptedException {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        DarknessAnnotations slow = new DarknessAnnotations(
                (node, until) -> {
                    begun.countDown();
                    awaitUninterrupted(go);
                    told.put(node, until);
                },
                () -> held,
                () -> now,
                Duration.ofMinutes(10));
        slow.announce(change(), () -> {});
        assertThat(begun.await(60, TimeUnit.SECONDS)).isTrue();
        now = NOW.plusSeconds(3);
        slow.announce(change(), () -> {});
        slow.over(N1);
        go.countDown();
        slow.close();
        assertThat(told.get("n1")).isEqualTo(NOW.plusSeconds(3));
    }

    private static void awaitUninterrupted(CountDownLatch latch) {
        try {
            assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
