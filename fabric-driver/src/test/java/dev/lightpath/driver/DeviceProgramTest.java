package dev.lightpath.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lightpath.driver.config.AdapterConfig;
import dev.lightpath.driver.config.DriverConfig;
import dev.lightpath.proto.device.v1alpha1.Circuit;
import dev.lightpath.proto.device.v1alpha1.Description;
import dev.lightpath.proto.device.v1alpha1.DeviceServiceGrpc;
import dev.lightpath.proto.device.v1alpha1.Heartbeat;
import dev.lightpath.proto.device.v1alpha1.MoveAnswer;
import dev.lightpath.proto.device.v1alpha1.MoveRequest;
import dev.lightpath.proto.device.v1alpha1.MoveResponse;
import dev.lightpath.proto.device.v1alpha1.Ports;
import dev.lightpath.proto.device.v1alpha1.ReadRequest;
import dev.lightpath.proto.device.v1alpha1.ReadResponse;
import dev.lightpath.proto.device.v1alpha1.Reading;
import dev.lightpath.proto.device.v1alpha1.Synced;
import dev.lightpath.proto.device.v1alpha1.WatchRequest;
import dev.lightpath.proto.device.v1alpha1.WatchResponse;
import dev.lightpath.proto.driver.v1alpha1.AlarmKind;
import dev.lightpath.proto.driver.v1alpha1.ApplyCircuitsRequest;
import dev.lightpath.proto.driver.v1alpha1.Availability;
import dev.lightpath.proto.driver.v1alpha1.BatchAtomicity;
import dev.lightpath.proto.driver.v1alpha1.BreakBehaviour;
import dev.lightpath.proto.driver.v1alpha1.Capabilities;
import dev.lightpath.proto.driver.v1alpha1.CircuitKey;
import dev.lightpath.proto.driver.v1alpha1.CircuitServiceGrpc;
import dev.lightpath.proto.driver.v1alpha1.CircuitState;
import dev.lightpath.proto.driver.v1alpha1.Device;
import dev.lightpath.proto.driver.v1alpha1.DeviceKind;
import dev.lightpath.proto.driver.v1alpha1.DeviceSnapshot;
import dev.lightpath.proto.driver.v1alpha1.Duplexity;
import dev.lightpath.proto.driver.v1alpha1.Fencing;
import dev.lightpath.proto.driver.v1alpha1.InventoryServiceGrpc;
import dev.lightpath.proto.driver.v1alpha1.ItemReason;
import dev.lightpath.proto.driver.v1alpha1.ListDevicesRequest;
import dev.lightpath.proto.driver.v1alpha1.MoveConcurrency;
import dev.lightpath.proto.driver.v1alpha1.Outcome;
import dev.lightpath.proto.driver.v1alpha1.Port;
import dev.lightpath.proto.driver.v1alpha1.PortSide;
import dev.lightpath.proto.driver.v1alpha1.PortStatus;
import dev.lightpath.proto.driver.v1alpha1.ReadBack;
import dev.lightpath.proto.driver.v1alpha1.Scope;
import dev.lightpath.proto.driver.v1alpha1.Sidedness;
import dev.lightpath.proto.driver.v1alpha1.TelemetryServiceGrpc;
import io.grpc.InsecureServerCredentials;
import io.grpc.ManagedChannel;
import io.grpc.Server;
import io.grpc.ServerCredentials;
import io.grpc.TlsServerCredentials;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.StreamObserver;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The driver before programs that say what no program should. */
@Order(2)
final class DeviceProgramTest {
    @TempDir
    private Path directory;

