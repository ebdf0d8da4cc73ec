package dev.lightpath.driver.netconf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lightpath.driver.NetconfPlant;
import dev.lightpath.driver.adapter.Adapter;
import dev.lightpath.driver.adapter.AdapterListener;
import dev.lightpath.driver.adapter.CircuitPair;
import dev.lightpath.driver.adapter.DeviceDescription;
import dev.lightpath.driver.adapter.DeviceReading;
import dev.lightpath.driver.adapter.Move;
import dev.lightpath.driver.adapter.MoveAnswer;
import dev.lightpath.driver.adapter.NativeCircuit;
import dev.lightpath.driver.adapter.PortLayout;
import dev.lightpath.driver.config.AdapterConfig;
import dev.lightpath.driver.session.RefusedException;
import dev.lightpath.proto.driver.v1alpha1.Alarm;
import dev.lightpath.proto.driver.v1alpha1.Environment;
import dev.lightpath.proto.driver.v1alpha1.ItemReason;
import dev.lightpath.proto.driver.v1alpha1.PortAdminState;
import dev.lightpath.proto.driver.v1alpha1.PortStatus;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Quirks that devices and servers were seen to have. */
final class OpticalSwitchTest {
    private static final Duration WITHIN = Duration.ofSeconds(30);
    private static final PortLayout LAYOUT = new PortLayout(16, 0);

    @TempDir
    private Path directory;

    private final SshSessions sessions = new SshSessions();
    private NetconfPlant plant;

    private OpticalSwitch device(String netconf) throws Exception {
        plant = new NetconfPlant(directory, "ports: 16", netconf);
        return new OpticalSwitch(sessions.open(plant.device(), unused -> {}), "");
    }

    @AfterEach
    void close() {
        sessions.close();
        plant.close();
    }

    private static Move make(String ingress, String egress) {
        return new Move.Make(new CircuitPair(ingress, egress));
    }

    @Test
    void afterAFailedEditNothingOfItIsCommitted() throws Exception {
        OpticalSwitch device = device("quirks: [commit-after-failed-edit]");
        // the device has no port 20
        List<MoveAnswer> answers =
                device.move(List.of(make("1", "2"), make("20", "21")), new PortLayout(32, 0), WITHIN);
        assertThat(answers.getFirst()).isEqualTo(new MoveAnswer.Accepted());
        assertThat(answers.getLast())
                .isInstanceOfSatisfying(
                        MoveAnswer.Refused.class,
                        refused -> assertThat(refused.nativeText()).isEqualTo("there is no port '20'"));
        assertThat(plant.truth()).containsExactly("1->2");
        assertThat(plant.front().commits()).isEqualTo(1);
    }

    @Test
    void aDeviceThatOnlyRepeatsIsBelievedAndThatIsWhyReadBackIsAnEcho() throws Exception {
        OpticalSwitch device = device("quirks: [echo]");
        assertThat(device.move(List.of(make("1", "2")), LAYOUT, WITHIN)).containsExactly(new MoveAnswer.Accepted());
        assertThat(device.circuits(LAYOUT)).extracting(c -> c.pair().toString()).containsExactly("1->2");
        assertThat(plant.truth()).isEmpty();
    }

    @Test
    void aShutterIsWhatThePortShows() throws Exception {
        OpticalSwitch device = device("datastore: running");
        device.shutter("3", true);
        assertThat(admin(device)).isEqualTo(PortAdminState.PORT_ADMIN_STATE_OUT_OF_SERVICE);
        device.shutter("3", false);
        assertThat(admin(device)).isEqualTo(PortAdminState.PORT_ADMIN_STATE_IN_SERVICE);
    }

    @Test
    void aShutterThatOnlySaysOkIsSeenOpen() throws Exception {
        OpticalSwitch device = device("quirks: [shutter-lies]");
        assertThatThrownBy(() -> device.shutter("3", true)).isInstanceOf(RefusedException.class);
        assertThat(admin(device)).isEqualTo(PortAdminState.PORT_ADMIN_STATE_IN_SERVICE);
    }

    @Test
    void anAttenuatorIsShownInDecibels() throws Exception {
        plant = new NetconfPlant(directory, "ports: 16, preset: piezo", "base: \"1.1\"");
        OpticalSwitch device = new OpticalSwitch(sessions.open(plant.device(), unused -> {}), "");
        plant.attenuate("3", 4.5);
        List<PortStatus> ports = device.ports(LAYOUT);
        assertThat(ports.get(2).getAttenuation().getSetDb()).isEqualTo(4.5);
        assertThat(ports.get(3).getAttenuation().hasSetDb()).isTrue();
        assertThat(ports.get(3).getAttenuation().getSetDb()).isZero();
    }

    @Test
    void aSwitchWithoutAttenuatorsTellsOfNone() throws Exception {
        assertThat(device("base: \"1.0\"").ports(LAYOUT)).noneMatch(PortStatus::hasAttenuation);
    }

    private static PortAdminState admin(OpticalSwitch device) throws Exception {
        return device.ports(LAYOUT).get(2).getAdminState();
    }

    @Test
    void aBreakOfAnotherCircuitThanTheOneThatIsThereBreaksNothing() throws Exception {
        OpticalSwitch device = device("base: \"1.0\"");
        var unused = device.move(List.of(make("1", "2")), LAYOUT, WITHIN);
        var answers = device.move(List.of(new Move.Break(new CircuitPair("1", "3"))), LAYOUT, WITHIN);
        assertThat(answers).containsExactly(new MoveAnswer.Accepted());
        assertThat(plant.truth()).containsExactly("1->2");
    }

