package dev.lightpath.driver;

import dev.lightpath.driver.config.DriverConfig;
import dev.lightpath.proto.driver.v1alpha1.CircuitServiceGrpc;
import dev.lightpath.proto.driver.v1alpha1.IdentityServiceGrpc;
import dev.lightpath.proto.driver.v1alpha1.InventoryServiceGrpc;
import dev.lightpath.proto.driver.v1alpha1.ListDevicesRequest;
import dev.lightpath.proto.driver.v1alpha1.TelemetryServiceGrpc;
import dev.lightpath.proto.emulator.v1alpha1.AdvanceClockRequest;
import dev.lightpath.proto.emulator.v1alpha1.ChaosServiceGrpc;
import dev.lightpath.proto.emulator.v1alpha1.ClearFaultsRequest;
import dev.lightpath.proto.emulator.v1alpha1.DeviceServiceGrpc;
import dev.lightpath.proto.emulator.v1alpha1.FaultKind;
import dev.lightpath.proto.emulator.v1alpha1.GetGroundTruthRequest;
import dev.lightpath.proto.emulator.v1alpha1.InjectFaultRequest;
import dev.lightpath.sim.Emulator;
import dev.lightpath.sim.scenario.Scenario;
import io.grpc.ManagedChannel;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.awaitility.Awaitility;

/** An emulator and a driver in this JVM, and the ways to both. */
public final class EmulatedPlant implements AutoCloseable {
    private static final String SCENARIO = """
            listen: 127.0.0.1:0
            seed: 7
            ring: {nodes: 8, reach: 3, shape: ring, gpusPerNode: 4}
            presets:
              sluggish: {extends: mems, moveMillis: [400, 500]}
              small-batch: {extends: mems, maxBatch: 16, attenuators: true}
            devices:
              - {id: ocs-1, kind: switch, ports: 32, preset: small-batch}
              - {id: ocs-2, kind: switch, ports: 32, twoSided: true, preset: mems}
              - {id: slow-1, kind: switch, ports: 16, preset: sluggish}
            """;

    private static final int DEVICES = 11;

    static {
        // classes run beside each other: what ends a thread of one is no failure of another that waits
        Awaitility.doNotCatchUncaughtExceptionsByDefault();
    }

    private final int devices;
    private final Path stateDirectory;
    private final String scenario;
    private Emulator emulator;
    private final ManagedChannel emulated;
    private DriverServer driver;
    private ManagedChannel channel;
    private final int watchBuffer;

    public EmulatedPlant(Path stateDirectory) throws Exception {
        this(stateDirectory, DriverConfig.DEFAULT_WATCH_BUFFER);
    }

    public EmulatedPlant(Path stateDirectory, int watchBuffer) throws Exception {
        this(stateDirectory, watchBuffer, SCENARIO, DEVICES);
    }

    /** A plant of other devices. */
    static EmulatedPlant of(Path stateDirectory, String scenario, int devices) throws Exception {
        return new EmulatedPlant(stateDirectory, DriverConfig.DEFAULT_WATCH_BUFFER, scenario, devices);
    }

    /**
     * The usual plant, whose devices have a time of their own that stands still: what they were told to do is under way
     * until {@link #pass}.
     */
    static EmulatedPlant held(Path stateDirectory) throws Exception {
        return held(stateDirectory, SCENARIO, DEVICES);
    }

    /** Other devices whose time stands still. */
    static EmulatedPlant held(Path stateDirectory, String scenario, int devices) throws Exception {
        return of(stateDirectory, "clock: virtual\n" + scenario, devices);
    }

    private EmulatedPlant(Path stateDirectory, int watchBuffer, String scenario, int devices) throws Exception {
        this.stateDirectory = stateDirectory;
        this.watchBuffer = watchBuffer;
        this.devices = devices;
        this.scenario = scenario;
        this.emulator = Emulator.start(Scenario.parse("plant.yaml", scenario));
        this.emulated = channel(emulator.port());
        this.driver = DriverServer.start(config());
        this.channel = channel(driver.port());
        awaitDevices(channel);
    }

    /** Waits until a driver of this plant, which may be another process, has each of its devices. */
    void awaitDevices(ManagedChannel driver) {
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .until(() -> InventoryServiceGrpc.newBlockingStub(driver)
                                .listDevices(ListDevicesRequest.getDefaultInstance())
                                .getDevicesCount()
                        == devices);
    }