    private final List<AutoCloseable> open = new CopyOnWriteArrayList<>();

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable each : open.reversed()) {
            each.close();
        }
    }

    /** A program that says the same on every stream, then nothing, and answers every move alike. */
    private static final class Program extends DeviceServiceGrpc.DeviceServiceImplBase {
        private volatile List<WatchResponse> says;
        private volatile List<Circuit> circuits = List.of();
        private final AtomicInteger moves = new AtomicInteger();
        private final AtomicInteger reads = new AtomicInteger();
        private volatile int answers = 1;
        private volatile StreamObserver<WatchResponse> stream;

        Program(List<WatchResponse> says) {
            this.says = says;
        }

        @Override
        public void watch(WatchRequest request, StreamObserver<WatchResponse> observer) {
            stream = observer;
            says.forEach(observer::onNext);
        }

        @Override
        public void read(ReadRequest request, StreamObserver<ReadResponse> observer) {
            reads.incrementAndGet();
            observer.onNext(ReadResponse.newBuilder().addAllCircuits(circuits).build());
            observer.onCompleted();
        }

        @Override
        public void move(MoveRequest request, StreamObserver<MoveResponse> observer) {
            moves.incrementAndGet();
            MoveResponse.Builder response = MoveResponse.newBuilder();
            for (int i = 0; i < answers; i++) {
                response.addAnswers(MoveAnswer.newBuilder()
                        .setRefused(ItemReason.ITEM_REASON_PORT_UNUSABLE)
                        .setNativeText("mirror\n7 is\tbroken"));
            }
            observer.onNext(response.build());
            observer.onCompleted();
        }
    }

    private static Description.Builder good() {
        Description.Builder said = Description.newBuilder()
                .setKind(DeviceKind.DEVICE_KIND_SWITCH)
                .setSerial("1")
                .setCapabilities(Capabilities.newBuilder()
                        .setSidedness(Sidedness.SIDEDNESS_ONE_SIDED)
                        .setDuplexity(Duplexity.DUPLEXITY_SIMPLEX)
                        .setMaxBatch(4)
                        .setMoveConcurrency(MoveConcurrency.MOVE_CONCURRENCY_PARALLEL)
                        .setBatchAtomicity(BatchAtomicity.BATCH_ATOMICITY_NONE)
                        .setBreakBehaviour(BreakBehaviour.BREAK_BEHAVIOUR_REFUSES)
                        .setReadBack(ReadBack.READ_BACK_HARDWARE_STATE));
        for (int i = 1; i <= 4; i++) {
            said.addPorts(Port.newBuilder().setName("" + i).setSide(PortSide.PORT_SIDE_BOTH));
        }
        return said;
    }

    private static Capabilities.Builder capabilities() {
        return good().getCapabilities().toBuilder();
    }

    private static WatchResponse description(String id, Description.Builder said) {
        return WatchResponse.newBuilder().setDeviceId(id).setDescription(said).build();
    }

    private static WatchResponse reading(String id, Reading.Builder said) {
        return WatchResponse.newBuilder().setDeviceId(id).setReading(said).build();
    }

    private static WatchResponse synced() {
        return WatchResponse.newBuilder().setSynced(Synced.getDefaultInstance()).build();
    }

    private int serve(Program program, ServerCredentials credentials) throws Exception {
        Server server = NettyServerBuilder.forAddress(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), credentials)
                .addService(program)
                .build()
                .start();
        open.add(server::shutdownNow);
        return server.getPort();
    }

    private ManagedChannel driver(AdapterConfig... adapters) throws Exception {
        DriverServer driver =
                DriverServer.start(DriverConfig.onLoopback(directory.resolve("state"), List.of(adapters)));
        open.add(driver);
        ManagedChannel channel = EmulatedPlant.channel(driver.port());
        open.add(channel::shutdownNow);
        return channel;
    }

    private ManagedChannel driverOf(Program program) throws Exception {
        int port = serve(program, InsecureServerCredentials.create());
        return driver(new AdapterConfig.DeviceApi("127.0.0.1:" + port, Optional.empty()));
    }

    private static List<Device> devices(ManagedChannel driver) {
        return InventoryServiceGrpc.newBlockingStub(driver)
                .withDeadlineAfter(30, TimeUnit.SECONDS)
                .listDevices(ListDevicesRequest.getDefaultInstance())
                .getDevicesList();
    }

    private static DeviceSnapshot snapshot(ManagedChannel driver) {
        return TelemetryServiceGrpc.newBlockingStub(driver)
                .withDeadlineAfter(30, TimeUnit.SECONDS)
                .watch(dev.lightpath.proto.driver.v1alpha1.WatchRequest.getDefaultInstance())
                .next()
                .getSnapshot();
    }

    private static Availability availability(ManagedChannel driver, String id) {
        return devices(driver).stream()
                .filter(device -> device.getDeviceId().equals(id))
                .findFirst()
                .orElseThrow()
                .getAvailability();
    }

    private static void awaitAvailability(ManagedChannel driver, String id, Availability wanted) {
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .until(() -> devices(driver).stream()
                        .anyMatch(d -> d.getDeviceId().equals(id) && d.getAvailability() == wanted));
    }

    @Test
    void devicesWithDescriptionsThatCannotBeUsedAreLeftOutAndTheOthersAreServed() throws Exception {
        Program program = new Program(List.of(
                description("no-kind", good().clearKind()),
                reading("no-kind", Reading.newBuilder()),
                description("no-ports", good().clearPorts()),
                description(
                        "twice", good().addPorts(Port.newBuilder().setName("1").setSide(PortSide.PORT_SIDE_BOTH))),
                description("no-batch", good().setCapabilities(Capabilities.getDefaultInstance())),
                description("side-77", good().setCapabilities(capabilities().setSidednessValue(77))),
                description("duplex-77", good().setCapabilities(capabilities().setDuplexityValue(77))),
                description("moves-77", good().setCapabilities(capabilities().setMoveConcurrencyValue(77))),
                description("batch-77", good().setCapabilities(capabilities().setBatchAtomicityValue(77))),
                description("breaks-77", good().setCapabilities(capabilities().setBreakBehaviourValue(77))),
                description("reads-77", good().setCapabilities(capabilities().setReadBackValue(77))),
                reading("never-described", Reading.newBuilder()),
                description("good", good()),
                reading("good", Reading.newBuilder()),
                synced()));
        ManagedChannel driver = driverOf(program);
        awaitAvailability(driver, "good", Availability.AVAILABILITY_PRESENT);
        assertThat(devices(driver)).extracting(Device::getDeviceId).containsExactly("good");
        assertThat(devices(driver).getFirst().getAdapter()).isEqualTo("device-api");
    }

    @Test
    void aDeviceThatIsLargerThanItsDescriptionIsSilentAndOneLineSaysWhy() throws Exception {
        Reading.Builder larger = Reading.newBuilder()
                .addCircuits(Circuit.newBuilder()
                        .setKey(CircuitKey.newBuilder().setIngress("1").setEgress("9\n9")));
        ManagedChannel driver =
                driverOf(new Program(List.of(description("d", good()), reading("d", larger), synced())));
        awaitAvailability(driver, "d", Availability.AVAILABILITY_SILENT);
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .until(() -> snapshot(driver).getAlarmsList().stream()
                        .anyMatch(a -> a.getKind() == AlarmKind.ALARM_KIND_DEVICE_SILENT
                                && a.getNativeText()
                                        .equals("what its program says cannot be used: a circuit names port '9 9',"
                                                + " which the description does not have")));
    }

    /** The program does not know that it was not understood, and says nothing more of the device. */
    @Test
    void oneWrongEventDoesNotSilenceADeviceForGood() throws Exception {
        Program program = new Program(List.of(description("d", good()), reading("d", Reading.newBuilder()), synced()));
        ManagedChannel driver = driverOf(program);
        awaitAvailability(driver, "d", Availability.AVAILABILITY_PRESENT);
        program.stream.onNext(WatchResponse.newBuilder()
                .setDeviceId("d")
                .setPorts(Ports.newBuilder().addPorts(PortStatus.newBuilder().setPort("99")))
                .build());
        awaitAvailability(driver, "d", Availability.AVAILABILITY_SILENT);
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                // the stream that is just ending takes no more
                .ignoreExceptions()
                .until(() -> {
                    program.stream.onNext(WatchResponse.newBuilder()
                            .setHeartbeat(Heartbeat.getDefaultInstance())
                            .build());
                    return devices(driver).getFirst().getAvailability() == Availability.AVAILABILITY_PRESENT;
                });
    }

    @Test
    void aDeviceThatIsSyncedWithoutAReadingIsSilentAndOneLineSaysWhy() throws Exception {
        ManagedChannel driver = driverOf(new Program(List.of(description("d", good()), synced())));
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .ignoreExceptions()
                .until(() -> snapshot(driver).getAlarmsList().stream()
                        .anyMatch(a -> a.getNativeText()
                                .equals(
                                        "what its program says cannot be used: the program sent synced without a reading"
                                                + " or a silence of this device")));
    }

    @Test
    void aProgramThatIsNotThereYetIsNamedOnceAndSoIsItsReturn() throws Exception {
        int port = QuietPort.find();
        try (HeardLog log = new HeardLog("dev.lightpath.driver.deviceapi.DeviceStream")) {
            ManagedChannel driver = driver(new AdapterConfig.DeviceApi("127.0.0.1:" + port, Optional.empty()));
            Awaitility.await()
                    .atMost(Duration.ofSeconds(60))
                    .until(() ->
                            !log.lines("no connection to 127.0.0.1:" + port).isEmpty());
            Program program =
                    new Program(List.of(description("d", good()), reading("d", Reading.newBuilder()), synced()));
            Server server = NettyServerBuilder.forAddress(
                            new InetSocketAddress(InetAddress.getLoopbackAddress(), port),
                            InsecureServerCredentials.create())
                    .addService(program)
                    .build()
                    .start();
            open.add(server::shutdownNow);
            awaitAvailability(driver, "d", Availability.AVAILABILITY_PRESENT);
            assertThat(log.lines("no connection to 127.0.0.1:" + port)).hasSize(1);
            assertThat(log.lines("the program answers")).isNotEmpty();
        }
    }

    @Test
    void streamsThatEndAgainAndAgainAreTold() throws Exception {
        Program program = new Program(List.of(description("d", good()), reading("d", Reading.newBuilder()), synced()));
        try (HeardLog log = new HeardLog("dev.lightpath.driver.deviceapi.DeviceStream")) {
            ManagedChannel driver = driverOf(program);
            awaitAvailability(driver, "d", Availability.AVAILABILITY_PRESENT);
            Awaitility.await().atMost(Duration.ofSeconds(60)).ignoreExceptions().until(() -> {
                program.stream.onCompleted();
                return !log.lines("times within a minute").isEmpty();
            });
        }
    }

    @Test
    void aReadThatNamesAPortTheDeviceDoesNotHaveIsNoReading() throws Exception {
        Program program = new Program(List.of(description("d", good()), reading("d", Reading.newBuilder()), synced()));
        ManagedChannel driver = driverOf(program);
        awaitAvailability(driver, "d", Availability.AVAILABILITY_PRESENT);
        program.circuits = List.of(Circuit.newBuilder()
                .setKey(CircuitKey.newBuilder().setIngress("99").setEgress("2"))
                .build());
        assertThatThrownBy(() -> CircuitServiceGrpc.newBlockingStub(driver)
                        .withDeadlineAfter(30, TimeUnit.SECONDS)
                        .applyCircuits(Requests.apply("d", "r", 1, "a")
                                .addConnects(Requests.key("1->2"))
                                .build()))
                .hasMessageContaining("a circuit names port '99', which the description does not have");
    }

    /** Else it would be read at each event, for as long as a read says something else than the stream. */
    @Test
    void aLossThatOnlyTheStreamTellsIsTakenFromItAndNotReadAgain() throws Exception {
        Circuit plain = Circuit.newBuilder()
                .setKey(CircuitKey.newBuilder().setIngress("1").setEgress("2"))
                .setState(CircuitState.CIRCUIT_STATE_CONNECTED)
                .build();
        Program program = new Program(List.of(
                description("d", good()), reading("d", Reading.newBuilder().addCircuits(plain)), synced()));
        program.circuits = List.of(plain);
        ManagedChannel driver = driverOf(program);
        awaitAvailability(driver, "d", Availability.AVAILABILITY_PRESENT);
        int reads = program.reads.get();
        for (double lossDb : new double[] {1.5, 2.5, 1.5}) {
            program.stream.onNext(WatchResponse.newBuilder()
                    .setDeviceId("d")
                    .setCircuits(dev.lightpath.proto.device.v1alpha1.Circuits.newBuilder()
                            .addCircuits(plain.toBuilder().setMeasuredLossDb(lossDb)))
                    .build());
            Awaitility.await()
                    .atMost(Duration.ofSeconds(60))
                    .until(() -> snapshot(driver).getCircuits(0).getMeasuredLossDb() == lossDb);
        }
        assertThat(program.reads).hasValue(reads);
    }

    @Test
    void anIdentifierThatIsMissingOnceIsNoLossOfPower() throws Exception {
        Program program = new Program(List.of(
                description("a", good()), reading("a", Reading.newBuilder().setPowerOnId("1")), synced()));
        ManagedChannel driver = driverOf(program);
        awaitAvailability(driver, "a", Availability.AVAILABILITY_PRESENT);
        Reading.Builder without = Reading.newBuilder()
                .addCircuits(Circuit.newBuilder()
                        .setKey(CircuitKey.newBuilder().setIngress("1").setEgress("2"))
                        .setState(CircuitState.CIRCUIT_STATE_CONNECTED));
        program.circuits = without.getCircuitsList();
        says(program, driver, without, 1);
        program.circuits = List.of();
        says(program, driver, Reading.newBuilder().setPowerOnId("1"), 0);
        assertThat(snapshot(driver).getPowerCycles()).isZero();
    }

    private static void says(Program program, ManagedChannel driver, Reading.Builder reading, int circuits) {
        program.says = List.of(description("a", good()), reading("a", reading), synced());
        program.stream.onCompleted();
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .until(() -> snapshot(driver).getCircuitsCount() == circuits);
    }

    @Test
    void aDeviceThatALaterStreamLeavesOutIsRemoved() throws Exception {
        Program program = new Program(List.of(
                description("a", good()),
                reading("a", Reading.newBuilder()),
                description("b", good()),
                reading("b", Reading.newBuilder()),
                synced()));
        ManagedChannel driver = driverOf(program);
        awaitAvailability(driver, "b", Availability.AVAILABILITY_PRESENT);
        program.says = List.of(description("a", good()), reading("a", Reading.newBuilder()), synced());
        program.stream.onCompleted();
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .until(() -> devices(driver).stream().map(Device::getDeviceId).toList(), List.of("a")::equals);
    }

    /** It may be removed, or be there still: the program says neither. */
    @Test
    void aDeviceThatAStreamWithoutSyncedLeavesOutIsSilent() throws Exception {
        Program program = new Program(List.of(
                description("a", good()),
                reading("a", Reading.newBuilder()),
                description("b", good()),
                reading("b", Reading.newBuilder()),
                synced()));
        try (HeardLog log = new HeardLog("dev.lightpath.driver.deviceapi.DeviceStream")) {
            ManagedChannel driver = driverOf(program);
            awaitAvailability(driver, "b", Availability.AVAILABILITY_PRESENT);
            program.says = List.of(description("a", good()), reading("a", Reading.newBuilder()));
            program.stream.onCompleted();
            Awaitility.await()
                    .atMost(Duration.ofSeconds(60))
                    // the stream that is just ending takes no more
                    .ignoreExceptions()
                    .until(() -> {
                        program.stream.onNext(WatchResponse.newBuilder()
                                .setHeartbeat(Heartbeat.getDefaultInstance())
                                .build());
                        return availability(driver, "b") == Availability.AVAILABILITY_SILENT;
                    });
            assertThat(availability(driver, "a")).isEqualTo(Availability.AVAILABILITY_PRESENT);
            assertThat(log.lines("the program has not sent synced")).isNotEmpty();
            program.stream.onNext(description("b", good()));
            program.stream.onNext(reading("b", Reading.newBuilder()));
            program.stream.onNext(synced());
            awaitAvailability(driver, "b", Availability.AVAILABILITY_PRESENT);
        }
    }

    @Test
    void powerThatWasLostBetweenTwoStreamsIsReported() throws Exception {
        Program program = new Program(List.of(
                description("a", good()), reading("a", Reading.newBuilder().setPowerOnId("1")), synced()));
        ManagedChannel driver = driverOf(program);
        awaitAvailability(driver, "a", Availability.AVAILABILITY_PRESENT);
        assertThat(snapshot(driver).getPowerCycles()).isZero();
        program.says = List.of(
                description("a", good()), reading("a", Reading.newBuilder().setPowerOnId("2")), synced());
        program.stream.onCompleted();
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .until(() -> snapshot(driver).getPowerCycles() == 1);
    }

    @Test
    void aRefusalIsQuotedAsOneLineAndTooFewAnswersLeaveTheOutcomeToReadBack() throws Exception {
        Program program = new Program(List.of(description("a", good()), reading("a", Reading.newBuilder()), synced()));
        ManagedChannel driver = driverOf(program);
        awaitAvailability(driver, "a", Availability.AVAILABILITY_PRESENT);
        var refused = apply(driver, "one");
        assertThat(refused.getOutcome()).isEqualTo(Outcome.OUTCOME_REJECTED);
        assertThat(refused.getItems(0).getNativeText()).isEqualTo("mirror 7 is broken");
        program.answers = 0;
        assertThat(apply(driver, "two").getOutcome()).isNotEqualTo(Outcome.OUTCOME_APPLIED);
        assertThat(program.moves).hasValue(2);
    }

    private static dev.lightpath.proto.driver.v1alpha1.Operation apply(ManagedChannel driver, String operation) {
        return CircuitServiceGrpc.newBlockingStub(driver)
                .withDeadlineAfter(30, TimeUnit.SECONDS)
                .applyCircuits(ApplyCircuitsRequest.newBuilder()
                        .setDeviceId("a")
                        .setFencing(
                                Fencing.newBuilder().setRole("r").setEpoch(1).setHolder("h"))
                        .setOperationId(operation)
                        .setScope(Scope.newBuilder().setAllPorts(true))
                        .addConnects(CircuitKey.newBuilder().setIngress("1").setEgress("2"))
                        .build())
                .getOperation();
    }

    @Test
    void bothSidesShowCertificates() throws Exception {
        Certificates trusted = new Certificates(java.nio.file.Files.createDirectory(directory.resolve("trusted")));
        trusted.issue("program", "dns:ocs-3");
        trusted.issue("driver", "dns:driver");
        Certificates strange = new Certificates(java.nio.file.Files.createDirectory(directory.resolve("strange")));
        strange.issue("driver", "dns:driver");
        Program program = new Program(List.of(description("a", good()), reading("a", Reading.newBuilder()), synced()));
        int port = serve(
                program,
                TlsServerCredentials.newBuilder()
                        .keyManager(
                                trusted.path("program.crt").toFile(),
                                trusted.path("program.key").toFile())
                        .trustManager(trusted.path("ca.crt").toFile())
                        .clientAuth(TlsServerCredentials.ClientAuth.REQUIRE)
                        .build());
        ManagedChannel refused = driver(by(strange, trusted, port, "ocs-3"), by(trusted, trusted, port, "ocs-4"));
        assertThat(devices(refused))
                .as("a strange driver, or another program's name")
                .isEmpty();
        close();
        open.clear();
        port = serve(
                program,
                TlsServerCredentials.newBuilder()
                        .keyManager(
                                trusted.path("program.crt").toFile(),
                                trusted.path("program.key").toFile())
                        .trustManager(trusted.path("ca.crt").toFile())
                        .clientAuth(TlsServerCredentials.ClientAuth.REQUIRE)
                        .build());
        awaitAvailability(driver(by(trusted, trusted, port, "ocs-3")), "a", Availability.AVAILABILITY_PRESENT);
    }

    @Test
    void anExpiredCertificateOfAProgramIsOneLine() throws Exception {
        Certificates trusted = new Certificates(java.nio.file.Files.createDirectory(directory.resolve("trusted")));
        trusted.issueExpired("program", "dns:ocs-3");
        trusted.issue("driver", "dns:driver");
        Program program = new Program(List.of(description("a", good()), reading("a", Reading.newBuilder()), synced()));
        int port = serve(
                program,
                TlsServerCredentials.create(
                        trusted.path("program.crt").toFile(),
                        trusted.path("program.key").toFile()));
        try (HeardLog log = new HeardLog("dev.lightpath.driver.deviceapi")) {
            ManagedChannel driver = driver(by(trusted, trusted, port, "ocs-3"));
            String line = "no connection to 127.0.0.1:" + port + ": the device's certificate has expired: NotAfter: ";
            Awaitility.await()
                    .atMost(Duration.ofSeconds(60))
                    .until(() -> !log.lines(line).isEmpty());
            assertThat(devices(driver)).isEmpty();
            assertThat(log.lines(line)).hasSize(1);
        }
    }

    private static AdapterConfig by(Certificates mine, Certificates theirs, int port, String name) {
        return new AdapterConfig.DeviceApi(
                "127.0.0.1:" + port,
                Optional.of(new AdapterConfig.ClientTls(
                        mine.path("driver.crt"), mine.path("driver.key"), theirs.path("ca.crt"), Optional.of(name))));
    }
}
