package dev.lightpath.driver.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.lightpath.driver.adapter.Adapter;
import dev.lightpath.driver.adapter.AdapterListener;
import dev.lightpath.driver.adapter.CircuitPair;
import dev.lightpath.driver.adapter.DeviceDescription;
import dev.lightpath.driver.adapter.DeviceReading;
import dev.lightpath.driver.adapter.DeviceSilentException;
import dev.lightpath.driver.adapter.Move;
import dev.lightpath.driver.adapter.MoveAnswer;
import dev.lightpath.driver.adapter.NativeCircuit;
import dev.lightpath.driver.audit.AuditLog;
import dev.lightpath.driver.contract.view.ContractException;
import dev.lightpath.driver.contract.view.ViewChange;
import dev.lightpath.driver.ledger.Ledger;
import dev.lightpath.proto.driver.v1alpha1.ApplyCircuitsRequest;
import dev.lightpath.proto.driver.v1alpha1.ApplyCircuitsResponse;
import dev.lightpath.proto.driver.v1alpha1.Availability;
import dev.lightpath.proto.driver.v1alpha1.Capabilities;
import dev.lightpath.proto.driver.v1alpha1.CircuitKey;
import dev.lightpath.proto.driver.v1alpha1.CircuitSource;
import dev.lightpath.proto.driver.v1alpha1.CircuitState;
import dev.lightpath.proto.driver.v1alpha1.Device;
import dev.lightpath.proto.driver.v1alpha1.DeviceInventory;
import dev.lightpath.proto.driver.v1alpha1.Environment;
import dev.lightpath.proto.driver.v1alpha1.ErrorReason;
import dev.lightpath.proto.driver.v1alpha1.FactoryLoss;
import dev.lightpath.proto.driver.v1alpha1.Fencing;
import dev.lightpath.proto.driver.v1alpha1.Outcome;
import dev.lightpath.proto.driver.v1alpha1.Port;
import dev.lightpath.proto.driver.v1alpha1.PortSide;
import dev.lightpath.proto.driver.v1alpha1.Scope;
import dev.lightpath.proto.driver.v1alpha1.Sidedness;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A device that its adapter loses from the list and finds again while an operation of it runs. */
final class FlickeringDeviceTest {
    private static final String ROLE = "cluster/fabric";

    @TempDir
    private Path directory;

    private final SlowSwitch hardware = new SlowSwitch();
    private final List<ViewChange> told = new CopyOnWriteArrayList<>();
    private final ScheduledThreadPoolExecutor timers = new ScheduledThreadPoolExecutor(1);
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private Ledger ledger;
    private AuditLog audit;
    private Fleet fleet;

    /** A switch whose moves wait until they are let go on. */
    private static final class SlowSwitch implements Adapter {
        private final Map<CircuitPair, NativeCircuit> circuits = new ConcurrentHashMap<>();
        private final List<CircuitPair> asked = new CopyOnWriteArrayList<>();
        private final CountDownLatch moving = new CountDownLatch(1);
        private final CountDownLatch goOn = new CountDownLatch(1);
        private final AtomicReference<AdapterListener> listener = new AtomicReference<>();
        /** Counted down by a read of the device while it is no part of the installation. */
        private final CountDownLatch missed = new CountDownLatch(1);

        private volatile boolean gone;
        /** Reads that fail by a bug of the adapter. */
        private final AtomicInteger bugs = new AtomicInteger();

        @Override
        public String kind() {
            return "slow";
        }

        @Override
        public CompletableFuture<Set<String>> start(AdapterListener heard) {
            listener.set(heard);
            describe();
            return CompletableFuture.completedFuture(Set.of("ocs-1"));
        }

        void describe() {
            DeviceInventory.Builder inventory = DeviceInventory.newBuilder().setDeviceId("ocs-1");
            IntStream.rangeClosed(1, 8)
                    .forEach(port -> inventory.addPorts(
                            Port.newBuilder().setName(Integer.toString(port)).setSide(PortSide.PORT_SIDE_BOTH)));
            listener.get()
                    .described(new DeviceDescription(
                            Device.newBuilder()
                                    .setDeviceId("ocs-1")
                                    .setAdapter("slow")
                                    .build(),
                            Capabilities.newBuilder()
                                    .setSidedness(Sidedness.SIDEDNESS_ONE_SIDED)
                                    .build(),
                            inventory.build()));
            listener.get()
                    .present(
                            "ocs-1",
                            new DeviceReading(
                                    List.copyOf(circuits.values()),
                                    List.of(),
                                    List.of(),
                                    Environment.getDefaultInstance()));
        }

        void flicker() {
            listener.get().removed("ocs-1");
            describe();
        }

        @Override
        public List<NativeCircuit> read(String deviceId, CircuitSource source) throws DeviceSilentException {
            if (gone) {
                missed.countDown();
                throw new DeviceSilentException("there is no such device");
            }
            if (bugs.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
                throw new IllegalStateException("a bug of the adapter");
            }
            return List.copyOf(circuits.values());
        }

        @Override
        public List<MoveAnswer> move(String deviceId, List<Move> moves, Duration within) {
            moves.forEach(move -> asked.add(move.pair()));
            moving.countDown();
            try {
                assertThat(goOn.await(60, TimeUnit.SECONDS)).isTrue();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            for (Move move : moves) {
                switch (move) {
                    case Move.Break broken -> circuits.remove(broken.pair());
                    case Move.Make made ->
                        circuits.put(
                                made.pair(),
                                new NativeCircuit(
                                        made.pair(), CircuitState.CIRCUIT_STATE_CONNECTED, OptionalDouble.empty()));
                }
            }
            return moves.stream()
                    .map(move -> (MoveAnswer) new MoveAnswer.Accepted())
                    .toList();
        }

        @Override
        public void shutter(String deviceId, String port, boolean closed) {}

        @Override
        public void probe(String deviceId) {}

        @Override
        public List<FactoryLoss> factoryLoss(String deviceId) {
            return List.of();
        }

        @Override
        public void close() {}
    }

