package dev.lightpath.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lightpath.driver.config.AdapterConfig;
import dev.lightpath.driver.config.AdapterConfig.NetconfDevice;
import dev.lightpath.proto.driver.v1alpha1.Alarm;
import dev.lightpath.proto.driver.v1alpha1.AlarmKind;
import dev.lightpath.proto.driver.v1alpha1.ApplyCircuitsRequest;
import dev.lightpath.proto.driver.v1alpha1.GetInventoryRequest;
import dev.lightpath.proto.driver.v1alpha1.InventoryServiceGrpc;
import dev.lightpath.proto.driver.v1alpha1.ItemReason;
import dev.lightpath.proto.driver.v1alpha1.Operation;
import dev.lightpath.proto.driver.v1alpha1.Outcome;
import dev.lightpath.proto.driver.v1alpha1.Port;
import dev.lightpath.proto.driver.v1alpha1.PortAdminState;
import dev.lightpath.proto.driver.v1alpha1.PortOverride;
import dev.lightpath.proto.driver.v1alpha1.TelemetryServiceGrpc;
import dev.lightpath.proto.driver.v1alpha1.WatchRequest;
import dev.lightpath.proto.driver.v1alpha1.WatchResponse;
import dev.lightpath.proto.emulator.v1alpha1.FaultKind;
import dev.lightpath.proto.emulator.v1alpha1.InjectFaultRequest;
import io.grpc.ManagedChannel;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.sshd.common.config.keys.writer.openssh.OpenSSHKeyEncryptionContext;
import org.apache.sshd.common.config.keys.writer.openssh.OpenSSHKeyPairResourceWriter;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;

/** The NETCONF adapter where the device, or the way to it, is not as it should be. */
@Order(1)
final class NetconfDriverTest extends ManagedTrial {
    private static final String CANDIDATE = "base: \"1.1\", datastore: candidate";

    private static final String RUNNING = "base: \"1.0\", datastore: running, notifications: false";

    /** The same switch by TL1. */
    private static final String OF_ANOTHER_CONTROLLER =
            "}\ntl1:\n  - {device: ocs-1, listen: \"127.0.0.1:0\", user: lab, password: lab-1";

    private static final String CHANGED = "changed by others: ";

    private NetconfPlant plant(String device, String netconf) throws Exception {
        NetconfPlant plant = new NetconfPlant(directory, device, netconf);
        open.add(plant);
        return plant;
    }

    private static AdapterConfig only(NetconfDevice device) {
        return new AdapterConfig.NetconfPolatis(List.of(device));
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

    @Test
    void aWrongHostKeyIsOneLineAndIsShownNoPassword() throws Exception {
        NetconfDevice right = plant("ports: 16", CANDIDATE).device();
        String other = "SHA256:" + "A".repeat(43);
        leavesAloneAndSays(
                only(changed(right, right.port(), right.passwordFile().orElseThrow(), other, "", "")),
                "the host key is " + right.hostKey() + ", but driver.yaml names " + other);
    }

    @Test
    void aWrongPasswordIsOneLine() throws Exception {
        NetconfDevice right = plant("ports: 16", CANDIDATE).device();
        Path wrong = Files.writeString(directory.resolve("wrong"), "s3cr3t-but-wrong");
        leavesAloneAndSays(
                only(changed(right, right.port(), wrong, right.hostKey(), "", "")),
                "the device takes no user 'admin' with the password in " + wrong);
    }

    @Test
    void aPortOnWhichNobodyListensIsOneLine() throws Exception {
        NetconfDevice right = plant("ports: 16", CANDIDATE).device();
        int port = QuietPort.find();
        leavesAloneAndSays(
                only(changed(right, port, right.passwordFile().orElseThrow(), right.hostKey(), "", "")),
                "cannot connect to " + right.host() + ":" + port + ": Connection refused");
    }

    @Test
    void aServerThatSpeaksNoSshIsOneLine() throws Exception {
        saysOfAServerThatSays(
                "HTTP/1.1 400 Bad Request\r\n\r\n", "127.0.0.1:PORT speaks no SSH: write the port of NETCONF");
    }

    /** The library for SSH may say no more of it than one word. */
    @Test
    void aServerThatHangsUpBeforeTheSessionBeginsIsOneLine() throws Exception {
        saysOfAServerThatSays("SSH-2.0-Brick\r\n", "the session of SSH did not begin: ");
    }

    private void saysOfAServerThatSays(String words, String line) throws Exception {
        NetconfDevice right = plant("ports: 16", CANDIDATE).device();
        try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Thread.startVirtualThread(() -> {
                while (!other.isClosed()) {
                    try (Socket client = other.accept()) {
                        client.getOutputStream().write(words.getBytes(StandardCharsets.US_ASCII));
                        // its words arrive before its end: what is not read would end the connection at once
                        client.shutdownOutput();
                        var unused = client.getInputStream().readAllBytes();
                    } catch (IOException closing) {
                        // tried again, or over
                    }
                }
            });
            int port = other.getLocalPort();
            leavesAloneAndSays(
                    only(changed(right, port, right.passwordFile().orElseThrow(), right.hostKey(), "", "")),
                    line.replace("PORT", Integer.toString(port)));
        }
    }

