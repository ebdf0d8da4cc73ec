package dev.lightpath.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lightpath.driver.config.AdapterConfig;
import dev.lightpath.driver.config.AdapterConfig.Tl1Device;
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
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
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

/** The TL1 adapter where the device, or the way to it, is not as it should be. */
final class Tl1DriverTest {
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

    private Tl1Plant plant(String device, String netconf) throws Exception {
        root.addHandler(listener);
        Tl1Plant plant = new Tl1Plant(directory, device, netconf);
        open.add(plant);
        return plant;
    }

    private ManagedChannel driver(Tl1Device device) throws Exception {
        DriverServer driver = DriverServer.start(new DriverConfig(
                new DriverConfig.Address("127.0.0.1", 0),
                new DriverConfig.Address("127.0.0.1", 0),
                directory.resolve("state"),
                List.of(new AdapterConfig.Tl1(List.of(device))),
                Optional.empty(),
                DriverConfig.DEFAULT_WATCH_BUFFER,
                DriverConfig.DEFAULT_MAX_OPERATIONS));
        open.add(driver);
        ManagedChannel channel = EmulatedPlant.channel(driver.port());
        open.add(channel::shutdownNow);
        return channel;
    }

    private static Tl1Device changed(Tl1Device of, int port, Path password, String size) {
        return new Tl1Device(of.id(), of.host(), port, of.user(), password, size, of.poll());
    }

    private void leavesAloneAndSays(Tl1Device device, String line) throws Exception {
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
    void aWrongPasswordIsOneLine() throws Exception {
        Tl1Device right = plant("ports: 16", "").device();
        Path wrong = Files.writeString(directory.resolve("wrong"), "s3cr3t-but-wrong");
        leavesAloneAndSays(
                changed(right, right.port(), wrong, ""),
                "the device takes no user 'admin' with this password: DENY PICC /*Privilege, Illegal Command Code*/");
    }

    @Test
    void aPasswordThatWouldBeACommandIsNotSent() throws Exception {
        Tl1Device right = plant("ports: 16", "").device();
        Path wrong = Files.writeString(directory.resolve("wrong"), "s3cr3t;DLT-PATCH::1:2:;");
        leavesAloneAndSays(changed(right, right.port(), wrong, ""), "cannot be sent by TL1: allowed are");
    }

    @Test
    void aDeviceOfAnotherSizeIsOneLine() throws Exception {
        Tl1Device right = plant("ports: 16, twoSided: true", "").device();
        leavesAloneAndSays(
                changed(right, right.port(), right.passwordFile(), "16xCC"),
                "the device has size 8x8, but driver.yaml names size 16xCC");
    }

    @Test
    void aServerThatIsNoSwitchIsOneLine() throws Exception {
        Tl1Device right = plant("ports: 16", "").device();
        try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Thread.startVirtualThread(() -> {
                while (!other.isClosed()) {
                    try (Socket client = other.accept()) {
                        client.getOutputStream().write(new byte[100_000]);
                    } catch (IOException closing) {
                        // tried again, or over
                    }
                }
            });
            leavesAloneAndSays(
                    changed(right, other.getLocalPort(), right.passwordFile(), ""), "the device speaks no TL1");
        }
    }

    /** What somebody else connected stays, though this switch would let a new circuit take its place. */
    @Test
    void aCircuitOfOthersIsNotReplaced() throws Exception {
        Tl1Plant plant = plant("ports: 16", "replaces");
        ManagedChannel driver = driver(plant.device());
        awaitPresent(driver);
        try (Socket other = new Socket("127.0.0.1", plant.port())) {
            other.getOutputStream()
                    .write("ACT-USER::admin:1::s3cr3t-of-the-switch;ENT-PATCH::1,9:2:;"
                            .getBytes(StandardCharsets.US_ASCII));
            Awaitility.await()
                    .atMost(Duration.ofSeconds(30))
                    .until(() -> plant.truth().equals(List.of("1->9")));
        }
        assertThatThrownBy(() -> CircuitServiceGrpc.newBlockingStub(driver)
                        .withDeadlineAfter(30, TimeUnit.SECONDS)
                        .applyCircuits(
                                request("taken").addConnects(circuit(1, 10)).build()))
                .hasMessageContaining("port '1' is used by 1->9");
        assertThat(plant.truth()).containsExactly("1->9");
    }

    @Test
    void withoutMetersThereIsNoPower() throws Exception {
        ManagedChannel driver = driver(plant("ports: 16", "no-meters").device());
        awaitPresent(driver);
        Operation applied =
                apply(driver, request("dark").addConnects(circuit(1, 9)).build());
        assertThat(applied.getOutcome()).isEqualTo(Outcome.OUTCOME_APPLIED);
    }

    /** Wherever the session ends, each circuit is made once, and the driver finds out what became of the change. */
    @Test
    void aSessionThatIsCutAnywhereInAChangeMovesNoCircuitTwice() throws Exception {
        Tl1Plant plant = plant("ports: 16", "blocks, terminal");
        long seed = Long.getLong("lightpath.seed", System.nanoTime());
        System.out.println("lightpath.seed=" + seed);
        Random random = new Random(seed);
        try (CutProxy proxy = new CutProxy(plant.port())) {
            Tl1Device right = plant.device();
            ManagedChannel driver = driver(changed(right, proxy.port(), right.passwordFile(), ""));
            awaitPresent(driver);
            for (int round = 0; round < 16; round++) {
                int after = random.nextInt(1500);
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
                                                .setDeviceId(Tl1Plant.DEVICE)
                                                .setRole("r")
                                                .setOperationId(operation.getOperationId())
                                                .build())
                                        .getOperation(),
                                o -> o.getOutcome() != Outcome.OUTCOME_UNKNOWN
                                        && o.getOutcome() != Outcome.OUTCOME_IN_PROGRESS);
                List<String> truth = plant.truth();
                assertThat(truth).as(place).isIn(List.of(), List.of("1->9"), List.of("1->9", "2->10"));
                assertThat(settled.getOutcome() == Outcome.OUTCOME_APPLIED)
                        .as(place + ": " + settled.getOutcome() + " while light is " + truth)
                        .isEqualTo(truth.size() == 2);
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
                .setDeviceId(Tl1Plant.DEVICE)
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
