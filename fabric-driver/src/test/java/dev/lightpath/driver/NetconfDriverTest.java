package dev.lightpath.driver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.driver.config.AdapterConfig;
import dev.lightpath.driver.config.AdapterConfig.NetconfDevice;
import dev.lightpath.driver.config.DriverConfig;
import dev.lightpath.proto.driver.v1alpha1.ApplyCircuitsRequest;
import dev.lightpath.proto.driver.v1alpha1.Availability;
import dev.lightpath.proto.driver.v1alpha1.CircuitKey;
import dev.lightpath.proto.driver.v1alpha1.CircuitServiceGrpc;
import dev.lightpath.proto.driver.v1alpha1.Device;
import dev.lightpath.proto.driver.v1alpha1.Fencing;
import dev.lightpath.proto.driver.v1alpha1.GetOperationRequest;
import dev.lightpath.proto.driver.v1alpha1.InventoryServiceGrpc;
import dev.lightpath.proto.driver.v1alpha1.ListDevicesRequest;
import dev.lightpath.proto.driver.v1alpha1.Operation;
import dev.lightpath.proto.driver.v1alpha1.Outcome;
import dev.lightpath.proto.driver.v1alpha1.Scope;
import io.grpc.ManagedChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The NETCONF adapter where the device, or the way to it, is not as it should be. */
final class NetconfDriverTest {
    private static final String CANDIDATE = "base: \"1.1\", datastore: candidate";

    @TempDir
    private Path directory;

