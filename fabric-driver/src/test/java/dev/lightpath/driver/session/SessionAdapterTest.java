package dev.lightpath.driver.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.driver.HeardLog;
import dev.lightpath.driver.adapter.AdapterListener;
import dev.lightpath.driver.adapter.CircuitPair;
import dev.lightpath.driver.adapter.DeviceDescription;
import dev.lightpath.driver.adapter.DeviceReading;
import dev.lightpath.driver.adapter.Move;
import dev.lightpath.driver.adapter.MoveAnswer;
import dev.lightpath.driver.adapter.NativeCircuit;
import dev.lightpath.proto.driver.v1alpha1.Alarm;
import dev.lightpath.proto.driver.v1alpha1.Capabilities;
import dev.lightpath.proto.driver.v1alpha1.Device;
import dev.lightpath.proto.driver.v1alpha1.DeviceInventory;
import dev.lightpath.proto.driver.v1alpha1.Environment;
import dev.lightpath.proto.driver.v1alpha1.PortStatus;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** When a switch is asked for all that it shows. */
final class SessionAdapterTest {
    private static final String DEVICE = "ocs-1";
    private static final Duration NEVER = Duration.ofHours(1);
    private static final Duration SOON = Duration.ofMillis(50);
    private static final int PATIENCE_SECONDS = 60;

    private final BlockingQueue<String> heard = new LinkedBlockingQueue<>();
    /** One for each reading after that of the greeting. */
    private final Semaphore readings = new Semaphore(0);

    /** Why sessions ended. */
    private final BlockingQueue<String> ends = new LinkedBlockingQueue<>();

    private final AtomicInteger sessions = new AtomicInteger();

    private volatile Runnable event = () -> {};
    private volatile InMove inMove = () -> {};
    private volatile boolean tellsAlarms = true;
    private volatile boolean tellsOfDriver;
    /** Why a reading is not answered; empty: it is. */
    private volatile String breaks = "";
    /** Why it is refused; empty: it is not. */
    private volatile String refuses = "";
    /** Why no session begins; empty: one does. */
    private volatile String unreachable = "";

    private @Nullable SessionAdapter adapter;

    /** What happens at the device while it moves. */
    @FunctionalInterface
    private interface InMove {
        void happens() throws InterruptedException;
    }

    private SessionAdapter started(Duration poll, Duration late) {
        SessionAdapter fresh = new SessionAdapter(
                "fake",
                List.of(new SwitchAddress(DEVICE, poll, told -> {
                    if (!unreachable.isEmpty()) {
                        throw new LostException(unreachable);
                    }
                    event = told;
                    sessions.incrementAndGet();
                    return new Fake();
                })),
                () -> {},
                late);
        adapter = fresh;
        fresh.start(new Heard()).join();
        return fresh;
    }

    @AfterEach
    void close() {
        if (adapter != null) {
            adapter.close();
        }
    }