    /** Whether it ends the session before or after the driver's hello is a matter of time: the line is the same. */
    @Test
    void aServerOfSshWithoutNetconfIsOneLine() throws Exception {
        NetconfDevice right = plant("ports: 16", CANDIDATE).device();
        SshNetconf other = new SshNetconf(password -> true, Optional.empty());
        open.add(other);
        leavesAloneAndSays(
                only(changed(right, other.port(), right.passwordFile().orElseThrow(), other.hostKey(), "", "")),
                "the device ended the session before its hello: it takes no more sessions, or 127.0.0.1:" + other.port()
                        + " is not the port of NETCONF, which is usually 830");
    }

    private static AdapterConfig withKey(NetconfDevice of, Path key) {
        return only(new NetconfDevice(
                of.id(),
                of.host(),
                of.port(),
                of.user(),
                Optional.empty(),
                Optional.of(key),
                of.hostKey(),
                of.size(),
                of.yangRevision(),
                of.poll()));
    }

    @Test
    void aKeyThatTheDeviceDoesNotKnowIsOneLine() throws Exception {
        NetconfDevice right = plant("ports: 16", CANDIDATE).device();
        Path key = directory.resolve("key");
        try (var out = Files.newOutputStream(key)) {
            OpenSSHKeyPairResourceWriter.INSTANCE.writePrivateKey(SshNetconf.keyPair(), "", null, out);
        }
        leavesAloneAndSays(withKey(right, key), "the device takes no user 'admin' with the key in " + key);
    }

    @Test
    void aKeyThatCannotBeUsedIsOneLine() throws Exception {
        NetconfDevice right = plant("ports: 16", CANDIDATE).device();
        Path none = Files.writeString(directory.resolve("none"), "s3cr3t but no key");
        leavesAloneAndSays(
                withKey(right, none),
                "the key in " + none + " cannot be used: it holds no private key; allowed are keys of ECDSA or RSA"
                        + " without a passphrase");
        closeDriver();
        Path damaged = Files.writeString(directory.resolve("damaged"), """
            -----BEGIN OPENSSH PRIVATE KEY-----
            %%%s3cr3t%%%
            -----END OPENSSH PRIVATE KEY-----
            """);
        leavesAloneAndSays(
                withKey(right, damaged),
                "the key in " + damaged + " cannot be used: it is damaged; allowed are keys of ECDSA or RSA"
                        + " without a passphrase");
        closeDriver();
        Path locked = directory.resolve("locked");
        OpenSSHKeyEncryptionContext passphrase = new OpenSSHKeyEncryptionContext();
        passphrase.setPassword("s3cr3t-passphrase");
        passphrase.setCipherType("256");
        try (var out = Files.newOutputStream(locked)) {
            OpenSSHKeyPairResourceWriter.INSTANCE.writePrivateKey(SshNetconf.keyPair(), "", passphrase, out);
        }
        leavesAloneAndSays(
                withKey(right, locked),
                "the key in " + locked + " cannot be used: it has a passphrase; allowed are keys of ECDSA or RSA"
                        + " without a passphrase");
        assertThat(log("speaks no SSH")).isEmpty();
    }

