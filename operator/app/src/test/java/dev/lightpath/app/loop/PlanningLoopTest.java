package dev.lightpath.app.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.planner.ask.TopologyAnswer;
import dev.lightpath.planner.ask.TopologyQuestion;
import dev.lightpath.planner.engine.Decision;
import dev.lightpath.planner.engine.Deliberation;
import dev.lightpath.planner.light.ChangeOutcome;
import dev.lightpath.planner.light.DeviceId;
import dev.lightpath.planner.light.DriverState;
import dev.lightpath.planner.light.Stage;
import dev.lightpath.planner.world.LedgerEntry;
import dev.lightpath.planner.world.SliceId;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class PlanningLoopTest {
    private final AtomicBoolean broken = new AtomicBoolean(true);
    private final CountDownLatch failed = new CountDownLatch(2);
    private final CountDownLatch published = new CountDownLatch(1);

    @Test
    void aFailingPassIsCountedAndToldUntilOneSucceeds() throws InterruptedException {
        Cluster cluster = () -> {
            if (broken.get()) {
                throw new IllegalArgumentException("node 60 must be 0..59");
            }
            return new Wishes(
                    new TreeMap<>(),
                    new TreeMap<>(),
                    new TreeMap<>(),
                    new TreeMap<>(),
                    new TreeMap<>(),
                    new TreeMap<>());
        };
        try (PlanningLoop loop = loop(cluster, new EmptyLedger())) {
            assertThat(loop.failure()).isEmpty();
            loop.start();
            assertThat(failed.await(30, TimeUnit.SECONDS)).isTrue();
            assertThat(loop.failure().orElseThrow()).contains("node 60 must be 0..59");
            broken.set(false);
            loop.wake();
            assertThat(published.await(30, TimeUnit.SECONDS)).isTrue();
            assertThat(loop.failure()).isEmpty();
        }
    }

    @Test
    void aLoopThatHangsInAPassGrowsOld() throws InterruptedException {
        CountDownLatch hangs = new CountDownLatch(1);
        CountDownLatch goesOn = new CountDownLatch(1);
        Cluster cluster = () -> {
            hangs.countDown();
            try {
                goesOn.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            throw new IllegalArgumentException("woken");
        };
        try (PlanningLoop loop = loop(cluster, new EmptyLedger())) {
            loop.start();
            assertThat(hangs.await(60, TimeUnit.SECONDS)).isTrue();
            Duration before = loop.sinceLastPass();
            TimeUnit.MILLISECONDS.sleep(20);
            assertThat(loop.sinceLastPass()).isGreaterThanOrEqualTo(before.plusMillis(20));
            goesOn.countDown();
            assertThat(failed.await(60, TimeUnit.SECONDS)).isTrue();
        }
    }

    private PlanningLoop loop(Cluster cluster, Ledger ledger) {
        return new PlanningLoop(
                cluster,
                ledger,
                new NoFleet(),
                (world, deliberation) -> published.countDown(),
                new Counting(),
                (change, then) -> then.run(),
                new NoDesk(),
                InstantSource.system(),
                1);
    }

    private static final class NoDesk implements Desk {
        @Override
        public SortedMap<String, TopologyAnswer> answers() {
            return new TreeMap<>();
        }

        @Override
        public void ask(SortedMap<String, TopologyQuestion> questions) {}
    }

    private final class Counting implements PassMeter {
        @Override
        public void solved(TopologyAnswer answer, Duration elapsed) {}

        @Override
        public void abandoned(int threads) {}

        @Override
        public void waited(Duration elapsed) {}

        @Override
        public void ended() {}

        @Override
        public void passed(Deliberation deliberation, Duration elapsed) {}

        @Override
        public void failed() {
            failed.countDown();
        }

        @Override
        public void applied(ChangeOutcome outcome, Duration elapsed) {}

        @Override
        public void faultToLight(Duration elapsed) {}
    }

    private static final class EmptyLedger implements Ledger {
        @Override
        public SortedMap<SliceId, LedgerEntry> entries() {
            return new TreeMap<>();
        }

        @Override
        public SortedMap<SliceId, String> illegible() {
            return new TreeMap<>();
        }

        @Override
        public void record(List<Decision.Adopt.Entry> entries, Runnable done) {
            done.run();
        }
    }

    private static final class NoFleet implements Fleet {
        @Override
        public SortedMap<String, DriverState> states() {
            return new TreeMap<>();
        }

        @Override
        public void start(Stage stage) {}

        @Override
        public void observe(SortedSet<DeviceId> devices) {}
    }
}