    @Test
    void whatIsToldOfAChangeIsReadAfterIt() throws Exception {
        inMove = () -> {
            event.run();
            // long enough for a reading, if it were asked for
            assertThat(readings.tryAcquire(500, TimeUnit.MILLISECONDS)).isFalse();
        };
        var unused = started(NEVER, NEVER).move(DEVICE, oneMove(), NEVER);
        assertThat(readings.tryAcquire(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void alarmsAreToldDuringAChange() throws Exception {
        inMove = () -> {
            heard.clear();
            event.run();
            assertThat(heard.poll(PATIENCE_SECONDS, TimeUnit.SECONDS)).isEqualTo("alarm");
        };
        var unused = started(NEVER, NEVER).move(DEVICE, oneMove(), NEVER);
    }

    @Test
    void aLongChangeIsReadBesideAfterThePollInterval() throws Exception {
        inMove = () -> {
            event.run();
            assertThat(readings.tryAcquire(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
        };
        var unused = started(SOON, NEVER).move(DEVICE, oneMove(), NEVER);
    }

    @Test
    void aLongChangeIsReadBesideSoonAfterItWasToldOf() throws Exception {
        inMove = () -> {
            event.run();
            assertThat(readings.tryAcquire(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
        };
        var unused = started(NEVER, SOON).move(DEVICE, oneMove(), NEVER);
    }

    @Test
    void aChangeIsNotReadBesideBecauseItWasToldOf() throws Exception {
        tellsOfDriver = true;
        inMove = () -> {
            event.run();
            // long enough for a reading, if it were asked for
            assertThat(readings.tryAcquire(500, TimeUnit.MILLISECONDS)).isFalse();
        };
        var unused = started(NEVER, SOON).move(DEVICE, oneMove(), NEVER);
        assertThat(readings.tryAcquire(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void aDeviceThatMustBeAskedForAlarmsIsReadDuringAChange() throws Exception {
        tellsAlarms = false;
        inMove = () -> {
            event.run();
            assertThat(readings.tryAcquire(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
        };
        var unused = started(NEVER, NEVER).move(DEVICE, oneMove(), NEVER);
    }

    /** Another adapter had a device of this name, and has it no more. */
    @Test
    void aDeviceThatWasIgnoredIsDescribedAndReadAgain() throws Exception {
        tellsAlarms = false;
        SessionAdapter fresh = started(NEVER, NEVER);
        awaitHeard("described", "present");

        fresh.again(DEVICE);

        awaitHeard("described", "present");
        assertThat(sessions).hasValue(1);
    }

    /** Else a change that is under way would say that the driver ended it. */
    @Test
    void aSessionThatBreaksEndsForTheReasonOfTheDevice() throws Exception {
        var unused = started(SOON, NEVER);
        breaks = "the device ended the session";
        assertThat(ends.poll(PATIENCE_SECONDS, TimeUnit.SECONDS)).isEqualTo(breaks);
    }

    @Test
    void aSessionWhoseReadingIsRefusedEndsForThatReason() throws Exception {
        var unused = started(SOON, NEVER);
        refuses = "access-denied: the user may not read this";
        assertThat(ends.poll(PATIENCE_SECONDS, TimeUnit.SECONDS)).isEqualTo(refuses);
    }

    /** One event is one line of the log, which tells of the device's presence. */
    @Test
    void aSessionThatBreaksIsNoLineOfItsOwn() throws Exception {
        try (HeardLog log = new HeardLog(SessionDevice.class.getName())) {
            var unused = started(SOON, NEVER);
            breaks = "the device of this test ended the session";
            Awaitility.await()
                    .atMost(Duration.ofSeconds(PATIENCE_SECONDS))
                    .until(() -> heard.contains("silent: " + breaks));
            assertThat(log.lines(breaks)).isEmpty();
        }
    }

    /** The driver may know it from an earlier run. */
    @Test
    void aDeviceThatWasNeverReachedIsSilentForItsReason() throws Exception {
        unreachable = "the certificate has expired";
        var unused = started(NEVER, NEVER);
        awaitHeard("silent: the certificate has expired");
    }

    private void awaitHeard(String... all) throws InterruptedException {
        for (String each : all) {
            assertThat(heard.poll(PATIENCE_SECONDS, TimeUnit.SECONDS)).isEqualTo(each);
        }
    }

    private static List<Move> oneMove() {
        return List.of(new Move.Make(new CircuitPair("1", "2")));
    }

    /** Its alarms are others each time. */
    private final class Fake implements SwitchSession {
        private volatile String over = "";
        private int told;

        @Override
        public DeviceDescription description() {
            return new DeviceDescription(
                    Device.newBuilder().setDeviceId(DEVICE).build(),
                    Capabilities.getDefaultInstance(),
                    DeviceInventory.getDefaultInstance());
        }

        @Override
        public DeviceReading reading() throws LostException, RefusedException {
            if (!breaks.isEmpty()) {
                throw new LostException(breaks);
            }
            if (!refuses.isEmpty()) {
                throw new RefusedException("access-denied", refuses);
            }
            readings.release();
            return new DeviceReading(List.of(), List.of(), List.of(), Environment.getDefaultInstance());
        }

        @Override
        public Optional<List<Alarm>> heard() {
            if (!tellsAlarms) {
                return Optional.empty();
            }
            return Optional.of(
                    List.of(Alarm.newBuilder().setNativeText("alarm " + ++told).build()));
        }

        @Override
        public boolean heardOnlyOfDriver() {
            return tellsOfDriver;
        }

        @Override
        public List<NativeCircuit> circuits() {
            return List.of();
        }

        @Override
        public List<MoveAnswer> move(List<Move> moves, Duration within) {
            readings.drainPermits();
            try {
                inMove.happens();
            } catch (InterruptedException stopping) {
                throw new IllegalStateException(stopping);
            }
            return Collections.nCopies(moves.size(), new MoveAnswer.Accepted());
        }

        @Override
        public void shutter(String port, boolean closed) {}

        @Override
        public String whyOver() {
            return over;
        }

        @Override
        public void end(String why) {
            over = why;
            ends.add(why);
        }
    }

    private final class Heard implements AdapterListener {
        @Override
        public void described(DeviceDescription description) {
            heard.add("described");
        }

        @Override
        public void removed(String deviceId) {}

        @Override
        public void present(String deviceId, DeviceReading reading) {
            heard.add("present");
        }

        @Override
        public void silent(String deviceId, String detail) {
            heard.add("silent: " + detail);
        }

        @Override
        public void circuits(String deviceId, List<NativeCircuit> circuits) {}

        @Override
        public void ports(String deviceId, List<PortStatus> ports) {}

        @Override
        public void alarms(String deviceId, List<Alarm> alarms) {
            heard.add("alarm");
        }

        @Override
        public void environment(String deviceId, Environment environment) {}

        @Override
        public void powerCycled(String deviceId) {}
    }
}