    @Test
    void aRevisionThatNobodyKnowsIsOneLineUnlessItIsNamed() throws Exception {
        NetconfDevice right =
                plant("ports: 16", CANDIDATE + ", revision: 2031-01-01").device();
        Path password = right.passwordFile().orElseThrow();
        leavesAloneAndSays(
                only(right),
                "revision 2031-01-01 of module optical-switch is unknown, so the device is neither read nor changed;"
                        + " allowed are those up to 2018-03-22");
        awaitPresent(driver2(changed(right, right.port(), password, right.hostKey(), "", "2031-01-01")));
    }

    private ManagedChannel driver2(NetconfDevice device) throws Exception {
        open.removeLast().close();
        open.removeLast().close();
        return driver(only(device));
    }

    @Test
    void aDeviceOfAnotherSizeIsOneLine() throws Exception {
        NetconfDevice right = plant("ports: 16, twoSided: true", CANDIDATE).device();
        leavesAloneAndSays(
                only(changed(right, right.port(), right.passwordFile().orElseThrow(), right.hostKey(), "16xCC", "")),
                "the device is a E8x8, but driver.yaml names size 16xCC");
    }

    @Test
    void manyCircuitsAreOneEditAndOneCommit() throws Exception {
        NetconfPlant plant = plant("ports: 128", CANDIDATE);
        try (CutProxy proxy = new CutProxy(plant.port())) {
            ManagedChannel driver = driver(only(at(plant, proxy)));
            awaitPresent(driver);
            ApplyCircuitsRequest.Builder many = request("many");
            for (int i = 1; i <= 64; i++) {
                many.addConnects(Requests.key(i + "->" + (64 + i)));
            }
            assertThat(apply(driver, many.build()).getOutcome()).isEqualTo(Outcome.OUTCOME_APPLIED);
            assertThat(plant.truth()).hasSize(64);
            assertThat(plant.front().commits()).isEqualTo(1);
        }
    }

    @Test
    void aSessionThatIsCutAnywhereInAChangeMovesNoCircuitTwice() throws Exception {
        NetconfPlant plant = plant("ports: 16", CANDIDATE);
        try (CutProxy proxy = new CutProxy(plant.port())) {
            movesNoCircuitTwice(
                    plant, proxy, driver(only(at(plant, proxy))), 4000, Set.of(List.of(), List.of("1->9", "2->10")));
        }
    }

    @Test
    void aSessionThatIsCutAnywhereInAChangeOfRunningMovesNoCircuitTwice() throws Exception {
        NetconfPlant plant = plant("ports: 16", RUNNING);
        try (CutProxy proxy = new CutProxy(plant.port())) {
            movesNoCircuitTwice(
                    plant, proxy, driver(only(at(plant, proxy))), 3000, Set.of(List.of(), List.of("1->9", "2->10")));
        }
    }

    @Test
    void theFarEndThatIsWrittenAtAPortIsAHint() throws Exception {
        NetconfPlant plant = plant("ports: 16", CANDIDATE + "}\nfibres:\n  - {a: ocs-1/1, b: ocs-1/9");
        ManagedChannel driver = driver(plant.adapter());
        awaitPresent(driver);
        assertThat(InventoryServiceGrpc.newBlockingStub(driver)
                        .withDeadlineAfter(30, TimeUnit.SECONDS)
                        .getInventory(GetInventoryRequest.newBuilder()
                                .addDeviceIds(ManagedPlant.DEVICE)
                                .build())
                        .getDevices(0)
                        .getPortsList())
                .filteredOn(Port::hasPeerHint)
                .extracting(port -> port.getName() + " to " + port.getPeerHint().getDeviceId() + "/"
                        + port.getPeerHint().getPort())
                .containsExactly("1 to ocs-1/9", "9 to ocs-1/1");
    }

    @Test
    void aShutterStopsTheLightAndTheCircuitStays() throws Exception {
        NetconfPlant plant = plant("ports: 16", CANDIDATE);
        ManagedChannel driver = driver(plant.adapter());
        awaitPresent(driver);
        closesAndOpens(plant, driver, "1", "9");
    }

    /** As a server was seen to do that has no hardware behind it. */
    @Test
    void aShutterThatOnlySaysOkIsNotTakenForClosed() throws Exception {
        NetconfPlant plant = plant("ports: 16", CANDIDATE + ", quirks: [shutter-lies]");
        ManagedChannel driver = driver(plant.adapter());
        awaitPresent(driver);
        assertThatThrownBy(() -> override(driver, "9", PortOverride.PORT_OVERRIDE_SHUTTERED))
                .hasMessageContaining("the device said ok, but port 9 is 'ENABLED' and not DISABLED");
        assertThat(snapshot(driver).getPortsList())
                .noneMatch(port -> port.getOverride() == PortOverride.PORT_OVERRIDE_SHUTTERED);
    }

