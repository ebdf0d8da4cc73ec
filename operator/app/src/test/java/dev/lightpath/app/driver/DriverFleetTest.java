package dev.lightpath.app.driver;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.app.driver.endpoint.DriverEndpoint;
import dev.lightpath.app.driver.state.ProtoCodec;
import dev.lightpath.planner.light.DeviceState.Presence;
import dev.lightpath.planner.light.DriverState;
import dev.lightpath.planner.light.DriverState.Contact;
import dev.lightpath.proto.driver.v1alpha1.ApplyCircuitsRequest;
import dev.lightpath.proto.driver.v1alpha1.CircuitsChanged;
import dev.lightpath.proto.driver.v1alpha1.WatchResponse;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a fleet makes of streams and connections of drivers that misbehave. */
class DriverFleetTest extends FleetTrial {
    @Test
    void listsTheDevicesOfADriver() {
        synced(fleet(PATIENT));

        DriverState state = state(fleets.getFirst());
        assertThat(state.name()).isEqualTo("scripted");
        assertThat(state.devices()).containsOnlyKeys("n1", "n2");
        assertThat(circuits(fleets.getFirst(), "n1")).containsExactly(LOOP);
        assertThat(state.problem()).isEmpty();
        assertThat(state.plaintext()).isTrue();
    }

    @Test
    void showsTheSameStateUntilSomethingChanges() {
        DriverFleet fleet = synced(fleet(PATIENT));
        DriverState before = state(fleet);

        assertThat(state(fleet)).isSameAs(before);

        driver.carryOut(ApplyCircuitsRequest.newBuilder()
                .setDeviceId("n1")
                .addConnects(ScriptedDriver.key("b1.common", "b1.loop"))
                .build());
        await().until(() -> circuits(fleet, "n1").size() == 2);
        assertThat(requireNonNull(before.devices().get("n1")).circuits().circuits())
                .containsExactly(LOOP);
        assertThat(state(fleet).devices().get("n2")).isSameAs(before.devices().get("n2"));
    }

    @Test
    void lostMessageListsTheDevicesAgain() {
        DriverFleet fleet = synced(fleet(PATIENT));
        driver.lit("n1").clear();
        driver.light("n1", "b0.common", "b0.path1");

        driver.stream().skip();
        driver.carryOut(ApplyCircuitsRequest.newBuilder()
                .setDeviceId("n2")
                .addConnects(ScriptedDriver.key("b1.common", "b1.loop"))
                .build());

        await().until(() -> circuits(fleet, "n1").equals(new TreeSet<>(List.of(PATH)))
                && state(fleet).contact() == Contact.SYNCED);
        assertThat(circuits(fleet, "n2")).hasSize(2);
    }

    @Test
    void deviceThatKeepsComingBackPutsOffListingAgainForAShortTimeOnly() throws InterruptedException {
        DriverFleet fleet = synced(fleet(PATIENT));
        ScriptedDriver.Stream lossy = driver.stream();
        driver.lit("n1").clear();
        driver.light("n1", "b0.common", "b0.path1");

        lossy.skip();
        Thread flapping = Thread.ofVirtual().start(() -> {
            while (!Thread.currentThread().isInterrupted()) {
                lossy.send(WatchResponse.newBuilder().setSnapshot(driver.snapshot("n2")));
                LockSupport.parkNanos(PATIENT.settle().toNanos() / 20);
            }
        });

        try {
            await().until(() -> circuits(fleet, "n1").equals(new TreeSet<>(List.of(PATH)))
                    && state(fleet).contact() == Contact.SYNCED);
        } finally {
            flapping.interrupt();
            flapping.join();
        }
    }

    @Test
    void messageLostWithoutATraceShowsInTheDigest() {
        DriverFleet fleet = synced(fleet(PATIENT));
        driver.light("n1", "b1.common", "b1.loop");
        driver.light("n1", "b2.common", "b2.loop");

        driver.stream()
                .send(WatchResponse.newBuilder()
                        .setCircuitsChanged(CircuitsChanged.newBuilder()
                                .setDeviceId("n1")
                                .addChanged(ScriptedDriver.circuit(ScriptedDriver.key("b2.common", "b2.loop")))
                                .setObservedDigest(ProtoCodec.digest(driver.lit("n1")))));

        await().until(() -> circuits(fleet, "n1").size() == 3 && state(fleet).contact() == Contact.SYNCED);
    }

    @Test
    void readingFindsWhatTheStreamDidNotTell() throws InterruptedException {
        DriverFleet fleet = synced(fleet(PATIENT));
        driver.light("n1", "b1.common", "b1.loop");

        fleet.observe(new TreeSet<>(List.of(id("n1"), id("n2"), id("n3"))));

        Reading reading = log.reading();
        assertThat(reading.read()).containsExactly(id("n1"), id("n2"));
        assertThat(reading.unread()).containsOnlyKeys(id("n3"));
        await().until(() -> circuits(fleet, "n1").size() == 2 && state(fleet).contact() == Contact.SYNCED);
    }