    @BeforeEach
    void start() throws Exception {
        ledger = Ledger.open(directory, Clock.systemUTC(), 1 << 30);
        audit = AuditLog.open(directory, Clock.systemUTC());
        fleet = new Fleet(new Surroundings(ledger, audit, Clock.systemUTC(), timers, told::add), List.of(hardware));
        fleet.start().join();
    }

    @AfterEach
    void stop() throws Exception {
        hardware.goOn.countDown();
        fleet.close();
        threads.shutdownNow();
        timers.shutdownNow();
        audit.close();
        ledger.close();
    }

    private static ApplyCircuitsRequest change(String id, String ingress, String egress) {
        return ApplyCircuitsRequest.newBuilder()
                .setDeviceId("ocs-1")
                .setFencing(Fencing.newBuilder().setRole(ROLE).setEpoch(1).setHolder("test"))
                .setOperationId(id)
                .setScope(Scope.newBuilder().setAllPorts(true))
                .addConnects(CircuitKey.newBuilder().setIngress(ingress).setEgress(egress))
                .build();
    }

    private ApplyCircuitsResponse apply(ApplyCircuitsRequest request) {
        return fleet.device("ocs-1").apply(request, Writer.of("test"));
    }

    @Test
    void isChangedByOneOperationAtATime() throws Exception {
        CompletableFuture<ApplyCircuitsResponse> first =
                CompletableFuture.supplyAsync(() -> apply(change("first", "1", "2")), threads);
        assertThat(hardware.moving.await(60, TimeUnit.SECONDS)).isTrue();

        hardware.flicker();

        CompletableFuture<Throwable> second =
                CompletableFuture.supplyAsync(() -> catchThrowable(() -> apply(change("second", "3", "4"))), threads);
        assertThat(second.get(20, TimeUnit.SECONDS))
                .isInstanceOfSatisfying(
                        ContractException.class,
                        refused ->
                                assertThat(refused.reason()).isEqualTo(ErrorReason.ERROR_REASON_OPERATION_IN_FLIGHT));
        assertThat(hardware.asked).hasSize(1);
        hardware.goOn.countDown();
        assertThat(first.get(60, TimeUnit.SECONDS).getOperation().getOutcome()).isEqualTo(Outcome.OUTCOME_APPLIED);
    }

    @Test
    void isAsNewToThoseWhoWatchAndKeepsItsOperations() throws Exception {
        hardware.goOn.countDown();
        assertThat(apply(change("first", "1", "2")).getOperation().getOutcome()).isEqualTo(Outcome.OUTCOME_APPLIED);
        long before = fleet.device("ocs-1").view().version();
        told.clear();

        hardware.flicker();

        assertThat(told.getFirst().after().availability()).isEqualTo(Availability.AVAILABILITY_REMOVED);
        assertThat(told.get(1).before()).isNull();
        assertThat(told.get(1).after().availability()).isEqualTo(Availability.AVAILABILITY_SILENT);
        assertThat(told.get(1).after().version()).isGreaterThan(before);
        assertThat(told.getLast().after().circuits()).hasSize(1);
        assertThat(apply(change("first", "1", "2")).getReplayed()).isTrue();
    }

    @Test
    void isPutBackAsItWasOnceItIsThereAgain() throws Exception {
        hardware.goOn.countDown();
        ApplyCircuitsRequest unconfirmed = change("first", "1", "2").toBuilder()
                .setRollbackAfter(com.google.protobuf.Duration.newBuilder().setSeconds(1))
                .build();
        assertThat(apply(unconfirmed).getOperation().getOutcome()).isEqualTo(Outcome.OUTCOME_APPLIED);

        hardware.gone = true;
        hardware.listener.get().removed("ocs-1");
        assertThat(hardware.missed.await(60, TimeUnit.SECONDS)).isTrue();
        hardware.gone = false;
        hardware.describe();

        Awaitility.await().atMost(60, TimeUnit.SECONDS).until(hardware.circuits::isEmpty);
    }

    @Test
    void isPutBackThoughTheFirstAttemptEndsByABug() {
        hardware.goOn.countDown();
        ApplyCircuitsRequest unconfirmed = change("first", "1", "2").toBuilder()
                .setRollbackAfter(com.google.protobuf.Duration.newBuilder().setSeconds(1))
                .build();
        assertThat(apply(unconfirmed).getOperation().getOutcome()).isEqualTo(Outcome.OUTCOME_APPLIED);
        hardware.bugs.set(1);

        Awaitility.await()
                .dontCatchUncaughtExceptions()
                .atMost(60, TimeUnit.SECONDS)
                .until(hardware.circuits::isEmpty);
    }

    @Test
    void isWatchedOnceHoweverOftenItComesBack() {
        hardware.goOn.countDown();
        ApplyCircuitsRequest unconfirmed = change("first", "1", "2").toBuilder()
                .setRollbackAfter(com.google.protobuf.Duration.newBuilder().setSeconds(3600))
                .build();
        assertThat(apply(unconfirmed).getOperation().getOutcome()).isEqualTo(Outcome.OUTCOME_APPLIED);
        int watching = timers.getQueue().size();
        for (int time = 0; time < 5; time++) {
            hardware.flicker();
        }
        assertThat(timers.getQueue()).hasSize(watching);
    }
}
