package dev.lightpath.driver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.driver.config.AdapterConfig;
import dev.lightpath.driver.config.DriverConfig;
import dev.lightpath.proto.driver.v1alpha1.Availability;
import dev.lightpath.proto.driver.v1alpha1.CircuitServiceGrpc;
import dev.lightpath.proto.driver.v1alpha1.InventoryServiceGrpc;
import dev.lightpath.proto.driver.v1alpha1.ListDevicesRequest;
import dev.lightpath.proto.driver.v1alpha1.Outcome;
import io.grpc.ManagedChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A switch of others, Open vSwitch, that connects by TLS: who it is stands in its certificate. */
@Order(2)
final class OpenFlowTlsTest {
    private static final String DEVICE = "ovs";
    private static final String NAME = "ovs.example";
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir
    private Path directory;

    private final HeardLog log = new HeardLog("dev.lightpath.driver.openflow.Reception");
    private Certificates certificates;
    private OpenVSwitch device;
    private DriverServer driver;
    private ManagedChannel channel;

    @BeforeEach
    void issue() throws Exception {
        certificates = authority("ours");
        certificates.issue("driver", "dns:driver.example");
        certificates.issue(DEVICE, "dns:" + NAME);
    }

    private Certificates authority(String name) throws Exception {
        return new Certificates(Files.createDirectories(directory.resolve(name)));
    }

    private static Optional<OpenVSwitch.Tls> of(Certificates authority, Path trusted) {
        return Optional.of(
                new OpenVSwitch.Tls(authority.path(DEVICE + ".key"), authority.path(DEVICE + ".crt"), trusted));
    }

    private void start(Optional<OpenVSwitch.Tls> shown, String name) throws Exception {
        device = new OpenVSwitch(directory.resolve("switch"), "OpenFlow13,OpenFlow14", shown);
        driver = DriverServer.start(DriverConfig.onLoopback(
                directory.resolve("state"),
                List.of(new AdapterConfig.OpenFlow(
                        "127.0.0.1",
                        device.port(),
                        Optional.of(new AdapterConfig.DeviceTls(
                                certificates.path("driver.crt"),
                                certificates.path("driver.key"),
                                certificates.path("ca.crt"))),
                        List.of(new AdapterConfig.OpenFlowSwitchConfig(
                                DEVICE, OpenVSwitch.DATAPATH, OpenVSwitch.SIZE, name, Duration.ofSeconds(1)))))));
        channel = EmulatedPlant.channel(driver.port());
    }

    @AfterEach
    void stop() throws Exception {
        log.close();
        if (channel != null) {
            channel.shutdownNow();
        }
        if (driver != null) {
            driver.close();
        }
        if (device != null) {
            device.close();
        }
    }

    private boolean isPresent() {
        return InventoryServiceGrpc.newBlockingStub(channel)
                .withDeadlineAfter(30, TimeUnit.SECONDS)
                .listDevices(ListDevicesRequest.getDefaultInstance())
                .getDevicesList()
                .stream()
                .anyMatch(each -> each.getAvailability() == Availability.AVAILABILITY_PRESENT);
    }

    private void awaitTold(String words) {
        Awaitility.await()
                .atMost(PATIENCE)
                .untilAsserted(() -> assertThat(log.lines(words)).isNotEmpty());
        assertThat(isPresent()).isFalse();
    }

    @Test
    void aSwitchIsServedThatShowsItsCertificate() throws Exception {
        start(of(certificates, certificates.path("ca.crt")), NAME);
        Awaitility.await().atMost(PATIENCE).until(this::isPresent);
        assertThat(CircuitServiceGrpc.newBlockingStub(channel)
                        .withDeadlineAfter(60, TimeUnit.SECONDS)
                        .applyCircuits(Requests.apply(DEVICE, "r", 1, "a")
                                .addConnects(Requests.key("1->9"))
                                .build())
                        .getOperation()
                        .getOutcome())
                .isEqualTo(Outcome.OUTCOME_APPLIED);
        assertThat(device.light()).containsExactly("1->9");
    }

    @Test
    void aSwitchIsNotServedThatShowsTheCertificateOfAnother() throws Exception {
        start(of(certificates, certificates.path("ca.crt")), "another.example");
        awaitTold("its certificate does not name 'another.example', as that of device ovs must");
    }

    @Test
    void aSwitchIsNotServedWhoseCertificateIsOfAnotherAuthority() throws Exception {
        Certificates others = authority("others");
        others.issue(DEVICE, "dns:" + NAME);
        start(of(others, certificates.path("ca.crt")), NAME);
        awaitTold("a device at 127.0.0.1: ");
    }

    @Test
    void aSwitchIsNotServedWhoseCertificateHasExpired() throws Exception {
        certificates.issueExpired("late", "dns:" + NAME);
        start(
                Optional.of(new OpenVSwitch.Tls(
                        certificates.path("late.key"), certificates.path("late.crt"), certificates.path("ca.crt"))),
                NAME);
        awaitTold("a device at 127.0.0.1: the device's certificate has expired: NotAfter: ");
    }

    @Test
    void aSwitchIsNotServedThatSpeaksPlaintext() throws Exception {
        start(Optional.empty(), NAME);
        awaitTold("a device at 127.0.0.1: ");
    }
}