    @Test
    void aFabricWithoutChangesIsNeverSilent() throws Exception {
        outlastsIdleness(
                driver(plant("ports: 16", CANDIDATE + ", quirks: [ends-idle]").adapter()));
    }

    @Test
    void portsWithoutAShutterAreInService() throws Exception {
        NetconfPlant plant = plant("ports: 16", CANDIDATE + ", quirks: [no-shutters]");
        ManagedChannel driver = driver(plant.adapter());
        awaitPresent(driver);
        assertThat(snapshot(driver).getPortsList())
                .hasSize(16)
                .allMatch(port -> port.getAdminState() == PortAdminState.PORT_ADMIN_STATE_IN_SERVICE);
        assertThatThrownBy(() -> override(driver, "9", PortOverride.PORT_OVERRIDE_SHUTTERED))
                .hasMessageContaining("has no shutters");
    }

    @Test
    void thePowerOfAPortIsWhatItsMeterShows() throws Exception {
        NetconfPlant plant = plant(
                "ports: 16}\n  - {id: far, kind: endpoints, ports: 1}\nfibres:\n  - {a: far/1, b: ocs-1/3", CANDIDATE);
        ManagedChannel driver = driver(plant.adapter());
        awaitPresent(driver);
        assertThat(snapshot(driver).getPortsList()).allSatisfy(port -> {
            assertThat(port.hasReceivePowerDbm()).isEqualTo(port.getPort().equals("3"));
            assertThat(port.getReceivePowerDbm()).isBetween(-1.0, 1.5);
        });
    }

