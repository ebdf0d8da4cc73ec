package dev.lightpath.driver;

import static dev.lightpath.driver.Requests.apply;
import static dev.lightpath.driver.Requests.errorInfo;
import static dev.lightpath.driver.Requests.key;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.lightpath.proto.driver.v1alpha1.CircuitServiceGrpc;
import dev.lightpath.proto.driver.v1alpha1.CircuitServiceGrpc.CircuitServiceBlockingStub;
import dev.lightpath.proto.driver.v1alpha1.InventoryServiceGrpc;
import dev.lightpath.proto.driver.v1alpha1.ListDevicesRequest;
import dev.lightpath.proto.driver.v1alpha1.Outcome;
import dev.lightpath.proto.driver.v1alpha1.TelemetryServiceGrpc;
import dev.lightpath.proto.driver.v1alpha1.TransferScopeRequest;
import dev.lightpath.proto.driver.v1alpha1.WatchRequest;
import dev.lightpath.proto.driver.v1alpha1.WatchResponse;
import dev.lightpath.sim.Emulator;
import dev.lightpath.sim.scenario.Scenario;
import io.grpc.Grpc;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.TlsChannelCredentials;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Under which fencing roles a certificate may write, and rules that change while the driver runs. */
final class FencingRolesTest {
    private static final String BOTH = """
            - {san: a.cluster, role: writer}
            - {san: b.cluster, role: writer}
            - {san: ops, role: admin}
            """;

    @TempDir
    private static Path pki;

    @TempDir
    private Path directory;

    private static Certificates certificates;

    private final Map<String, ManagedChannel> channels = new HashMap<>();
    private Emulator emulator;
    private DriverServer driver;

    @BeforeAll
    static void issue() throws Exception {
        certificates = new Certificates(pki);
        certificates.issue("driver", "dns:localhost");
        certificates.issue("a", "dns:a.cluster");
        certificates.issue("b", "dns:b.cluster");
        certificates.issue("ops", "dns:ops");
        certificates.issue("mail", "email:a.cluster");
    }

    @BeforeEach
    void start() throws Exception {
        emulator = Emulator.start(Scenario.parse("roles.yaml", """
                listen: 127.0.0.1:0
                seed: 5
                devices:
                  - {id: ocs-1, kind: switch, ports: 16}
                  - {id: ocs-2, kind: switch, ports: 16}
                """));
    }

    @AfterEach
    void stop() throws Exception {
        channels.values().forEach(ManagedChannel::shutdownNow);
        if (driver != null) {
            driver.close();
        }
        emulator.close();
    }

    private void rules(String rules) throws Exception {
        Path next = Files.writeString(
                directory.resolve("driver.yaml.next"), """
                listen: 127.0.0.1:0
                http: 127.0.0.1:0
                stateDirectory: state
                adapters: [{kind: emulator, endpoint: "127.0.0.1:%1$d"}]
                tls:
                  certificate: %2$s/driver.crt
                  key: %2$s/driver.key
                  clientCa: %2$s/ca.crt
                  roles:
                """.formatted(emulator.port(), pki) + rules.indent(4));
        Files.move(
                next,
                directory.resolve("driver.yaml"),
                java.nio.file.StandardCopyOption.ATOMIC_MOVE,
                java.nio.file.StandardCopyOption.REPLACE_EXISTING);
    }

    private void serve(String rules) throws Exception {
        rules(rules);
        startDriver();
    }

    private void startDriver() throws Exception {
        driver = DriverServer.start(directory.resolve("driver.yaml"));
        // on a busy machine it serves before the emulator has told it of its devices
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .until(() -> InventoryServiceGrpc.newBlockingStub(channel("a"))
                                .withWaitForReady()
                                .withDeadlineAfter(60, TimeUnit.SECONDS)
                                .listDevices(ListDevicesRequest.getDefaultInstance())
                                .getDevicesCount()
                        == 2);
    }

    private ManagedChannel channel(String name) {
        return channels.computeIfAbsent(name, each -> {
            try {
                return Grpc.newChannelBuilderForAddress(
                                "localhost",
                                driver.port(),
                                TlsChannelCredentials.newBuilder()
                                        .trustManager(
                                                certificates.path("ca.crt").toFile())
                                        .keyManager(
                                                certificates.path(name + ".crt").toFile(),
                                                certificates.path(name + ".key").toFile())
                                        .build())
                        .build();
            } catch (java.io.IOException e) {
                throw new java.io.UncheckedIOException(e);
            }
        });
    }

    private CircuitServiceBlockingStub as(String name) {
        return CircuitServiceGrpc.newBlockingStub(channel(name))
                .withWaitForReady()
                .withDeadlineAfter(60, TimeUnit.SECONDS);
    }

    private String refusal(String name, Function<CircuitServiceBlockingStub, ?> call) {
        StatusRuntimeException e = catchThrowableOfType(StatusRuntimeException.class, () -> call.apply(as(name)));
        assertThat(e).as("refusal of " + name).isNotNull();
        assertThat(e.getStatus().getCode()).isEqualTo(Status.Code.PERMISSION_DENIED);
        return errorInfo(e).getReason();
    }

