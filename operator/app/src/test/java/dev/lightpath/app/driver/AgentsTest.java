package dev.lightpath.app.driver;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.lightpath.app.driver.endpoint.Dials;
import dev.lightpath.app.driver.endpoint.DriverEndpoint;
import dev.lightpath.planner.light.ChangeOutcome;
import dev.lightpath.planner.light.Circuit;
import dev.lightpath.planner.light.DeviceChange;
import dev.lightpath.planner.light.DeviceId;
import dev.lightpath.planner.light.DeviceState;
import dev.lightpath.planner.light.DriverState;
import dev.lightpath.planner.light.DriverState.Contact;
import dev.lightpath.planner.light.EpochMark;
import dev.lightpath.planner.light.Stage;
import dev.lightpath.planner.light.StageId;
import dev.lightpath.proto.driver.v1alpha1.Alarm;
import dev.lightpath.proto.driver.v1alpha1.AlarmChanged;
import dev.lightpath.proto.driver.v1alpha1.AlarmKind;
import dev.lightpath.proto.driver.v1alpha1.Availability;
import dev.lightpath.proto.driver.v1alpha1.DeviceSnapshot;
import dev.lightpath.proto.driver.v1alpha1.ItemResult;
import dev.lightpath.proto.driver.v1alpha1.Operation;
import dev.lightpath.proto.driver.v1alpha1.OperationChanged;
import dev.lightpath.proto.driver.v1alpha1.Outcome;
import dev.lightpath.proto.driver.v1alpha1.PortStatus;
import dev.lightpath.proto.driver.v1alpha1.Synced;
import dev.lightpath.proto.driver.v1alpha1.WatchResponse;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Each node has a driver of its own; a fabric names them by a template. */
class AgentsTest {
    private static final String TEMPLATE = "{node}:9440";
    private static final String ROLE = "cluster/ring-a";
    private static final Circuit LOOP = new Circuit("b0.common", "b0.loop");
    private static final Circuit PATH = new Circuit("b0.common", "b0.path1");

    private final FleetLog log = new FleetLog();
    private final Map<String, ScriptedDriver> agents = new TreeMap<>();
    private final DriverFleet fleet =
            new DriverFleet(() -> 3, new PatientTimings().timings(), InstantSource.system(), new Random(1));

    @BeforeEach
    void start() {
        fleet.listen(log);
        for (String node : List.of("n1", "n2", "n3")) {
            ScriptedDriver agent = new ScriptedDriver();
            agent.light(node, "b0.common", "b0.loop");
            agents.put(node, agent);
        }
    }

    @AfterEach
    void stop() throws InterruptedException {
        fleet.close();
        for (ScriptedDriver agent : agents.values()) {
            agent.close();
        }
    }

    private ScriptedDriver agent(String node) {
        return requireNonNull(agents.get(node));
    }

    private void connect() {
        List<DriverEndpoint> endpoints = new ArrayList<>();
        agents.forEach((node, agent) ->
                endpoints.add(DriverEndpoint.agent(TEMPLATE, node, agent.address(), ROLE, Optional.empty())));
        fleet.connect(endpoints);
    }

    private DriverState state() {
        return requireNonNull(fleet.states().get(TEMPLATE));
    }

    private DeviceState device(String node) {
        return requireNonNull(state().devices().get(node));
    }

    private Stage stage(long counter, String... nodes) {
        List<DeviceChange> changes = new ArrayList<>();
        for (String node : nodes) {
            changes.add(new DeviceChange(
                    new DeviceId(TEMPLATE, node),
                    device(node).digest(),
                    new TreeSet<>(List.of(LOOP)),
                    new TreeSet<>(List.of(PATH))));
        }
        return new Stage(new StageId(3, counter), ROLE, Stage.Cause.PLACE, changes, 1);
    }

    private void awaitAll() {
        await().atMost(Duration.ofSeconds(60))
                .until(() ->
                        state().synced() && state().devices().values().stream().allMatch(DeviceState::present));
    }