    private DriverConfig config() {
        DriverConfig usual = DriverConfig.onLoopback(stateDirectory, "127.0.0.1:" + emulator.port());
        return new DriverConfig(
                usual.listen(),
                usual.http(),
                usual.stateDirectory(),
                usual.adapters(),
                usual.tls(),
                watchBuffer,
                usual.maxOperations());
    }

    /** Starts the driver again, configured differently. */
    public int restartDriver(UnaryOperator<DriverConfig> change) throws IOException {
        stopDriver();
        driver = DriverServer.start(change.apply(config()));
        channel = channel(driver.port());
        return driver.port();
    }

    static ManagedChannel channel(int port) {
        return NettyChannelBuilder.forAddress("127.0.0.1", port).usePlaintext().build();
    }

    /** Stops the driver and starts it again on the same state. */
    public void restartDriver() throws IOException {
        stopDriver();
        driver = DriverServer.start(config());
        channel = channel(driver.port());
    }

    public void stopDriver() {
        channel.shutdownNow();
        driver.close();
    }

    /** Ends the emulator and starts it again at the same port: all of its devices were without power. */
    void restartEmulator() {
        String again = scenario.replaceFirst("127.0.0.1:0", "127.0.0.1:" + emulator.port());
        emulator.close();
        emulator = Emulator.start(Scenario.parse("plant.yaml", again));
    }

    public int emulatorPort() {
        return emulator.port();
    }

    public int driverPort() {
        return driver.port();
    }

    public int httpPort() {
        return driver.httpPort();
    }

    public CircuitServiceGrpc.CircuitServiceBlockingStub circuits() {
        return CircuitServiceGrpc.newBlockingStub(channel).withDeadlineAfter(30, TimeUnit.SECONDS);
    }

    public InventoryServiceGrpc.InventoryServiceBlockingStub inventory() {
        return InventoryServiceGrpc.newBlockingStub(channel).withDeadlineAfter(30, TimeUnit.SECONDS);
    }

    public IdentityServiceGrpc.IdentityServiceBlockingStub identity() {
        return IdentityServiceGrpc.newBlockingStub(channel).withDeadlineAfter(30, TimeUnit.SECONDS);
    }

    public TelemetryServiceGrpc.TelemetryServiceStub telemetry() {
        return TelemetryServiceGrpc.newStub(channel);
    }

    public DeviceServiceGrpc.DeviceServiceBlockingStub hardware() {
        return DeviceServiceGrpc.newBlockingStub(emulated).withDeadlineAfter(30, TimeUnit.SECONDS);
    }

    private ChaosServiceGrpc.ChaosServiceBlockingStub chaos() {
        return ChaosServiceGrpc.newBlockingStub(emulated).withDeadlineAfter(30, TimeUnit.SECONDS);
    }

    public void inject(InjectFaultRequest.Builder fault) {
        var unused = chaos().injectFault(fault.build());
    }

    public void inject(String deviceId, FaultKind kind) {
        inject(InjectFaultRequest.newBuilder().setDeviceId(deviceId).setKind(kind));
    }

    public void clearFaults() {
        var unused = chaos().clearFaults(ClearFaultsRequest.getDefaultInstance());
    }

    /** A second passes for devices whose time stands still otherwise: enough for what they have begun. */
    void pass() {
        var unused = chaos().advanceClock(
                        AdvanceClockRequest.newBuilder().setMillis(1000).build());
    }

    /** Lets time pass for such devices until an answer is there. */
    <T> T passUntil(CompletableFuture<T> answer) throws Exception {
        Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> {
            pass();
            return answer.isDone();
        });
        return answer.get();
    }

    /** What light really does, as "1->17". */
    public List<String> truth(String deviceId) {
        return chaos()
                .getGroundTruth(GetGroundTruthRequest.newBuilder()
                        .addDeviceIds(deviceId)
                        .build())
                .getDevices(0)
                .getCircuitsList()
                .stream()
                .map(c -> c.getIngress() + "->" + c.getEgress())
                .toList();
    }

    @Override
    public void close() {
        stopDriver();
        emulated.shutdownNow();
        emulator.close();
    }
}
