package dev.lightpath.app.driver;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.lightpath.app.driver.endpoint.DriverEndpoint;
import dev.lightpath.app.whole.Installation;
import dev.lightpath.driver.DriverServer;
import dev.lightpath.driver.config.DriverConfig;
import dev.lightpath.planner.light.ChangeOutcome.Applied;
import dev.lightpath.planner.light.ChangeOutcome.Reason;
import dev.lightpath.planner.light.ChangeOutcome.Rejected;
import dev.lightpath.planner.light.Circuit;
import dev.lightpath.planner.light.DeviceChange;
import dev.lightpath.planner.light.DeviceId;
import dev.lightpath.planner.light.DeviceState;
import dev.lightpath.planner.light.DeviceState.Presence;
import dev.lightpath.planner.light.DriverState;
import dev.lightpath.planner.light.DriverState.Contact;
import dev.lightpath.planner.light.FarEnd;
import dev.lightpath.planner.light.Inventory;
import dev.lightpath.planner.light.PortLight.Lock;
import dev.lightpath.planner.light.Stage;
import dev.lightpath.planner.light.StageId;
import dev.lightpath.proto.emulator.v1alpha1.ChaosServiceGrpc;
import dev.lightpath.proto.emulator.v1alpha1.ChaosServiceGrpc.ChaosServiceBlockingStub;
import dev.lightpath.proto.emulator.v1alpha1.ClearFaultsRequest;
import dev.lightpath.proto.emulator.v1alpha1.FaultKind;
import dev.lightpath.proto.emulator.v1alpha1.GetGroundTruthRequest;
import dev.lightpath.proto.emulator.v1alpha1.InjectFaultRequest;
import dev.lightpath.sim.Emulator;
import dev.lightpath.sim.scenario.Scenario;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The fleet in front of a real driver server and emulated transceivers: what it says is what light does. */
class RealDriverTest {
    private static final String ROLE = "cluster/ring-a";
    private static final Circuit LOOP = new Circuit("b0.common", "b0.loop");
    private static final Circuit PATH = new Circuit("b0.common", "b0.path1");
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final FleetTimings TIMINGS = new FleetTimings(
            Duration.ofMillis(200),
            Duration.ofSeconds(10),
            Duration.ofMillis(20),
            Duration.ofMillis(500),
            Duration.ofSeconds(10),
            Duration.ofSeconds(1),
            Duration.ofSeconds(30),
            Duration.ofSeconds(2),
            Duration.ofSeconds(1));

    @TempDir
    private Path folder;

    private final AtomicLong epoch = new AtomicLong(3);
    private final FleetLog log = new FleetLog();
    private final List<DriverFleet> fleets = new ArrayList<>();
    private Emulator emulator;
    private ManagedChannel toEmulator;
    private ChaosServiceBlockingStub chaos;
    private DriverServer driver;
    private DriverConfig config;
    private String address;

    @BeforeEach
    void start() throws Exception {
        emulator = Emulator.start(Scenario.parse("test.yaml", """
                listen: 127.0.0.1:0
                seed: 5
                ring: {nodes: 8, reach: 3}
                """));
        toEmulator = Grpc.newChannelBuilderForAddress("127.0.0.1", emulator.port(), InsecureChannelCredentials.create())
                .build();
        chaos = ChaosServiceGrpc.newBlockingStub(toEmulator);
        DriverConfig anywhere = DriverConfig.onLoopback(folder, "127.0.0.1:" + emulator.port());
        config = new DriverConfig(
                new DriverConfig.Address("127.0.0.1", Installation.quietPort()),
                anywhere.http(),
                anywhere.stateDirectory(),
                anywhere.adapters(),
                anywhere.tls(),
                anywhere.watchBuffer(),
                anywhere.maxOperations());
        driver = DriverServer.start(config);
        address = "127.0.0.1:" + driver.port();
    }

    @AfterEach
    void stop() throws Exception {
        fleets.forEach(DriverFleet::close);
        driver.close();
        toEmulator.shutdownNow();
        emulator.close();
    }