    private final List<AutoCloseable> open = new CopyOnWriteArrayList<>();
    private final List<String> log = new CopyOnWriteArrayList<>();
    private final Logger root = Logger.getLogger("");
    private final Handler listener = new Handler() {
        private final SimpleFormatter formatter = new SimpleFormatter();

        @Override
        public void publish(LogRecord line) {
            log.add(formatter.format(line));
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };

    @AfterEach
    void close() throws Exception {
        root.removeHandler(listener);
        for (AutoCloseable each : open.reversed()) {
            each.close();
        }
    }

    private NetconfPlant plant(String device, String netconf) throws Exception {
        root.addHandler(listener);
        NetconfPlant plant = new NetconfPlant(directory, device, netconf);
        open.add(plant);
        return plant;
    }

    private ManagedChannel driver(NetconfDevice device) throws Exception {
        DriverServer driver = DriverServer.start(new DriverConfig(
                new DriverConfig.Address("127.0.0.1", 0),
                new DriverConfig.Address("127.0.0.1", 0),
                directory.resolve("state"),
                List.of(new AdapterConfig.NetconfPolatis(List.of(device))),
                Optional.empty(),
                DriverConfig.DEFAULT_WATCH_BUFFER,
                DriverConfig.DEFAULT_MAX_OPERATIONS));
        open.add(driver);
        ManagedChannel channel = EmulatedPlant.channel(driver.port());
        open.add(channel::shutdownNow);
        return channel;
    }

    private static NetconfDevice changed(
            NetconfDevice of, int port, Path password, String hostKey, String size, String revision) {
        return new NetconfDevice(
                of.id(),
                of.host(),
                port,
                of.user(),
                Optional.of(password),
                Optional.empty(),
                hostKey,
                size,
                revision,
                of.poll());
    }

    private void leavesAloneAndSays(NetconfDevice device, String line) throws Exception {
        ManagedChannel driver = driver(device);
        Awaitility.await()
                .atMost(Duration.ofSeconds(30))
                .until(() -> log.stream().anyMatch(said -> said.contains(line)));
        assertThat(devices(driver)).isEmpty();
        assertThat(log).as("no credential in any log").noneMatch(said -> said.contains("s3cr3t"));
    }

    private static List<Device> devices(ManagedChannel driver) {
        return InventoryServiceGrpc.newBlockingStub(driver)
                .withDeadlineAfter(30, TimeUnit.SECONDS)
                .listDevices(ListDevicesRequest.getDefaultInstance())
                .getDevicesList();
    }

    private static void awaitPresent(ManagedChannel driver) {
        Awaitility.await()
                .atMost(Duration.ofSeconds(30))
                .until(() -> devices(driver).stream()
                        .anyMatch(d -> d.getAvailability() == Availability.AVAILABILITY_PRESENT));
    }

    @Test
    void aWrongHostKeyIsOneLineAndIsShownNoPassword() throws Exception {
        NetconfDevice right = plant("ports: 16", CANDIDATE).device();
        String other = "SHA256:" + "A".repeat(43);
        leavesAloneAndSays(
                changed(right, right.port(), right.passwordFile().orElseThrow(), other, "", ""),
                "the host key is " + right.hostKey() + ", but driver.yaml names " + other);
    }

    @Test
    void aWrongPasswordIsOneLine() throws Exception {
        NetconfDevice right = plant("ports: 16", CANDIDATE).device();
        Path wrong = Files.writeString(directory.resolve("wrong"), "s3cr3t-but-wrong");
        leavesAloneAndSays(
                changed(right, right.port(), wrong, right.hostKey(), "", ""),
                "No more authentication methods available");
    }

    @Test
    void aRevisionThatNobodyKnowsIsOneLineUnlessItIsNamed() throws Exception {
        NetconfDevice right =
                plant("ports: 16", CANDIDATE + ", revision: 2031-01-01").device();
        Path password = right.passwordFile().orElseThrow();
        leavesAloneAndSays(right, "revision 2031-01-01 of module optical-switch is unknown; allowed are those up to");
        awaitPresent(driver2(changed(right, right.port(), password, right.hostKey(), "", "2031-01-01")));
    }

    private ManagedChannel driver2(NetconfDevice device) throws Exception {
        open.removeLast().close();
        open.removeLast().close();
        return driver(device);
    }

    @Test
    void aDeviceOfAnotherSizeIsOneLine() throws Exception {
        NetconfDevice right = plant("ports: 16, twoSided: true", CANDIDATE).device();
        leavesAloneAndSays(
                changed(right, right.port(), right.passwordFile().orElseThrow(), right.hostKey(), "16xCC", ""),
                "the device is a E8x8, but driver.yaml names size 16xCC");
    }

    @Test
    void manyCircuitsAreOneEditAndOneCommit() throws Exception {
        NetconfPlant plant = plant("ports: 128", CANDIDATE);
        try (CutProxy proxy = new CutProxy(plant.front().port())) {
            NetconfDevice right = plant.device();
            ManagedChannel driver =
                    driver(changed(right, proxy.port(), right.passwordFile().orElseThrow(), right.hostKey(), "", ""));
            awaitPresent(driver);
            ApplyCircuitsRequest.Builder many = request("many");
            for (int i = 1; i <= 64; i++) {
                many.addConnects(circuit(i, 64 + i));
            }
            assertThat(apply(driver, many.build()).getOutcome()).isEqualTo(Outcome.OUTCOME_APPLIED);
            assertThat(plant.truth()).hasSize(64);
            assertThat(plant.front().commits()).isEqualTo(1);
        }
    }

    /** Wherever the session ends, each circuit is made once, and the driver finds out what became of the change. */
    @Test
    void aSessionThatIsCutAnywhereInAChangeMovesNoCircuitTwice() throws Exception {
        NetconfPlant plant = plant("ports: 16", CANDIDATE);
        long seed = Long.getLong("lightpath.seed", System.nanoTime());
        System.out.println("lightpath.seed=" + seed);
        Random random = new Random(seed);
        try (CutProxy proxy = new CutProxy(plant.front().port())) {
            NetconfDevice right = plant.device();
            ManagedChannel driver =
                    driver(changed(right, proxy.port(), right.passwordFile().orElseThrow(), right.hostKey(), "", ""));
            awaitPresent(driver);
            for (int round = 0; round < 16; round++) {
                int after = random.nextInt(4000);
                boolean answers = random.nextBoolean();
                String place = "round " + round + ", cut after " + after + " bytes of "
                        + (answers ? "the device" : "the driver");
                long movesBefore = plant.moves();
                ApplyCircuitsRequest request = request("cut-" + round)
                        .addConnects(circuit(1, 9))
                        .addConnects(circuit(2, 10))
                        .build();
                proxy.cutAfter(after, answers);
                Operation operation = apply(driver, request);
                proxy.heal();
                awaitPresent(driver);
                Operation settled = Awaitility.await()
                        .atMost(Duration.ofSeconds(60))
                        .until(
                                () -> CircuitServiceGrpc.newBlockingStub(driver)
                                        .withDeadlineAfter(30, TimeUnit.SECONDS)
                                        .getOperation(GetOperationRequest.newBuilder()
                                                .setDeviceId(NetconfPlant.DEVICE)
                                                .setRole("r")
                                                .setOperationId(operation.getOperationId())
                                                .build())
                                        .getOperation(),
                                o -> o.getOutcome() != Outcome.OUTCOME_UNKNOWN
                                        && o.getOutcome() != Outcome.OUTCOME_IN_PROGRESS);
                List<String> truth = plant.truth();
                assertThat(truth).as(place).isIn(List.of(), List.of("1->9", "2->10"));
                assertThat(settled.getOutcome() == Outcome.OUTCOME_APPLIED)
                        .as(place + ": " + settled.getOutcome() + " while light is " + truth)
                        .isEqualTo(!truth.isEmpty());
                assertThat(plant.moves() - movesBefore)
                        .as(place + ": moves of mirrors")
                        .isEqualTo(truth.size());
                ApplyCircuitsRequest.Builder clear = request("clear-" + round);
                truth.forEach(c -> clear.addDisconnects(circuit(
                        Integer.parseInt(c.substring(0, c.indexOf('-'))),
                        Integer.parseInt(c.substring(c.indexOf('>') + 1)))));
                assertThat(apply(driver, clear.build()).getOutcome()).as(place).isEqualTo(Outcome.OUTCOME_APPLIED);
            }
        }
    }

    private static CircuitKey circuit(int ingress, int egress) {
        return CircuitKey.newBuilder()
                .setIngress("" + ingress)
                .setEgress("" + egress)
                .build();
    }

    private static ApplyCircuitsRequest.Builder request(String operation) {
        return ApplyCircuitsRequest.newBuilder()
                .setDeviceId(NetconfPlant.DEVICE)
                .setFencing(Fencing.newBuilder().setRole("r").setEpoch(1).setHolder("h"))
                .setOperationId(operation)
                .setScope(Scope.newBuilder().setAllPorts(true));
    }

    /** Repeats what was not admitted because the device is just away. */
    private static Operation apply(ManagedChannel driver, ApplyCircuitsRequest request) {
        return Awaitility.await()
                .atMost(Duration.ofSeconds(90))
                .ignoreExceptionsMatching(e -> String.valueOf(e.getMessage()).startsWith("UNAVAILABLE"))
                .until(
                        () -> CircuitServiceGrpc.newBlockingStub(driver)
                                .withDeadlineAfter(60, TimeUnit.SECONDS)
                                .applyCircuits(request)
                                .getOperation(),
                        operation -> true);
    }
}