    @Test
    void restartedDriverIsListedAgainAndForgetsDevicesThatAreGone() throws InterruptedException {
        DriverFleet fleet = synced(fleet(PATIENT));

        driver.stop();
        await().until(() -> state(fleet).contact() == Contact.UNREACHABLE);
        assertThat(state(fleet).devices()).containsOnlyKeys("n1", "n2");

        driver.circuits.remove("n2");
        driver.light("n1", "b1.common", "b1.loop");
        driver.restart("boot-2");
        await().until(() -> state(fleet).contact() == Contact.SYNCED);
        assertThat(state(fleet).devices()).containsOnlyKeys("n1");
        assertThat(circuits(fleet, "n1")).hasSize(2);
    }

    @Test
    void driverThatJustStartedIsSyncedOnceItHasReadItsDevices() throws InterruptedException {
        DriverFleet fleet = synced(fleet(WAITING));
        driver.stop();
        await().until(() -> state(fleet).contact() == Contact.UNREACHABLE);
        driver.unread.addAll(List.of("n1", "n2"));
        driver.restart("boot-2");
        await().until(() -> state(fleet).problem().orElse("").contains("yet to read 2"));
        assertThat(circuits(fleet, "n1")).containsExactly(LOOP);

        driver.unread.clear();
        for (String device : List.of("n1", "n2")) {
            assertThat(state(fleet).contact()).isEqualTo(Contact.UNREACHABLE);
            driver.stream().send(WatchResponse.newBuilder().setSnapshot(driver.snapshot(device)));
        }

        await().until(() -> state(fleet).synced());
        assertThat(device(fleet, "n1").presence()).isEqualTo(Presence.PRESENT);
    }

    @Test
    void deviceThatIsNeverReadIsSilentInTheEnd() {
        driver.unread.add("n1");
        DriverFleet fleet = fleet(PATIENT);

        await().until(() -> state(fleet).synced());
        assertThat(device(fleet, "n1").presence()).isEqualTo(Presence.SILENT);
        assertThat(device(fleet, "n2").presence()).isEqualTo(Presence.PRESENT);
    }

    @Test
    void driverThatFallsSilentIsUnreachableAndItsDevicesStayKnown() {
        DriverFleet fleet = fleet(IMPATIENT);
        await().until(() -> log.changes.stream().anyMatch(change -> state(fleet).synced()));

        driver.listing = false;
        await().until(() -> state(fleet).contact() == Contact.UNREACHABLE);

        assertThat(state(fleet).devices()).containsOnlyKeys("n1", "n2");
        assertThat(state(fleet).problem()).isPresent();
    }

    @Test
    void halfOpenConnectionIsGivenUpAndMadeAnew() throws Exception {
        try (FrozenWire wire = new FrozenWire(driver.port())) {
            DriverFleet fleet = new DriverFleet(epoch::get, IMPATIENT, InstantSource.system(), new Random(1));
            fleets.add(fleet);
            fleet.connect(List.of(DriverEndpoint.plaintext(wire.address(), ROLE)));
            driver.beatEvery(Duration.ofMillis(50));
            await().until(() ->
                    requireNonNull(fleet.states().get(wire.address())).synced());

            wire.freeze();
            await().until(() ->
                    requireNonNull(fleet.states().get(wire.address())).contact() == Contact.UNREACHABLE);
            wire.thawForNewConnections();

            await().until(() ->
                    requireNonNull(fleet.states().get(wire.address())).synced());
            assertThat(wire.connections()).isGreaterThan(1);
        }
    }

    @Test
    void driverOfAnotherContractIsNotWatched() {
        driver.contract = "lightpath.driver.v9";
        DriverFleet fleet = fleet(PATIENT);

        await().until(() -> state(fleet).contact() == Contact.CONTRACT_MISMATCH);
        assertThat(state(fleet).problem().orElse(""))
                .contains("lightpath.driver.v9")
                .contains(DriverLink.CONTRACT);
        assertThat(driver.streams).isEmpty();
    }

    @Test
    void endpointThatIsNoneSaysSo() {
        DriverFleet fleet = new DriverFleet(epoch::get, PATIENT, InstantSource.system(), new Random(1));
        fleets.add(fleet);
        fleet.connect(List.of(DriverEndpoint.plaintext("nowhere", ROLE)));

        assertThat(requireNonNull(fleet.states().get("nowhere")).problem().orElse(""))
                .contains("nowhere")
                .contains("host:port");
    }

    /** The definitions take it, and a URI does not. */
    @ParameterizedTest
    @ValueSource(strings = {"10.0.0.256:9440", "a..b:9440", "gpu.07:9440", "[:::]:9440"})
    void hostThatIsNoneSaysSoAndHoldsUpNoOtherDriver(String wrong) {
        DriverFleet fleet = new DriverFleet(epoch::get, PATIENT, InstantSource.system(), new Random(1));
        fleets.add(fleet);
        assertThat(wrong).as("is connected first").isLessThan(driver.address());
        fleet.connect(List.of(DriverEndpoint.plaintext(wrong, ROLE), DriverEndpoint.plaintext(driver.address(), ROLE)));

        assertThat(requireNonNull(fleet.states().get(wrong)).problem().orElse(""))
                .contains("'" + wrong + "'")
                .hasLineCount(1);
        synced(fleet);
    }

    @Test
    void driverThatIsNoLongerWantedIsForgotten() {
        DriverFleet fleet = synced(fleet(PATIENT));

        fleet.connect(List.of());

        assertThat(fleet.states()).isEmpty();
    }
}