    @Test
    void listsTransceiversInLoopback() {
        DriverFleet fleet = synced();

        assertThat(state(fleet).devices()).hasSize(8);
        assertThat(state(fleet).devices().values()).allSatisfy(device -> {
            assertThat(device.presence()).isEqualTo(Presence.PRESENT);
            assertThat(device.circuits().contains(LOOP)).isTrue();
            assertThat(device.failedPorts()).isEmpty();
        });
    }

    @Test
    void transceiversListTheBundlesTheyHave() {
        DriverFleet fleet = synced();

        await().atMost(PATIENCE)
                .until(() -> state(fleet).devices().values().stream()
                        .allMatch(device -> device.inventory().isPresent()));
        Inventory inventory = device(fleet, "n4").inventory().orElseThrow();
        assertThat(inventory.ports()).hasSize(12).containsEntry("b2.common", Inventory.Side.COMMON);
        assertThat(inventory.make().vendor()).isNotEmpty();
        assertThat(inventory.refusal(PATH)).isEmpty();
        assertThat(inventory.refusal(new Circuit("b0.common", "b1.path1")).orElseThrow())
                .contains("only to b0.loop, b0.path1, b0.path2");
        assertThat(inventory.refusal(new Circuit("b3.common", "b3.loop")).orElseThrow())
                .contains("no port b3.common", "12 ports");
    }

    @Test
    void twoSidedAndAnyToAnySwitchesListTheirSides() throws Exception {
        try (Emulator switches = Emulator.start(Scenario.parse("switches.yaml", """
                        listen: 127.0.0.1:0
                        seed: 5
                        devices:
                          - {id: ocs-1, kind: switch, ports: 8, preset: mems}
                          - {id: ocs-2, kind: switch, ports: 8, twoSided: true, preset: mems}
                        """));
                DriverServer before = DriverServer.start(
                        DriverConfig.onLoopback(folder.resolve("switches"), "127.0.0.1:" + switches.port()))) {
            String there = "127.0.0.1:" + before.port();
            DriverFleet fleet = new DriverFleet(epoch::get, TIMINGS, InstantSource.system(), new Random(1));
            fleets.add(fleet);
            fleet.connect(List.of(DriverEndpoint.plaintext(there, ROLE)));
            await().atMost(PATIENCE)
                    .until(() -> requireNonNull(fleet.states().get(there)).devices().values().stream()
                                    .filter(device -> device.inventory().isPresent())
                                    .count()
                            == 2);
            var devices = requireNonNull(fleet.states().get(there)).devices();
            Inventory any = requireNonNull(devices.get("ocs-1")).inventory().orElseThrow();
            Inventory two = requireNonNull(devices.get("ocs-2")).inventory().orElseThrow();
            assertThat(any.ports().values()).containsOnly(Inventory.Side.BOTH);
            assertThat(two.ports().values()).containsOnly(Inventory.Side.INGRESS, Inventory.Side.EGRESS);
        }
    }

    @Test
    void lightMovesAndBothEndsHearEachOther() throws InterruptedException {
        DriverFleet fleet = synced();
        // Path 1 of the first module of n1 meets that of the second module of n0.
        Circuit there = new Circuit("b1.common", "b1.path1");

        fleet.start(
                new Stage(
                        new StageId(3, 1),
                        ROLE,
                        Stage.Cause.PLACE,
                        List.of(
                                change(fleet, "n1", LOOP, PATH),
                                change(fleet, "n0", new Circuit("b1.common", "b1.loop"), there))),
                "pod-1");

        FleetLog.Answers outcome = log.outcomeOf(2);
        assertThat(outcome.applied()).as(outcome.toString()).isTrue();
        assertThat(device(fleet, "n1").circuits().contains(PATH)).isTrue();
        assertThat(truth("n1")).contains(PATH).doesNotContain(LOOP);
        assertThat(truth("n0")).contains(there);
        await().atMost(PATIENCE)
                .until(() -> device(fleet, "n1").lightAt("b0.path1").lock() == Lock.UP);
        assertThat(device(fleet, "n1").lightAt("b0.path1").heard()).contains(new FarEnd("n0", "b1.path1"));
        assertThat(state(fleet).highestEpoch()).isEqualTo(3);
    }

