package dev.lightpath.driver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.driver.config.AdapterConfig;
import dev.lightpath.driver.config.AdapterConfig.NetconfDevice;
import dev.lightpath.proto.driver.v1alpha1.Alarm;
import dev.lightpath.proto.driver.v1alpha1.AlarmKind;
import dev.lightpath.proto.driver.v1alpha1.ApplyCircuitsRequest;
import dev.lightpath.proto.driver.v1alpha1.Outcome;
import dev.lightpath.proto.driver.v1alpha1.TelemetryServiceGrpc;
import dev.lightpath.proto.driver.v1alpha1.WatchRequest;
import dev.lightpath.proto.emulator.v1alpha1.FaultKind;
import dev.lightpath.proto.emulator.v1alpha1.InjectFaultRequest;
import io.grpc.ManagedChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** The NETCONF adapter where the device, or the way to it, is not as it should be. */
final class NetconfDriverTest extends ManagedTrial {
    private static final String CANDIDATE = "base: \"1.1\", datastore: candidate";

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
    void aRevisionThatNobodyKnowsIsOneLineUnlessItIsNamed() throws Exception {
        NetconfDevice right =
                plant("ports: 16", CANDIDATE + ", revision: 2031-01-01").device();
        Path password = right.passwordFile().orElseThrow();
        leavesAloneAndSays(
                only(right), "revision 2031-01-01 of module optical-switch is unknown; allowed are those up to");
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
            // one session to ask, one to listen
            Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> proxy.accepted() == before + 2);
            assertThat(apply(
                                    driver,
                                    request("again")
                                            .addConnects(Requests.key("1->9"))
                                            .build())
                            .getOutcome())
                    .isEqualTo(Outcome.OUTCOME_APPLIED);
            assertThat(alarms(driver)).containsExactly("3");
            plant.clearFaults();
            awaitAlarms(driver, List.of());
        }
    }

    private static void awaitAlarms(ManagedChannel driver, List<String> ports) {
        Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> alarms(driver), ports::equals);
    }

    /** Ports with an alarm of low power. */
    private static List<String> alarms(ManagedChannel driver) {
        return TelemetryServiceGrpc.newBlockingStub(driver)
                .withDeadlineAfter(30, TimeUnit.SECONDS)
                .watch(WatchRequest.getDefaultInstance())
                .next()
                .getSnapshot()
                .getAlarmsList()
                .stream()
                .filter(alarm -> alarm.getKind() == AlarmKind.ALARM_KIND_LOW_POWER)
                .map(Alarm::getWhere)
                .toList();
    }

    private static NetconfDevice at(NetconfPlant plant, CutProxy proxy) {
        NetconfDevice right = plant.device();
        return changed(right, proxy.port(), right.passwordFile().orElseThrow(), right.hostKey(), "", "");
    }
}
