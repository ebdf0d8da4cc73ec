package dev.lightpath.app.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.app.publish.status.Scenes;
import dev.lightpath.planner.ask.Asked;
import dev.lightpath.planner.ask.TopologyAnswer;
import dev.lightpath.planner.engine.decision.Decision;
import dev.lightpath.planner.light.ChangeOutcome;
import dev.lightpath.planner.light.Circuit;
import dev.lightpath.planner.light.CrossConnects;
import dev.lightpath.planner.light.DeviceChange;
import dev.lightpath.planner.light.DeviceId;
import dev.lightpath.planner.light.DeviceState;
import dev.lightpath.planner.light.DriverState;
import dev.lightpath.planner.light.Stage;
import dev.lightpath.planner.light.StageId;
import dev.lightpath.planner.world.Allocation;
import dev.lightpath.planner.world.LedgerEntry;
import dev.lightpath.planner.world.RingIntent;
import dev.lightpath.planner.world.SliceId;
import dev.lightpath.planner.world.SliceIntent;
import dev.lightpath.planner.world.World;
import dev.lightpath.tracing.Tracing;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class PlanningLoopTest {
    private static final Instant NOW = Instant.parse("2026-05-01T10:00:00Z");

    private final AtomicBoolean broken = new AtomicBoolean(true);
    private final CountDownLatch failed = new CountDownLatch(2);
    private final CountDownLatch published = new CountDownLatch(1);
    private final BlockingQueue<Duration> waits = new LinkedBlockingQueue<>();
    private final BlockingQueue<String> told = new LinkedBlockingQueue<>();

    @Test
    void aFailingPassIsCountedAndToldUntilOneSucceeds() throws InterruptedException {
        Cluster cluster = () -> {
            if (broken.get()) {
                throw new IllegalArgumentException("node 60 must be 0..59");
            }
            return wishes(new TreeMap<>(), new TreeMap<>());
        };
        try (PlanningLoop loop = loop(cluster, new EmptyLedger(), new NoFleet())) {
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

    /** A driver may ask for any patience: the loop looks on, and is patient for minutes. */
    @Test
    void aDeviceThatAsksForAgesEndsNoLoop() throws InterruptedException {
        BlockingQueue<World> looked = new LinkedBlockingQueue<>();
        DeviceId device = new DeviceId(Scenes.DRIVER, "n0");
        try (PlanningLoop loop = new PlanningLoop(
                () -> wishes(new TreeMap<>(), new TreeMap<>()),
                new EmptyLedger(),
                new NoFleet(),
                (world, deliberation) -> looked.add(world),
                new Counting(),
                (change, then) -> then.run(),
                new NoSolving(),
                Tracing.silent(),
                InstantSource.fixed(NOW),
                1,
                true)) {
            loop.start();
            assertThat(looked.poll(60, TimeUnit.SECONDS)).isNotNull();
            loop.answered(
                    new StageId(1, 1),
                    device,
                    new ChangeOutcome.Rejected(
                            ChangeOutcome.Reason.BUSY,
                            "BUSY",
                            Optional.of(Duration.ofSeconds(100_000_000_000_000_000L))));
            World next = looked.poll(60, TimeUnit.SECONDS);
            assertThat(next).isNotNull();
            assertThat(next.setbacks().get(device).notBefore()).isBeforeOrEqualTo(NOW.plus(Duration.ofMinutes(5)));
        }
    }

    /** Whatever is thrown when a reading is started: the device is not locked for good. */
    @Test
    void aReadingThatCannotBeStartedIsStartedAgain() throws InterruptedException {
        BlockingQueue<SortedSet<DeviceId>> asked = new LinkedBlockingQueue<>();
        DeviceId device = new DeviceId(Scenes.DRIVER, "n0");
        AtomicReference<PlanningLoop> running = new AtomicReference<>();
        ObedientFleet obedient = new ObedientFleet(running::get);
        Fleet failing = new Fleet() {
            @Override
            public SortedMap<String, DriverState> states() {
                return obedient.states();
            }

            @Override
            public void start(Stage stage) {}

            @Override
            public void observe(SortedSet<DeviceId> devices) {
                asked.add(devices);
                throw new IllegalStateException("no thread for it");
            }
        };
        try (PlanningLoop loop = loop(PlanningLoopTest::oneWish, new EmptyLedger(), failing)) {
            running.set(loop);
            loop.start();
            loop.answered(new StageId(1, 1), device, new ChangeOutcome.Indeterminate("not heard of"));
            for (int time = 0; time < 2; time++) {
                assertThat(asked.poll(30, TimeUnit.SECONDS))
                        .as("reading " + time)
                        .isNotNull()
                        .containsExactly(device);
            }
        }
    }

    @Test
    void newsThatCannotBeTakenInEndNoLoop() throws InterruptedException {
        AtomicBoolean noTime = new AtomicBoolean();
        InstantSource clock = () -> {
            if (noTime.get()) {
                throw new DateTimeException("no time");
            }
            return NOW;
        };
        try (PlanningLoop loop = new PlanningLoop(
                () -> wishes(new TreeMap<>(), new TreeMap<>()),
                new EmptyLedger(),
                new NoFleet(),
                (world, deliberation) -> told.add("passed"),
                new Counting(),
                (change, then) -> then.run(),
                new NoSolving(),
                Tracing.silent(),
                clock,
                1,
                true)) {
            loop.start();
            assertThat(told.poll(60, TimeUnit.SECONDS)).isNotNull();
            noTime.set(true);
            loop.observed(List.of(), Map.of());
            assertThat(failed.await(60, TimeUnit.SECONDS)).as("tried again").isTrue();
            noTime.set(false);
            told.clear();
            loop.wake();
            assertThat(List.of(nextTold(), nextTold())).contains("passed");
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
        try (PlanningLoop loop = loop(cluster, new EmptyLedger(), new NoFleet())) {
            loop.start();
            assertThat(hangs.await(60, TimeUnit.SECONDS)).isTrue();
            Duration before = loop.sinceLastPass();
            TimeUnit.MILLISECONDS.sleep(20);
            assertThat(loop.sinceLastPass()).isGreaterThanOrEqualTo(before.plusMillis(20));
            goesOn.countDown();
            assertThat(failed.await(60, TimeUnit.SECONDS)).isTrue();
        }
    }

    /** Its clients try again and again while the API server is away. */
    @Test
    void aPassThatWaitsForSomebodyEndsWithTheLoop() throws InterruptedException {
        CountDownLatch waits = new CountDownLatch(1);
        CountDownLatch ended = new CountDownLatch(1);
        Cluster cluster = () -> {
            waits.countDown();
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                ended.countDown();
                throw new IllegalStateException(e);
            }
            throw new AssertionError("nobody goes on");
        };
        PlanningLoop loop = loop(cluster, new EmptyLedger(), new NoFleet());
        loop.start();
        assertThat(waits.await(60, TimeUnit.SECONDS)).isTrue();
        loop.close();
        assertThat(ended.await(60, TimeUnit.SECONDS)).isTrue();
        assertThat(failed.getCount()).as("an end is no failure").isEqualTo(2);
    }

    /** As when its mandate ends meanwhile. */
    @Test
    void aLoopThatIsStoppedInAPassStartsNothing() throws InterruptedException {
        AtomicReference<PlanningLoop> running = new AtomicReference<>();
        List<String> effects = new CopyOnWriteArrayList<>();
        CountDownLatch reads = new CountDownLatch(1);
        Ledger ledger = new LedgerOfOne(
                new LedgerEntry(Optional.empty(), "v1"), (entries, refused, done) -> effects.add("recorded"));
        Cluster cluster = () -> {
            running.get().stop();
            reads.countDown();
            return oneWish();
        };
        PlanningLoop loop = new PlanningLoop(
                cluster,
                ledger,
                new ObedientFleet(running::get),
                (world, deliberation) -> effects.add("published"),
                new Counting(),
                (change, then) -> effects.add("announced"),
                new NoSolving(),
                Tracing.silent(),
                InstantSource.system(),
                1,
                true);
        running.set(loop);
        loop.start();
        assertThat(reads.await(60, TimeUnit.SECONDS)).isTrue();
        loop.close();
        assertThat(effects).isEmpty();
        assertThat(loop.sinceLastPass()).as("nobody waits for another").isZero();
    }

    @Test
    void whatIsHeardWhileARecordIsBeingWrittenIsLeftAloneForAWhile() throws InterruptedException {
        assertThat(waitWhileWriting(PlanningLoop::wake)).isGreaterThanOrEqualTo(PlanningLoop.BEING_WRITTEN);
    }

    @Test
    void alarmsOfDevicesWaitForARecordThatIsBeingWritten() throws InterruptedException {
        assertThat(waitWhileWriting(PlanningLoop::progressed)).isGreaterThanOrEqualTo(PlanningLoop.BEING_WRITTEN);
    }

    /**
     * How long this news waits for a pass when it comes as soon as a record has begun to be written, which does not
     * end.
     */
    private Duration waitWhileWriting(Consumer<PlanningLoop> news) throws InterruptedException {
        AtomicReference<PlanningLoop> running = new AtomicReference<>();
        Ledger unwritten = new LedgerOfOne(
                new LedgerEntry(Optional.empty(), "v1"), (entries, refused, done) -> news.accept(running.get()));
        try (PlanningLoop loop = loop(PlanningLoopTest::oneWish, unwritten, new ObedientFleet(running::get))) {
            running.set(loop);
            loop.start();
            return Optional.ofNullable(waits.poll(60, TimeUnit.SECONDS)).orElseThrow();
        }
    }

    /** The slice left n5, which still shines, for n0, which is dark. */
    @Test
    void whatOnlyGoesDarkWaitsForTheAnswersToARepair() throws InterruptedException {
        AtomicReference<PlanningLoop> running = new AtomicReference<>();
        LedgerEntry moved =
                new LedgerEntry(Optional.of(new Allocation(2, Scenes.seats(), new TreeSet<>(List.of("n5")))), "v1");
        ObedientFleet fleet = new ObedientFleet(running::get);
        fleet.lead("n5", new Circuit("b0.common", "b0.path1"));
        Ledger ledger = new LedgerOfOne(moved, (entries, refused, done) -> {});
        try (PlanningLoop loop = loop(PlanningLoopTest::oneWish, ledger, fleet)) {
            running.set(loop);
            loop.start();
            assertThat(List.of(nextTold(), nextTold(), nextTold()))
                    .containsExactly("started REPAIR", "heard news", "started RELEASE");
        }
    }

    private String nextTold() throws InterruptedException {
        return Optional.ofNullable(told.poll(60, TimeUnit.SECONDS)).orElseThrow();
    }

    /** Else the loop would never rest. */
    @Test
    void aRecordThatIsRefusedIsNotTriedInEachPass() throws InterruptedException {
        BlockingQueue<World> rested = new LinkedBlockingQueue<>();
        Ledger refusing = new LedgerOfOne(new LedgerEntry(Optional.empty(), "v1"), (entries, refused, done) -> {
            entries.forEach(entry -> refused.accept(entry, "policy"));
            done.run();
        });
        try (PlanningLoop loop = new PlanningLoop(
                PlanningLoopTest::oneWish,
                refusing,
                new ObedientFleet(() -> null),
                (world, deliberation) -> rested.add(world),
                new Counting(),
                (change, then) -> then.run(),
                new NoSolving(),
                Tracing.silent(),
                InstantSource.system(),
                1,
                true)) {
            loop.start();
            World world;
            do {
                world = rested.poll(60, TimeUnit.SECONDS);
                assertThat(world).isNotNull();
            } while (!world.waits(Scenes.SLICE));
            assertThat(world.refused().get(Scenes.SLICE))
                    .matches(setback -> setback.message().equals("policy") && setback.count() > 1);
        }
    }

    private static DesiredState oneWish() {
        return wishes(
                new TreeMap<>(Map.of("ring-a", Scenes.ring(false))),
                new TreeMap<>(Map.of(Scenes.SLICE, Scenes.wish())));
    }

    private static DesiredState wishes(SortedMap<String, RingIntent> rings, SortedMap<SliceId, SliceIntent> slices) {
        return new DesiredState(rings, slices, new TreeMap<>(), new TreeMap<>(), new TreeMap<>(), new TreeMap<>());
    }

    private PlanningLoop loop(Cluster cluster, Ledger ledger, Fleet fleet) {
        return new PlanningLoop(
                cluster,
                ledger,
                fleet,
                (world, deliberation) -> published.countDown(),
                new Counting(),
                (change, then) -> then.run(),
                new NoSolving(),
                Tracing.silent(),
                InstantSource.system(),
                1,
                true);
    }

    private static final class NoSolving implements Solving {
        @Override
        public SortedMap<String, TopologyAnswer> answers() {
            return new TreeMap<>();
        }

        @Override
        public void ask(SortedMap<String, Asked> questions) {}
    }

    private final class Counting implements QuietMeter {
        @Override
        public void waited(Duration elapsed) {
            waits.add(elapsed);
            told.add("heard news");
        }

        @Override
        public void differs() {
            told.add("differs");
        }

        @Override
        public void failed() {
            failed.countDown();
        }
    }

    private static final class EmptyLedger implements Ledger {
        @Override
        public SortedMap<SliceId, LedgerEntry> entries() {
            return new TreeMap<>();
        }

        @Override
        public SortedMap<SliceId, String> unreadable() {
            return new TreeMap<>();
        }

        @Override
        public void record(
                List<Decision.Adopt.Entry> entries,
                Consumer<Decision.Adopt.Entry> written,
                BiConsumer<Decision.Adopt.Entry, String> refused,
                Runnable done) {
            done.run();
        }
    }

    /** What becomes of a record that is to be written. One that never ends says nothing. */
    private interface Writing {
        void begin(List<Decision.Adopt.Entry> entries, BiConsumer<Decision.Adopt.Entry, String> refused, Runnable done);
    }

    private record LedgerOfOne(LedgerEntry entry, Writing writing) implements Ledger {
        @Override
        public SortedMap<SliceId, LedgerEntry> entries() {
            return new TreeMap<>(Map.of(Scenes.SLICE, entry));
        }

        @Override
        public SortedMap<SliceId, String> unreadable() {
            return new TreeMap<>();
        }

        @Override
        public void record(
                List<Decision.Adopt.Entry> entries,
                Consumer<Decision.Adopt.Entry> written,
                BiConsumer<Decision.Adopt.Entry, String> refused,
                Runnable done) {
            writing.begin(entries, refused, done);
        }
    }

    /** Does what it is told, and has answered before the loop does anything else. */
    private final class ObedientFleet implements Fleet {
        private final Supplier<PlanningLoop> loop;
        private final SortedMap<String, DeviceState> devices =
                new TreeMap<>(Scenes.synced().devices());

        ObedientFleet(Supplier<PlanningLoop> loop) {
            this.loop = loop;
        }

        /** This instead of what the port led before. */
        void lead(String device, Circuit circuit) {
            devices.computeIfPresent(device, (name, was) -> {
                List<Circuit> circuits = new ArrayList<>(was.circuits().circuits());
                circuits.removeIf(other -> other.ingress().equals(circuit.ingress()));
                circuits.add(circuit);
                return new DeviceState(
                        was.presence(),
                        new CrossConnects(circuits),
                        was.moving(),
                        was.digest(),
                        was.light(),
                        was.failedPorts(),
                        was.operation(),
                        was.inventory());
            });
        }

        @Override
        public SortedMap<String, DriverState> states() {
            return new TreeMap<>(Map.of(
                    Scenes.DRIVER,
                    new DriverState(DriverState.Contact.SYNCED, Optional.empty(), "toy", "1.2", 7, devices)));
        }

        @Override
        public void start(Stage stage) {
            told.add("started " + stage.cause());
            for (DeviceChange change : stage.changes()) {
                change.connects().forEach(circuit -> lead(change.device().device(), circuit));
                loop.get().answered(stage.id(), change.device(), new ChangeOutcome.Applied("digest", Duration.ZERO));
            }
        }

        @Override
        public void observe(SortedSet<DeviceId> devices) {
            throw new AssertionError("nothing is ever unknown here: " + devices);
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