    @Test
    void olderLeaderIsRefusedAndLearnsTheHigherEpoch() throws InterruptedException {
        DriverFleet older = synced();
        DriverFleet newer = new DriverFleet(() -> 4, TIMINGS, InstantSource.system(), new Random(2));
        fleets.add(newer);
        FleetLog newerLog = new FleetLog();
        newer.listen(newerLog);
        newer.connect(List.of(DriverEndpoint.plaintext(address, ROLE)));
        await().atMost(PATIENCE).until(() -> state(newer).synced());
        newer.start(stage(newer, 4, "n1", LOOP, PATH), "newer");
        assertThat(newerLog.outcome().applied()).isTrue();

        await().atMost(PATIENCE).until(() -> device(older, "n1").circuits().contains(PATH));
        older.start(stage(older, 3, "n1", PATH, LOOP), "older");

        Rejected rejected = (Rejected) requireNonNull(log.outcome().outcomes().get(id("n1")));
        assertThat(rejected.reason()).isEqualTo(Reason.STALE_EPOCH);
        assertThat(state(older).contact()).isEqualTo(Contact.STALE_EPOCH);
        assertThat(state(older).highestEpoch()).isEqualTo(4);
        assertThat(truth("n1")).contains(PATH);
    }

    @Test
    void changePlannedOnAnotherStateIsRefused() throws InterruptedException {
        DriverFleet fleet = synced();
        Stage stale = stage(fleet, 3, "n1", LOOP, PATH);
        fleet.start(new Stage(new StageId(3, 1), ROLE, Stage.Cause.PLACE, stale.changes()), "pod-1");
        assertThat(log.outcome().applied()).isTrue();

        fleet.start(new Stage(new StageId(3, 2), ROLE, Stage.Cause.PLACE, stale.changes()), "pod-1");

        Rejected rejected = (Rejected) requireNonNull(log.outcome().outcomes().get(id("n1")));
        assertThat(rejected.reason()).isEqualTo(Reason.STATE_DIFFERS);
    }

    @Test
    void answerThatComesTooLateIsResolvedAndHoldsUpNoOtherDevice() throws InterruptedException {
        DriverFleet fleet = synced();
        chaos.injectFault(InjectFaultRequest.newBuilder()
                .setDeviceId("n1")
                .setKind(FaultKind.FAULT_KIND_CALL_DELAY)
                .setValue(1500)
                .build());

        fleet.start(
                new Stage(new StageId(3, 1), ROLE, Stage.Cause.PLACE, List.of(change(fleet, "n1", LOOP, PATH))),
                "pod-1");
        fleet.start(
                new Stage(new StageId(3, 2), ROLE, Stage.Cause.PLACE, List.of(change(fleet, "n2", LOOP, PATH))),
                "pod-1");

        FleetLog.Answers first = log.outcome();
        assertThat(first.stage()).isEqualTo(new StageId(3, 2));
        assertThat(first.applied()).isTrue();
        FleetLog.Answers second = log.outcome();
        assertThat(second.outcomes().get(id("n1"))).isInstanceOf(Applied.class);
        assertThat(truth("n1")).contains(PATH);
    }

    @Test
    void deviceThatFallsSilentIsAFaultOfThatDeviceOnlyAndComesBack() {
        DriverFleet fleet = synced();

        chaos.injectFault(InjectFaultRequest.newBuilder()
                .setDeviceId("n4")
                .setKind(FaultKind.FAULT_KIND_POWER_LOSS)
                .build());

        await().atMost(PATIENCE).until(() -> device(fleet, "n4").presence() == Presence.SILENT);
        assertThat(state(fleet).contact()).isEqualTo(Contact.SYNCED);
        assertThat(device(fleet, "n5").presence()).isEqualTo(Presence.PRESENT);
        var unused = chaos.clearFaults(ClearFaultsRequest.getDefaultInstance());
        await().atMost(PATIENCE).until(() -> device(fleet, "n4").presence() == Presence.PRESENT);
    }