    @Test
    void agentsAreShownAsOneDriver() {
        connect();
        awaitAll();
        assertThat(fleet.states()).containsOnlyKeys(TEMPLATE);
        assertThat(state().devices()).containsOnlyKeys("n1", "n2", "n3");
        assertThat(state().name()).isEqualTo("scripted");
        assertThat(state().problem()).isEmpty();
        assertThat(state()).as("the same object without news").isSameAs(state());
    }

    @Test
    void anAgentThatIsAwayTakesNothingFromTheOthers() throws InterruptedException {
        connect();
        awaitAll();
        agent("n2").close();
        await().atMost(Duration.ofSeconds(60)).until(() -> device("n2").away());
        assertThat(state().contact()).isEqualTo(Contact.SYNCED);
        assertThat(device("n2").circuits().circuits()).as("as last known").containsExactly(LOOP);
        assertThat(device("n2")).as("the same object each time").isSameAs(device("n2"));
        assertThat(device("n1").present()).isTrue();
        assertThat(state().problem().orElseThrow()).startsWith("2 of 3 agents answer; away: n2 (");

        fleet.start(stage(1, "n1"), "pod-1");
        assertThat(log.outcome().applied()).isTrue();
        assertThat(agent("n1").lit("n1")).containsExactly(ScriptedDriver.key("b0.common", "b0.path1"));
        fleet.start(stage(2, "n2", "n3"), "pod-1");
        var outcomes = log.outcomeOf(2).outcomes();
        assertThat(outcomes.get(new DeviceId(TEMPLATE, "n2")))
                .isInstanceOfSatisfying(
                        ChangeOutcome.Rejected.class,
                        rejected -> assertThat(rejected.reason()).isEqualTo(ChangeOutcome.Reason.DRIVER_UNREACHABLE));
        assertThat(outcomes.get(new DeviceId(TEMPLATE, "n3"))).isInstanceOf(ChangeOutcome.Applied.class);
        assertThat(agent("n2").asked).isEmpty();
    }

    @Test
    void nothingIsDecidedBeforeEachWasCalledOnce() throws InterruptedException {
        agent("n3").unread.add("n3");
        agent("n1").close();
        connect();
        await().atMost(Duration.ofSeconds(60)).until(() -> state().synced());
        assertThat(device("n1").away()).isTrue();
        assertThat(device("n1").circuits().circuits()).isEmpty();
        assertThat(device("n3").away()).as("it has answered by then").isFalse();
    }

    @Test
    void whatAnAgentTellsOfOtherNodesDoesNotCount() {
        agent("n1").light("n2", "b0.common", "b0.path2");
        agent("n1").light("stranger", "b0.common", "b0.path2");
        connect();
        awaitAll();
        assertThat(state().devices()).containsOnlyKeys("n1", "n2", "n3");
        assertThat(device("n2").circuits().circuits()).containsExactly(LOOP);
    }

    @Test
    void anAgentThatDoesNotListItsNodeLeavesItUnknown() {
        ScriptedDriver other = agent("n2");
        other.circuits.clear();
        other.light("n7", "b0.common", "b0.loop");
        connect();
        await().atMost(Duration.ofSeconds(60)).until(() -> state().synced());
        assertThat(state().devices()).containsOnlyKeys("n1", "n3");
    }

    /** Fleet and agents hold epoch 3. */
    @Test
    void oneAgentThatTellsOfALaterEpochIsAwayAndTwoStopAll() throws InterruptedException {
        agent("n2").holdingRole = ROLE;
        agent("n2").highestEpoch = 9;
        connect();
        await().atMost(Duration.ofSeconds(60)).until(() -> state().agents().containsKey("n2"));
        await().atMost(Duration.ofSeconds(60)).until(() -> state().synced());
        assertThat(device("n2").away()).isTrue();
        assertThat(device("n1").present()).isTrue();
        assertThat(state().problem().orElseThrow()).contains("away: n2 (epoch 9 has written, ours is 3");
        assertThat(requireNonNull(state().agents().get("n2")).overtaken())
                .as("whose epoch that is has to be asked")
                .isTrue();

        agent("n3").holdingRole = ROLE;
        agent("n3").highestEpoch = 8;
        agent("n3").stop();
        agent("n3").restart("boot-2");
        await().atMost(Duration.ofSeconds(60)).until(() -> state().contact() == Contact.STALE_EPOCH);
    }

