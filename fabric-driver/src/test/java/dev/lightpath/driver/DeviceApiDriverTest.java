package dev.lightpath.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.lightpath.driver.config.AdapterConfig;
import dev.lightpath.proto.driver.v1alpha1.Circuit;
import dev.lightpath.proto.driver.v1alpha1.CircuitServiceGrpc;
import dev.lightpath.proto.driver.v1alpha1.Operation;
import dev.lightpath.proto.driver.v1alpha1.Outcome;
import dev.lightpath.proto.driver.v1alpha1.PortAdminState;
import dev.lightpath.proto.driver.v1alpha1.PortOverride;
import dev.lightpath.proto.emulator.v1alpha1.DeviceServiceGrpc;
import dev.lightpath.proto.emulator.v1alpha1.FaultKind;
import dev.lightpath.proto.emulator.v1alpha1.InjectFaultRequest;
import dev.lightpath.proto.emulator.v1alpha1.PortPair;
import dev.lightpath.proto.emulator.v1alpha1.SetConnectionsRequest;
import dev.lightpath.sim.Emulator;
import dev.lightpath.sim.scenario.Scenario;
import io.grpc.ManagedChannel;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The adapter for vendors' programs where the program, or the way to it, is not as it should be. */
final class DeviceApiDriverTest extends ManagedTrial {
    private DeviceApiPlant plant(String device, String quirks) throws Exception {
        DeviceApiPlant plant = new DeviceApiPlant(directory, device, quirks);
        open.add(plant);
        return plant;
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "waits", "short-streams", "no-meters", "fewer-answers", "waits, short-streams"})
    void aChangeIsWhatTheDeviceShows(String quirks) throws Exception {
        DeviceApiPlant plant = plant("ports: 16", quirks);
        ManagedChannel driver = driver(plant.adapter());
        awaitPresent(driver);
        Operation made = apply(
                driver,
                request("make")
                        .addConnects(Requests.key("1->9"))
                        .addConnects(Requests.key("2->10"))
                        .build());
        assertThat(settled(driver, made.getOperationId())).isEqualTo(Outcome.OUTCOME_APPLIED);
        assertThat(plant.truth()).containsExactly("1->9", "2->10");
        assertThat(plant.moves()).isEqualTo(2);
    }

    @Test
    void aProgramThatEndsItsStreamsIsServedAndTold() throws Exception {
        ManagedChannel driver = driver(plant("ports: 16", "short-streams").adapter());
        awaitPresent(driver);
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .until(() -> !log("the program's stream began").isEmpty());
        makes(driver, "make", "1->9");
    }

    /** As that to a program whose node lost its power: nobody says that it is over. */
    @Test
    void aConnectionThatSwallowsEverythingIsLeftForAnother() throws Exception {
        DeviceApiPlant plant = plant("ports: 16", "");
        CutProxy proxy = new CutProxy(plant.port());
        open.add(proxy);
        ManagedChannel driver = driver(DeviceApiPlant.at(proxy.port()));
        awaitPresent(driver);
        long before = proxy.accepted();

        proxy.swallow();

        Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> proxy.accepted() > before);
        awaitPresent(driver);
        makes(driver, "make", "1->9");
    }

    /** Longer than a stream may be silent. */
    @Test
    void aConnectionThatTakesLongToBeMadeIsWaitedFor() throws Exception {
        DeviceApiPlant plant = plant("ports: 16", "");
        CutProxy proxy = new CutProxy(plant.port());
        open.add(proxy);
        proxy.arriveAfter(7000);

        ManagedChannel driver = driver(DeviceApiPlant.at(proxy.port()));

        awaitPresent(driver);
    }

    @Test
    void aCircuitOfOthersIsNotReplaced() throws Exception {
        DeviceApiPlant plant = plant("ports: 16, preset: piezo", "");
        ManagedChannel driver = driver(plant.adapter());
        awaitPresent(driver);
        ManagedChannel others = EmulatedPlant.channel(plant.emulatorPort());
        open.add(others::shutdownNow);
        var unused = DeviceServiceGrpc.newBlockingStub(others)
                .withDeadlineAfter(30, TimeUnit.SECONDS)
                .setConnections(SetConnectionsRequest.newBuilder()
                        .setDeviceId(ManagedPlant.DEVICE)
                        .addConnects(PortPair.newBuilder().setIngress("1").setEgress("9"))
                        .build());
        assertThatThrownBy(() -> CircuitServiceGrpc.newBlockingStub(driver)
                        .withDeadlineAfter(30, TimeUnit.SECONDS)
                        .applyCircuits(request("taken")
                                .addConnects(Requests.key("1->10"))
                                .build()))
                .hasMessageContaining("port '1' is used by 1->9");
        assertThat(plant.truth()).containsExactly("1->9");
    }

    @Test
    void aClosedShutterKeepsLightFromThePortUntilItIsOpened() throws Exception {
        DeviceApiPlant plant = plant("ports: 16", "");
        ManagedChannel driver = driver(plant.adapter());
        awaitPresent(driver);
        makes(driver, "make", "1->9");
        override(driver, "9", PortOverride.PORT_OVERRIDE_SHUTTERED);
        assertThat(plant.truth()).as("light through a closed shutter").isEmpty();
        awaitState(driver, PortAdminState.PORT_ADMIN_STATE_OUT_OF_SERVICE);
        override(driver, "9", PortOverride.PORT_OVERRIDE_NONE);
        awaitState(driver, PortAdminState.PORT_ADMIN_STATE_IN_SERVICE);
        assertThat(plant.truth()).containsExactly("1->9");
    }

    /** Of port 9. */
    private static void awaitState(ManagedChannel driver, PortAdminState state) {
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .until(() -> snapshot(driver).getPortsList().stream()
                        .anyMatch(port -> port.getPort().equals("9") && port.getAdminState() == state));
    }

    /** What the device measures of a circuit, and what its factory did, reaches the contract without a change. */
    @Test
    void aCircuitThatLosesMoreIsToldBesideWhatTheFactoryMeasured() throws Exception {
        DeviceApiPlant plant = plant("ports: 16", "");
        ManagedChannel driver = driver(plant.adapter());
        awaitPresent(driver);
        makes(driver, "make", "1->9");
        Circuit before = Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .until(
                        () -> snapshot(driver).getCircuitsList().stream()
                                .findFirst()
                                .orElse(Circuit.getDefaultInstance()),
                        Circuit::hasFactoryLossDb);
        assertThat(before.getMeasuredLossDb()).isEqualTo(before.getFactoryLossDb());
        plant.inject(InjectFaultRequest.newBuilder()
                .setKind(FaultKind.FAULT_KIND_DIRTY_CONNECTOR)
                .setPort("9")
                .setValue(2.5));
        Circuit after = Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .until(() -> snapshot(driver).getCircuits(0), c -> c.getMeasuredLossDb() > before.getMeasuredLossDb());
        assertThat(after.getMeasuredLossDb() - after.getFactoryLossDb()).isCloseTo(2.5, within(1e-9));
        assertThat(after.getOperationId()).isEqualTo("make");
    }

    @Test
    void anAttenuatorIsToldAsItIsSet() throws Exception {
        DeviceApiPlant plant = plant("ports: 16, preset: piezo", "");
        ManagedChannel driver = driver(plant.adapter());
        awaitPresent(driver);
        plant.attenuate("3", 4.5);
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .until(() -> snapshot(driver).getPortsList().stream()
                        .anyMatch(port -> port.getPort().equals("3")
                                && port.getAttenuation().getSetDb() == 4.5));
    }

    /** Lies of level 4: the device says and reports a circuit, and moves nothing. Only far ends could tell. */
    @Test
    void aProgramIsBelievedWhatItReads() throws Exception {
        DeviceApiPlant plant = plant("ports: 16", "");
        ManagedChannel driver = driver(plant.adapter());
        awaitPresent(driver);
        plant.inject(InjectFaultRequest.newBuilder().setKind(FaultKind.FAULT_KIND_LIE_FALSE_OK));
        makes(driver, "lie", "1->9");
        assertThat(plant.truth()).isEmpty();
        plant.clearFaults();
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .until(() -> snapshot(driver).getCircuitsCount() == 0);
    }

    @Test
    void aStreamThatIsCutAnywhereInAChangeMovesNoCircuitTwice() throws Exception {
        DeviceApiPlant plant = plant("ports: 16", "");
        try (CutProxy proxy = new CutProxy(plant.port())) {
            movesNoCircuitTwice(
                    plant,
                    proxy,
                    driver(DeviceApiPlant.at(proxy.port())),
                    800,
                    Set.of(List.of(), List.of("1->9", "2->10")));
        }
    }

    @Test
    void aDriverWithoutTheRightCertificateLearnsNothing() throws Exception {
        Certificates trusted = new Certificates(Files.createDirectory(directory.resolve("trusted")));
        trusted.issue("program", "dns:ocs-1");
        trusted.issue("driver", "dns:driver");
        Certificates strange = new Certificates(Files.createDirectory(directory.resolve("strange")));
        strange.issue("driver", "dns:driver");
        Emulator emulator = Emulator.start(Scenario.parse("plant.yaml", """
                listen: 127.0.0.1:0
                devices: [{id: ocs-1, kind: switch, ports: 4}]
                deviceApi:
                  - {devices: [ocs-1], listen: "127.0.0.1:0", certificate: %s, key: %s, ca: %s}
                """.formatted(
                        trusted.path("program.crt"), trusted.path("program.key"), trusted.path("ca.crt"))));
        open.add(emulator);
        int port = emulator.deviceApi("ocs-1").port();
        assertThat(devices(says(by(strange, trusted, port), "no connection to 127.0.0.1:" + port)))
                .isEmpty();
        close();
        open.clear();
    }

    private static AdapterConfig by(Certificates mine, Certificates theirs, int port) {
        return new AdapterConfig.DeviceApi(
                "127.0.0.1:" + port,
                Optional.of(new AdapterConfig.ClientTls(
                        mine.path("driver.crt"),
                        mine.path("driver.key"),
                        theirs.path("ca.crt"),
                        Optional.of("ocs-1"))));
    }
}