    @Test
    void failedModuleFailsItsPorts() {
        DriverFleet fleet = synced();

        chaos.injectFault(InjectFaultRequest.newBuilder()
                .setDeviceId("n4")
                .setModule("b1")
                .setKind(FaultKind.FAULT_KIND_PORT_FAILED)
                .build());

        await().atMost(PATIENCE).until(() -> device(fleet, "n4").failedPorts().containsKey("b1.common"));
        assertThat(device(fleet, "n4").failedPorts().keySet()).allMatch(port -> port.startsWith("b1."));
        assertThat(device(fleet, "n4").presence()).isEqualTo(Presence.PRESENT);
    }

    @Test
    void restartedDriverIsSyncedAgainAndRemembersTheEpoch() throws Exception {
        DriverFleet fleet = synced();
        fleet.start(stage(fleet, 3, "n1", LOOP, PATH), "pod-1");
        assertThat(log.outcome().applied()).isTrue();

        driver.close();
        await().atMost(PATIENCE).until(() -> state(fleet).contact() == Contact.UNREACHABLE);
        assertThat(state(fleet).devices()).hasSize(8);
        driver = DriverServer.start(config);

        await().atMost(PATIENCE)
                .until(() -> state(fleet).synced()
                        && state(fleet).devices().values().stream().allMatch(DeviceState::present));
        assertThat(state(fleet).highestEpoch()).isEqualTo(3);
        assertThat(device(fleet, "n1").circuits().contains(PATH)).isTrue();
    }

    @Test
    void readingShowsWhatTheHardwareDoes() throws InterruptedException {
        DriverFleet fleet = synced();

        fleet.observe(new TreeSet<>(List.of(id("n1"), id("n2"))));

        Reading reading = log.reading();
        assertThat(reading.read()).containsExactly(id("n1"), id("n2"));
        assertThat(reading.unread()).isEmpty();
    }

    private DriverFleet synced() {
        DriverFleet fleet = new DriverFleet(epoch::get, TIMINGS, InstantSource.system(), new Random(1));
        fleets.add(fleet);
        fleet.listen(log);
        fleet.connect(List.of(DriverEndpoint.plaintext(address, ROLE)));
        await().atMost(PATIENCE)
                .until(() -> state(fleet).synced()
                        && state(fleet).devices().size() == 8
                        && state(fleet).devices().values().stream().allMatch(DeviceState::present));
        return fleet;
    }

    private DriverState state(DriverFleet fleet) {
        return requireNonNull(fleet.states().get(address));
    }

    private DeviceState device(DriverFleet fleet, String name) {
        return requireNonNull(state(fleet).devices().get(name), name);
    }

    private DeviceId id(String device) {
        return new DeviceId(address, device);
    }

    private DeviceChange change(DriverFleet fleet, String device, Circuit broken, Circuit made) {
        return new DeviceChange(
                id(device),
                device(fleet, device).digest(),
                new TreeSet<>(List.of(broken)),
                new TreeSet<>(List.of(made)));
    }

    private Stage stage(DriverFleet fleet, long ofEpoch, String device, Circuit broken, Circuit made) {
        return new Stage(
                new StageId(ofEpoch, 1), ROLE, Stage.Cause.PLACE, List.of(change(fleet, device, broken, made)));
    }

    private List<Circuit> truth(String device) {
        return chaos
                .getGroundTruth(
                        GetGroundTruthRequest.newBuilder().addDeviceIds(device).build())
                .getDevices(0)
                .getCircuitsList()
                .stream()
                .map(circuit -> new Circuit(circuit.getIngress(), circuit.getEgress()))
                .toList();
    }
}