    @Test
    void whatTwoAgentsRememberIsRememberedByTheFabric() {
        long revision = 40;
        for (ScriptedDriver agent : agents.values()) {
            agent.holdingRole = ROLE;
            agent.highestGeneration = revision++;
        }
        connect();
        awaitAll();
        assertThat(state().agents()).containsOnlyKeys("n1", "n2", "n3");
        assertThat(state().revisions()).containsExactly(Map.entry(ROLE, 41L));
    }

    @Test
    void aDeviceThatAnotherRoleHoldsIsNamed() {
        agent("n2").holdingRole = "elsewhere/ring-a";
        connect();
        await().atMost(Duration.ofSeconds(60)).until(() -> state().synced());
        assertThat(state().foreign()).containsExactly("n2");
        assertThat(state().agents()).containsOnlyKeys("n2");
        assertThat(state().problem()).contains("another role holds the devices of n2");
    }

    /** An agent is on each node: whoever controls one must not fill the operator's memory. */
    @Test
    void ofOtherDevicesAndRolesNothingIsKept() {
        DriverView view = new DriverView(new TreeSet<>(List.of(ROLE)), Optional.of("n1"));
        for (int other = 0; other < 1000; other++) {
            view.hear(WatchResponse.newBuilder()
                    .setSnapshot(DeviceSnapshot.newBuilder()
                            .setDeviceId("other-" + other)
                            .setAvailability(Availability.AVAILABILITY_PRESENT)
                            .setInventoryRevision("1"))
                    .build());
        }
        view.hear(WatchResponse.newBuilder()
                .setSnapshot(DeviceSnapshot.newBuilder()
                        .setDeviceId("n1")
                        .setAvailability(Availability.AVAILABILITY_PRESENT)
                        .setInventoryRevision("1"))
                .build());
        assertThat(view.unlisted()).containsExactly("n1");
        assertThat(view.state(3, EpochBook.NONE).devices()).containsOnlyKeys("n1");
        assertThat(view.sawEpoch("elsewhere/x", new EpochMark(7, "x"))).isFalse();
        assertThat(view.sawEpoch(ROLE, new EpochMark(7, "x".repeat(10_000)))).isTrue();
        assertThat(view.state(3, EpochBook.NONE).highestEpoch()).isEqualTo(7);
    }

    @Test
    void ofEverNewNamesAndLongOnesOnlySomeAreKept() {
        DriverView view = new DriverView(new TreeSet<>(List.of(ROLE)), Optional.of("n1"));
        DeviceSnapshot.Builder listing = DeviceSnapshot.newBuilder()
                .setDeviceId("n1")
                .setAvailability(Availability.AVAILABILITY_PRESENT)
                .addPorts(PortStatus.newBuilder().setPort("b0.common"));
        view.hear(WatchResponse.newBuilder().setSnapshot(listing).build());
        view.hear(WatchResponse.newBuilder()
                .setSynced(Synced.getDefaultInstance())
                .build());
        view.hear(alarm("x".repeat(100_000), true));
        assertThat(view.state(3, EpochBook.NONE).problem().orElse("")).endsWith("left out");
        Set<String> ever = new HashSet<>();
        for (int other = 0; other < 5000; other++) {
            view.hear(alarm("other-" + other, true));
            ever.addAll(failedPorts(view));
            view.hear(alarm("other-" + other, false));
        }
        view.hear(alarm("b0.common", true));

        assertThat(ever).hasSizeBetween(1, 1024).noneMatch(port -> port.startsWith("x"));
        assertThat(failedPorts(view)).containsExactly("b0.common");
        assertThat(view.state(3, EpochBook.NONE).problem().orElse(""))
                .endsWith("left out; once its agent is mended, restart the operator");
        view.hear(WatchResponse.newBuilder().setSnapshot(listing).build());
        assertThat(view.state(3, EpochBook.NONE).problem()).as("a listing anew").isEmpty();
    }