    /** A commit makes running what the candidate is: it must not undo what happened since the candidate was made. */
    @Test
    void aCircuitThatAppearsBetweenEditAndCommitStays() throws Exception {
        OpticalSwitch device = device("quirks: [moves-by-itself]");
        assertThat(device.move(List.of(make("1", "2")), LAYOUT, WITHIN).getFirst())
                .isInstanceOfSatisfying(
                        MoveAnswer.Refused.class,
                        refused -> assertThat(refused.nativeText()).contains("changed by somebody else meanwhile"));
        assertThat(plant.truth()).containsExactly("15->16");
        assertThat(device.move(List.of(make("1", "2")), LAYOUT, WITHIN)).containsExactly(new MoveAnswer.Accepted());
        assertThat(plant.truth()).containsExactly("1->2", "15->16");
    }

    @Test
    void whatAnotherSessionLeftInTheCandidateIsNotCommitted() throws Exception {
        OpticalSwitch device = device("datastore: candidate");
        try (NetconfSession other = sessions.open(plant.device(), unused -> {})) {
            var unused = other.rpc(
                    "<edit-config><target><candidate/></target><config><cross-connects xmlns=\""
                            + OpticalSwitch.NAMESPACE
                            + "\"><pair><ingress>5</ingress><egress>13</egress></pair></cross-connects></config>"
                            + "</edit-config>",
                    WITHIN);
            assertThat(device.move(List.of(make("1", "2")), LAYOUT, WITHIN)).containsExactly(new MoveAnswer.Accepted());
        }
        assertThat(plant.truth()).containsExactly("1->2");
    }

    /** The datastore is in use, and no port: it is said once for all moves, which need the same lock. */
    @Test
    void aLockOfAnotherSessionIsNoPortInUse() throws Exception {
        OpticalSwitch device = device("datastore: candidate");
        try (NetconfSession other = sessions.open(plant.device(), unused -> {})) {
            var unused = other.rpc("<lock><target><candidate/></target></lock>", WITHIN);
            List<MoveAnswer> answers = device.move(List.of(make("1", "2"), make("3", "4")), LAYOUT, WITHIN);
            assertThat(answers)
                    .hasSize(2)
                    .allSatisfy(answer -> assertThat(answer)
                            .isEqualTo(new MoveAnswer.Refused(
                                    ItemReason.ITEM_REASON_DEVICE_REFUSED,
                                    "the device does not lock candidate: the lock on candidate is held"
                                            + " by another session")));
        }
    }

    @Test
    void aLockOfAnotherSessionOnRunningRefusesTheChange() throws Exception {
        OpticalSwitch device = device("datastore: candidate");
        try (NetconfSession other = sessions.open(plant.device(), unused -> {})) {
            var unused = other.rpc("<lock><target><running/></target></lock>", WITHIN);
            assertThat(device.move(List.of(make("1", "2")), LAYOUT, WITHIN).getFirst())
                    .isInstanceOf(MoveAnswer.Refused.class);
        }
        assertThat(device.move(List.of(make("1", "2")), LAYOUT, WITHIN)).containsExactly(new MoveAnswer.Accepted());
    }

    /** As devices were seen that keep a candidate for five seconds. */
    @Test
    void aCandidateThatTheDeviceForgotMakesNothing() throws Exception {
        OpticalSwitch device = device("quirks: [forgets-candidate]");
        assertThat(device.move(List.of(make("1", "2")), LAYOUT, WITHIN)).containsExactly(new MoveAnswer.Accepted());
        assertThat(device.circuits(LAYOUT)).isEmpty();
    }

    @Test
    void aLockOfAnotherSessionRefusesTheChange() throws Exception {
        OpticalSwitch device = device("datastore: candidate");
        try (NetconfSession other = sessions.open(plant.device(), unused -> {})) {
            var unused = other.rpc("<lock><target><candidate/></target></lock>", WITHIN);
            assertThat(device.move(List.of(make("1", "2")), LAYOUT, WITHIN).getFirst())
                    .isInstanceOfSatisfying(
                            MoveAnswer.Refused.class,
                            refused -> assertThat(refused.nativeText()).contains("held by another session"));
        }
        assertThat(plant.truth()).isEmpty();
    }

    @Test
    void aDeviceWithoutASessionForNotificationsIsPolled() throws Exception {
        OpticalSwitch other = device("quirks: [two-sessions]");
        CompletableFuture<List<NativeCircuit>> polled = new CompletableFuture<>();
        CompletableFuture<DeviceReading> present = new CompletableFuture<>();
        AdapterListener listener = new AdapterListener() {
            @Override
            public void described(DeviceDescription description) {}

            @Override
            public void removed(String deviceId) {}

            @Override
            public void present(String deviceId, DeviceReading reading) {
                present.complete(reading);
            }

            @Override
            public void silent(String deviceId, String detail) {}

            @Override
            public void circuits(String deviceId, List<NativeCircuit> circuits) {
                if (!circuits.isEmpty()) {
                    polled.complete(circuits);
                }
            }

            @Override
            public void ports(String deviceId, List<PortStatus> ports) {}

            @Override
            public void alarms(String deviceId, List<Alarm> alarms) {}

            @Override
            public void environment(String deviceId, Environment environment) {}

            @Override
            public void powerCycled(String deviceId) {}
        };
        try (Adapter adapter = PolatisSession.adapter(new AdapterConfig.NetconfPolatis(List.of(plant.device())))) {
            adapter.start(listener).get(30, TimeUnit.SECONDS);
            assertThat(present.get(30, TimeUnit.SECONDS).circuits()).isEmpty();
            var unused = other.move(List.of(make("1", "2")), LAYOUT, WITHIN);
            assertThat(polled.get(30, TimeUnit.SECONDS)).hasSize(1);
        }
    }
}