    /** The switch tells of weak light once; a session that is cut takes nothing away, and the end is told too. */
    @Test
    void anAlarmOutlivesTheSessionInWhichItWasTold() throws Exception {
        NetconfPlant plant = plant(
                "ports: 16}\n  - {id: far, kind: endpoints, ports: 1}\nfibres:\n  - {a: far/1, b: ocs-1/3", CANDIDATE);
        try (CutProxy proxy = new CutProxy(plant.port())) {
            ManagedChannel driver = driver(only(at(plant, proxy)));
            awaitPresent(driver);
            plant.inject(InjectFaultRequest.newBuilder()
                    .setPort("3")
                    .setValue(14)
                    .setKind(FaultKind.FAULT_KIND_DIRTY_CONNECTOR));
            awaitAlarms(driver, List.of("3"));
            long before = proxy.accepted();
            proxy.cut();
            // one session to ask, one to listen, and soon one to change
            Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> proxy.accepted() >= before + 2);
            makes(driver, "again", "1->9");
            assertThat(alarms(driver)).containsExactly("3");
            plant.clearFaults();
            awaitAlarms(driver, List.of());
        }
    }

    /** A port whose light was weak before the driver came, on a switch that tells nobody. */
    @Test
    void lightBelowTheLimitOfTheSwitchIsAnAlarmThoughItIsNotTold() throws Exception {
        NetconfPlant plant = plant(
                "ports: 16}\n  - {id: far, kind: endpoints, ports: 1}\nfibres:\n  - {a: far/1, b: ocs-1/3",
                CANDIDATE + ", notifications: false");
        plant.inject(InjectFaultRequest.newBuilder()
                .setPort("3")
                .setValue(12)
                .setKind(FaultKind.FAULT_KIND_DIRTY_CONNECTOR));
        ManagedChannel driver = driver(plant.adapter());
        awaitPresent(driver);
        awaitAlarms(driver, List.of("3"));
        assertThat(snapshot(driver).getAlarmsList())
                .extracting(Alarm::getNativeText)
                .containsExactly("receive power below -10.00 dBm, by opm-alarm-config");
        plant.clearFaults();
        awaitAlarms(driver, List.of());
    }

    private static final String WEAK_AT_THREE =
            "ports: 16}\n  - {id: far, kind: endpoints, ports: 1}\nfibres:\n  - {a: far/1, b: ocs-1/3";

    /** The limits of its other ports count. */
    @Test
    void aLimitOfAPortThatTheSwitchDoesNotHaveIsOneLine() throws Exception {
        NetconfPlant plant = plant(WEAK_AT_THREE, CANDIDATE + ", notifications: false, quirks: [strange-limits]");
        plant.inject(InjectFaultRequest.newBuilder()
                .setPort("3")
                .setValue(12)
                .setKind(FaultKind.FAULT_KIND_DIRTY_CONNECTOR));
        try (HeardLog log = new HeardLog("")) {
            ManagedChannel driver = driver(plant.adapter());
            awaitPresent(driver);
            awaitAlarms(driver, List.of("3"));
            assertThat(log.lines("opm-alarm-config names port '17', but the device was described with ports 1 to 16"))
                    .hasSize(1);
        }
    }

    @Test
    void aSwitchThatEndsItsSessionWhenLimitsAreAskedForIsUsedWithoutThem() throws Exception {
        NetconfPlant plant = plant("ports: 16", CANDIDATE + ", quirks: [ends-at-limits]");
        try (HeardLog log = new HeardLog("")) {
            ManagedChannel driver = driver(plant.adapter());
            awaitPresent(driver);
            makes(driver, "a", "1->9");
            assertThat(log.lines("device=ocs-1 its limits of receive power are not read: the session ended"))
                    .hasSize(1);
        }
        assertThat(plant.truth()).containsExactly("1->9");
    }

    @Test
    void notificationsThatComeLateTwiceAndInAnotherOrderLeaveWhatIs() throws Exception {
        NetconfPlant plant = plant(
                "ports: 16}\n  - {id: far, kind: endpoints, ports: 1}\nfibres:\n  - {a: far/1, b: ocs-1/3",
                CANDIDATE + ", quirks: [late-notifications, repeated-notifications, reordered-notifications]"
                        + OF_ANOTHER_CONTROLLER);
        ManagedChannel driver = driver(plant.adapter());
        awaitPresent(driver);
        for (int round = 0; round < 3; round++) {
            plant.inject(InjectFaultRequest.newBuilder()
                    .setPort("3")
                    .setValue(12)
                    .setKind(FaultKind.FAULT_KIND_DIRTY_CONNECTOR));
            awaitAlarms(driver, List.of("3"));
            plant.clearFaults();
            awaitAlarms(driver, List.of());
        }
        another(plant, "ENT-PATCH::5,13:2:");
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .until(() -> !log(CHANGED).isEmpty());
        // the last of the repetitions has come with this
        another(plant, "DLT-PATCH::5:2:");
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .until(() -> log(CHANGED).size() > 1);
        assertThat(log(CHANGED)).hasSize(2);
        assertThat(circuits(driver)).isEmpty();
    }

    @Test
    void whoChangedTheSwitchIsNamed() throws Exception {
        NetconfPlant plant = plant("ports: 16", CANDIDATE + OF_ANOTHER_CONTROLLER);
        ManagedChannel driver = driver(only(seldomPolled(plant)));
        awaitPresent(driver);
        makes(driver, "ours", "1->9");
        String who = "user 'lab' at 127.0.0.1 by TL1: ENT-PATCH 5,13";
        try (Watching watching =
                Watching.start(TelemetryServiceGrpc.newStub(driver), WatchRequest.getDefaultInstance())) {
            watching.await(WatchResponse.EventCase.SYNCED);
            another(plant, "ENT-PATCH::5,13:2:");
            watching.await(m -> m.hasForeignChange()
                    && m.getForeignChange().getChangedByList().equals(List.of(who)));
        }
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .until(() -> !log(CHANGED).isEmpty()
                        && Files.readString(directory.resolve("state/audit.log"))
                                .contains("changed by others"));
        assertThat(log(CHANGED)).singleElement().asString().contains(who);
        assertThat(Files.readAllLines(directory.resolve("state/audit.log")))
                .filteredOn(line -> line.contains("changed by others"))
                .singleElement()
                .asString()
                .contains(who);
        assertThat(plant.truth()).containsExactly("1->9", "5->13");
    }

    @Test
    void whatAPersonMovedAtTheSwitchIsTheirs() throws Exception {
        NetconfPlant plant = plant("ports: 16", CANDIDATE + OF_ANOTHER_CONTROLLER);
        ManagedChannel driver = driver(plant.adapter());
        awaitPresent(driver);
        ApplyCircuitsRequest ours =
                request("ours").addConnects(Requests.key("1->9")).build();
        assertThat(apply(driver, ours).getOutcome()).isEqualTo(Outcome.OUTCOME_APPLIED);
        another(plant, "DLT-PATCH::1:2:;ENT-PATCH::1,10:3:");
        Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> circuits(driver), List.of("1->10")::equals);
        assertThatThrownBy(() ->
                        apply(driver, ours.toBuilder().setOperationId("again").build()))
                .hasMessageContaining("port '1' is used by 1->10");
        assertThat(plant.truth()).containsExactly("1->10");
    }

    @Test
    void aSwitchThatMovesByItselfIsNamedToo() throws Exception {
        NetconfPlant plant = plant("ports: 16", CANDIDATE + ", quirks: [moves-by-itself]");
        ManagedChannel driver = driver(plant.adapter());
        awaitPresent(driver);
        assertThat(apply(
                                driver,
                                request("one").addConnects(Requests.key("1->9")).build())
                        .getOutcome())
                .isEqualTo(Outcome.OUTCOME_PARTIAL);
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .until(() -> !log(CHANGED).isEmpty());
        assertThat(log(CHANGED))
                .singleElement()
                .asString()
                .contains("the switch itself, which protects circuits: service lab: port 15 to port 16");
        makes(driver, "two", "1->9");
        assertThat(plant.truth()).containsExactly("1->9", "15->16");
        assertThat(plant.moves()).isEqualTo(2);
    }

    /** As devices were seen that keep a candidate for five seconds. */
    @Test
    void aCandidateThatTheDeviceForgotIsNotTakenForAChange() throws Exception {
        NetconfPlant plant = plant("ports: 16", CANDIDATE + ", quirks: [forgets-candidate]");
        ManagedChannel driver = driver(plant.adapter());
        awaitPresent(driver);
        Operation forgotten = apply(
                driver, request("forgotten").addConnects(Requests.key("1->9")).build());
        assertThat(forgotten.getOutcome()).isNotEqualTo(Outcome.OUTCOME_APPLIED);
        assertThat(forgotten.getItems(0).getReason()).isEqualTo(ItemReason.ITEM_REASON_READ_BACK_DIFFERS);
        assertThat(plant.truth()).isEmpty();
        assertThat(plant.moves()).isZero();
    }

    private static NetconfDevice seldomPolled(NetconfPlant plant) {
        NetconfDevice of = plant.device();
        return new NetconfDevice(
                of.id(),
                of.host(),
                of.port(),
                of.user(),
                of.passwordFile(),
                of.keyFile(),
                of.hostKey(),
                of.size(),
                of.yangRevision(),
                Duration.ofMinutes(10));
    }

    /** Somebody else at the switch. */
    private static void another(NetconfPlant plant, String commands) throws IOException {
        int tags = commands.split(";").length + 1;
        try (Socket other =
                new Socket("127.0.0.1", plant.emulator.tl1(ManagedPlant.DEVICE).port())) {
            other.setSoTimeout(30_000);
            other.getOutputStream()
                    .write(("ACT-USER::lab:1::lab-1;" + commands + ";").getBytes(StandardCharsets.US_ASCII));
            BufferedReader said =
                    new BufferedReader(new InputStreamReader(other.getInputStream(), StandardCharsets.US_ASCII));
            assertThat(said.lines().filter(line -> line.startsWith("M  ")).limit(tags))
                    .allMatch(line -> line.endsWith(" COMPLD"));
        }
    }

    private static void awaitAlarms(ManagedChannel driver, List<String> ports) {
        Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> alarms(driver), ports::equals);
    }

    /** Ports with an alarm of low power. */
    private static List<String> alarms(ManagedChannel driver) {
        return snapshot(driver).getAlarmsList().stream()
                .filter(alarm -> alarm.getKind() == AlarmKind.ALARM_KIND_LOW_POWER)
                .map(Alarm::getWhere)
                .toList();
    }

    private static NetconfDevice at(NetconfPlant plant, CutProxy proxy) {
        NetconfDevice right = plant.device();
        return changed(right, proxy.port(), right.passwordFile().orElseThrow(), right.hostKey(), "", "");
    }
}