    /** A node has fewer circuits. */
    @Test
    void anOperationOfManyCircuitsIsKnownWhileItIsUnderWay() {
        DriverView view = new DriverView(new TreeSet<>(List.of(ROLE)), Optional.of("n1"));
        view.hear(WatchResponse.newBuilder()
                .setSnapshot(DeviceSnapshot.newBuilder()
                        .setDeviceId("n1")
                        .setAvailability(Availability.AVAILABILITY_PRESENT))
                .build());
        Operation.Builder operation = Operation.newBuilder()
                .setOperationId("stage-3-1")
                .setDeviceId("n1")
                .setOutcome(Outcome.OUTCOME_IN_PROGRESS);
        for (int item = 0; item < 100; item++) {
            operation.addItems(ItemResult.newBuilder().setNativeText("b0.common to b0.path1 ".repeat(10)));
        }
        view.hear(WatchResponse.newBuilder()
                .setOperationChanged(OperationChanged.newBuilder().setOperation(operation))
                .build());
        assertThat(requireNonNull(view.state(3, EpochBook.NONE).devices().get("n1"))
                        .operation())
                .contains("stage-3-1");
    }

    private static Set<String> failedPorts(DriverView view) {
        return requireNonNull(view.state(3, EpochBook.NONE).devices().get("n1"))
                .failedPorts()
                .keySet();
    }

    private static WatchResponse alarm(String where, boolean raised) {
        return WatchResponse.newBuilder()
                .setAlarmChanged(AlarmChanged.newBuilder()
                        .setDeviceId("n1")
                        .setRaised(raised)
                        .setAlarm(Alarm.newBuilder()
                                .setKind(AlarmKind.ALARM_KIND_PORT_FAILED)
                                .setWhere(where)))
                .build();
    }

    @Test
    void devicesOfSeveralAgentsAreReadAtOnce() {
        connect();
        awaitAll();
        fleet.observe(new TreeSet<>(
                List.of(new DeviceId(TEMPLATE, "n1"), new DeviceId(TEMPLATE, "n3"), new DeviceId(TEMPLATE, "n9"))));
        await().atMost(Duration.ofSeconds(60)).until(() -> !log.readings.isEmpty());
        Reading reading = requireNonNull(log.readings.peek());
        assertThat(reading.read()).containsExactly(new DeviceId(TEMPLATE, "n1"), new DeviceId(TEMPLATE, "n3"));
        assertThat(reading.unread()).containsOnlyKeys(new DeviceId(TEMPLATE, "n9"));
    }

    @Test
    void aNodeThatIsGoneIsNoDeviceAnyMore() throws InterruptedException {
        connect();
        awaitAll();
        requireNonNull(agents.remove("n2")).close();
        connect();
        assertThat(state().devices()).containsOnlyKeys("n1", "n3");
        assertThat(state().problem()).isEmpty();
    }

    @Test
    void onlySoManyAreCalledAtOnce() {
        Dials dials = new Dials(2, Runnable::run);
        List<Runnable> calls = new ArrayList<>();
        for (int call = 0; call < 5; call++) {
            dials.run(calls::add);
        }
        assertThat(calls).hasSize(2);
        calls.getFirst().run();
        calls.getFirst().run();
        assertThat(calls).as("an end counts once").hasSize(3);
        calls.get(1).run();
        calls.get(2).run();
        assertThat(calls).hasSize(5);
    }
}