    private void writes(String name, String device, String role, long epoch, String operation) {
        assertThat(as(name).applyCircuits(apply(device, role, epoch, operation).build())
                        .getOperation()
                        .getOutcome())
                .isEqualTo(Outcome.OUTCOME_APPLIED);
    }

    @Test
    void aRoleBelongsToTheNameThatWroteUnderItFirst() throws Exception {
        serve(BOTH);
        writes("a", "ocs-1", "uid-a/ring", 7, "1");
        assertThat(refusal(
                        "b",
                        s -> s.applyCircuits(apply("ocs-1", "uid-a/ring", 8, "2")
                                .addConnects(key("1->9"))
                                .build())))
                .isEqualTo("NOT_AUTHORISED");
        assertThat(refusal(
                        "b",
                        s -> s.applyCircuits(
                                apply("ocs-2", "uid-a/ring", 8, "2").build())))
                .as("another device of the driver")
                .isEqualTo("NOT_AUTHORISED");
        writes("a", "ocs-1", "uid-a/ring", 7, "3");
        writes("a", "ocs-2", "uid-a/other-fabric", 7, "1");
        driver.close();
        channels.values().forEach(ManagedChannel::shutdownNow);
        channels.clear();
        startDriver();
        assertThat(refusal(
                        "b",
                        s -> s.applyCircuits(
                                apply("ocs-1", "uid-a/ring", 8, "2").build())))
                .as("after a restart")
                .isEqualTo("NOT_AUTHORISED");
        var unused = as("ops")
                .transferScope(TransferScopeRequest.newBuilder()
                        .setDeviceId("ocs-1")
                        .setFromRole("uid-a/ring")
                        .setToRole("uid-a/ring")
                        .build());
        writes("b", "ocs-1", "uid-a/ring", 8, "2");
    }

    @Test
    void anAdminOfOneDeviceDoesNotSayWhoseARoleIsOnOthers() throws Exception {
        serve("""
                - {san: a.cluster, role: writer}
                - {san: b.cluster, role: writer, devices: [ocs-1]}
                - {san: ops, role: admin, devices: [ocs-1]}
                """);
        writes("a", "ocs-1", "uid-a/ring", 7, "1");
        writes("a", "ocs-2", "uid-a/ring", 7, "1");
        var unused = as("ops")
                .transferScope(TransferScopeRequest.newBuilder()
                        .setDeviceId("ocs-1")
                        .setFromRole("uid-a/ring")
                        .setToRole("uid-a/ring")
                        .build());
        assertThat(refusal(
                        "b",
                        s -> s.applyCircuits(
                                apply("ocs-1", "uid-a/ring", 8, "2").build())))
                .isEqualTo("NOT_AUTHORISED");
        writes("a", "ocs-2", "uid-a/ring", 7, "2");
    }

    @Test
    void aRoleThatARuleNamesIsWrittenUnderByThatRuleAlone() throws Exception {
        serve("""
                - {san: a.cluster, role: writer, fencingRoles: ["uid-a/*"]}
                - {san: b.cluster, role: writer}
                """);
        assertThat(refusal(
                        "b",
                        s -> s.applyCircuits(
                                apply("ocs-1", "uid-a/ring", 1, "1").build())))
                .isEqualTo("NOT_AUTHORISED");
        assertThat(refusal(
                        "a",
                        s -> s.applyCircuits(
                                apply("ocs-1", "uid-b/ring", 1, "1").build())))
                .isEqualTo("NOT_AUTHORISED");
        writes("a", "ocs-1", "uid-a/ring", 1, "1");
        writes("b", "ocs-2", "uid-b/ring", 1, "1");
    }

    @Test
    void aNameOfAnotherKindIsNoName() throws Exception {
        serve(BOTH);
        assertThat(refusal(
                        "mail",
                        s -> s.applyCircuits(
                                apply("ocs-1", "uid-a/ring", 1, "1").build())))
                .isEqualTo("NOT_AUTHORISED");
    }

    @Test
    void rulesThatAreTakenAwayEndCallsAndStreams() throws Exception {
        serve(BOTH);
        writes("b", "ocs-1", "uid-b/ring", 1, "1");
        CountDownLatch watching = new CountDownLatch(1);
        CompletableFuture<Status.Code> ended = CompletableFuture.supplyAsync(
                () -> {
                    Iterator<WatchResponse> messages =
                            TelemetryServiceGrpc.newBlockingStub(channel("b")).watch(WatchRequest.getDefaultInstance());
                    try {
                        while (messages.hasNext()) {
                            if (messages.next().hasSynced()) {
                                watching.countDown();
                            }
                        }
                        return Status.Code.OK;
                    } catch (StatusRuntimeException e) {
                        return e.getStatus().getCode();
                    }
                },
                Thread::startVirtualThread);
        assertThat(watching.await(60, TimeUnit.SECONDS)).isTrue();

        rules("- {san: a.cluster, role: writer}");

        assertThat(ended.get(60, TimeUnit.SECONDS)).isEqualTo(Status.Code.PERMISSION_DENIED);
        assertThat(refusal(
                        "b",
                        s -> s.applyCircuits(
                                apply("ocs-1", "uid-b/ring", 1, "2").build())))
                .isEqualTo("NOT_AUTHORISED");
        writes("a", "ocs-2", "uid-a/ring", 1, "1");
    }
}
