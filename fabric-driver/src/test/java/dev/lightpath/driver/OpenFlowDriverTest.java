package dev.lightpath.driver;

import static dev.lightpath.driver.Requests.apply;
import static dev.lightpath.driver.Requests.key;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lightpath.conformance.bench.Fault;
import dev.lightpath.driver.config.AdapterConfig;
import dev.lightpath.driver.config.DriverConfig;
import dev.lightpath.proto.driver.v1alpha1.ApplyCircuitsRequest;
import dev.lightpath.proto.driver.v1alpha1.Availability;
import dev.lightpath.proto.driver.v1alpha1.BatchAtomicity;
import dev.lightpath.proto.driver.v1alpha1.Circuit;
import dev.lightpath.proto.driver.v1alpha1.CircuitServiceGrpc;
import dev.lightpath.proto.driver.v1alpha1.GetCapabilitiesRequest;
import dev.lightpath.proto.driver.v1alpha1.GetCircuitsRequest;
import dev.lightpath.proto.driver.v1alpha1.GetOperationRequest;
import dev.lightpath.proto.driver.v1alpha1.IdentityServiceGrpc;
import dev.lightpath.proto.driver.v1alpha1.InventoryServiceGrpc;
import dev.lightpath.proto.driver.v1alpha1.ItemReason;
import dev.lightpath.proto.driver.v1alpha1.ListDevicesRequest;
import dev.lightpath.proto.driver.v1alpha1.Operation;
import dev.lightpath.proto.driver.v1alpha1.Outcome;
import io.grpc.ManagedChannel;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A driver in front of Open vSwitch: frames follow circuits, others' flows stay, and no cut of the connection harms.
 */
@Order(2)
final class OpenFlowDriverTest {
    private static final String DEVICE = "ovs";
    private static final String ROLE = "r";
    /** Bytes of one change. */
    private static final int LONGEST = 700;

    @TempDir
    private Path directory;

    private OpenVSwitch device;
    private DriverServer driver;
    private ManagedChannel channel;

    @BeforeEach
    void start() throws Exception {
        device = new OpenVSwitch(directory.resolve("ovs"), "OpenFlow13,OpenFlow14");
        driver = DriverServer.start(config(device.port()));
        channel = EmulatedPlant.channel(driver.port());
        awaitPresent();
    }

    private DriverConfig config(int port) {
        return DriverConfig.onLoopback(
                directory.resolve("state"),
                List.of(new AdapterConfig.OpenFlow(
                        "127.0.0.1",
                        port,
                        Optional.empty(),
                        List.of(new AdapterConfig.OpenFlowSwitchConfig(
                                DEVICE, OpenVSwitch.DATAPATH, OpenVSwitch.SIZE, DEVICE, Duration.ofSeconds(1))))));
    }

    private void awaitPresent() {
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .until(
                        () -> InventoryServiceGrpc.newBlockingStub(channel)
                                .listDevices(ListDevicesRequest.getDefaultInstance())
                                .getDevicesList()
                                .stream()
                                .anyMatch(each -> each.getAvailability() == Availability.AVAILABILITY_PRESENT));
    }

    @AfterEach
    void stop() throws Exception {
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

    private CircuitServiceGrpc.CircuitServiceBlockingStub circuits() {
        return CircuitServiceGrpc.newBlockingStub(channel).withDeadlineAfter(60, TimeUnit.SECONDS);
    }

    private Operation send(ApplyCircuitsRequest.Builder request) {
        return circuits().applyCircuits(request.build()).getOperation();
    }

    private List<Circuit> shown() {
        return circuits()
                .getCircuits(GetCircuitsRequest.getDefaultInstance())
                .getDevices(0)
                .getCircuitsList();
    }

    @Test
    void framesGoWhereTheCircuitLeads() throws Exception {
        assertThat(send(apply(DEVICE, ROLE, 1, "a").addConnects(key("1->9"))).getOutcome())
                .isEqualTo(Outcome.OUTCOME_APPLIED);
        device.shine(1);
        Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> device.seen(9) == 1);
        assertThat(send(apply(DEVICE, ROLE, 1, "b").addDisconnects(key("1->9")).addConnects(key("1->10")))
                        .getOutcome())
                .isEqualTo(Outcome.OUTCOME_APPLIED);
        device.shine(1);
        Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> device.seen(10) == 1);
        assertThat(device.seen(9)).isEqualTo(1);
    }

    @Test
    void aForeignCircuitIsShownAndAnyOtherFlowIsAnAlarmAndBothStay() throws Exception {
        device.ofctl("add-flow", "priority=7,in_port=2,actions=output:11");
        device.ofctl("add-flow", "priority=9,in_port=3,tcp,actions=drop");
        Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> !shown().isEmpty());
        assertThat(shown()).singleElement().satisfies(circuit -> {
            assertThat(Requests.text(circuit.getKey())).isEqualTo("2->11");
            assertThat(circuit.getForeign()).isTrue();
        });
        assertThatThrownBy(() -> send(apply(DEVICE, ROLE, 1, "a").addConnects(key("2->12"))))
                .isInstanceOf(StatusRuntimeException.class)
                .hasMessageContaining("2->11");
        assertThat(send(apply(DEVICE, ROLE, 1, "b").addConnects(key("1->9"))).getOutcome())
                .isEqualTo(Outcome.OUTCOME_APPLIED);
        assertThat(device.ofctl("dump-flows")).contains("priority=7", "priority=9,tcp", "priority=1000");
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .until(() -> page("/metrics")
                        .contains("lightpath_driver_switch_alarms{device=\"ovs\",severity=\"warning\"} 1"));
    }

    @Test
    void noCircuitIsMadeOrShownWhereAFlowOfOthersTakesTheLight() throws Exception {
        device.ofctl("add-flow", "priority=2000,cookie=0xa5,in_port=1,actions=drop");
        Operation partly =
                send(apply(DEVICE, ROLE, 1, "a").addConnects(key("1->9")).addConnects(key("2->10")));
        assertThat(partly.getOutcome()).isEqualTo(Outcome.OUTCOME_PARTIAL);
        assertThat(partly.getItemsList())
                .filteredOn(item -> item.getReason() == ItemReason.ITEM_REASON_PORT_IN_USE)
                .singleElement()
                .satisfies(item -> {
                    assertThat(Requests.text(item.getKey())).isEqualTo("1->9");
                    assertThat(item.getNativeText())
                            .isEqualTo("a flow of priority 2000 and cookie 0xa5 in table 0 takes the light of port 1");
                });
        assertThat(device.light()).containsExactly("2->10");
        awaitShown("2->10");
        device.ofctl("add-flow", "priority=3000,actions=drop");
        awaitShown();
        device.ofctl("del-flows", "--strict", "priority=3000");
        awaitShown("2->10");
    }

    @Test
    void theLightOfALowerFlowOfOthersIsNotTakenEither() throws Exception {
        device.ofctl("add-flow", "priority=9,cookie=0xa5,in_port=1,tcp,actions=output:12");
        Operation refused = send(apply(DEVICE, ROLE, 1, "a").addConnects(key("1->9")));
        assertThat(refused.getOutcome()).isEqualTo(Outcome.OUTCOME_REJECTED);
        assertThat(refused.getItems(0).getNativeText())
                .isEqualTo("a flow of priority 9 and cookie 0xa5 in table 0 takes the light of port 1");
        assertThat(device.ofctl("dump-flows")).contains("priority=9,tcp").doesNotContain("priority=1000");
    }

    /** Open vSwitch takes flows to ports that it does not have. */
    @Test
    void noCircuitIsMadeAtAPortThatWasJustTakenAway() throws Exception {
        for (int round = 0; round < 10; round++) {
            device.inject(new Fault.DeadElement("10"));
            Operation partly = send(apply(DEVICE, ROLE, 1, "partly-" + round)
                    .addConnects(key("1->9"))
                    .addConnects(key("2->10")));
            assertThat(partly.getOutcome()).as("round %d", round).isEqualTo(Outcome.OUTCOME_PARTIAL);
            assertThat(partly.getItemsList())
                    .filteredOn(item -> item.getReason() == ItemReason.ITEM_REASON_PORT_UNUSABLE)
                    .singleElement()
                    .satisfies(item -> assertThat(Requests.text(item.getKey())).isEqualTo("2->10"));
            assertThat(device.light()).containsExactly("1->9");
            device.mend();
            applied(apply(DEVICE, ROLE, 1, "all-" + round).addConnects(key("2->10")));
            applied(apply(DEVICE, ROLE, 1, "none-" + round)
                    .addDisconnects(key("1->9"))
                    .addDisconnects(key("2->10")));
        }
    }

    private void awaitShown(String... circuits) {
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .untilAsserted(() -> assertThat(shown())
                        .extracting(circuit -> Requests.text(circuit.getKey()))
                        .containsExactly(circuits));
    }

    /** A flow of others goes where ours goes, and is hidden by it: it stays when ours is deleted, and is said. */
    @Test
    void aHiddenFlowOfOthersSurvivesTheEndOfOurs() throws Exception {
        assertThat(send(apply(DEVICE, ROLE, 1, "a").addConnects(key("1->9"))).getOutcome())
                .isEqualTo(Outcome.OUTCOME_APPLIED);
        device.ofctl("add-flow", "priority=7,in_port=1,actions=output:9");
        assertThat(send(apply(DEVICE, ROLE, 1, "b").addDisconnects(key("1->9"))).getOutcome())
                .as("the light still goes there")
                .isNotEqualTo(Outcome.OUTCOME_APPLIED);
        assertThat(device.ofctl("dump-flows")).contains("priority=7").doesNotContain("priority=1000");
    }

    @Test
    void aSecondControllerIsOneClearLineAndAnAlarm() throws Exception {
        try (HeardLog log = new HeardLog("");
                SocketChannel other = device.anotherMaster()) {
            assertThat(other.isOpen()).isTrue();
            device.ofctl("add-flow", "priority=9,in_port=3,tcp,actions=drop");
            Awaitility.await()
                    .atMost(Duration.ofSeconds(60))
                    .until(() ->
                            !log.lines("another controller became its master").isEmpty());
            Operation refused =
                    send(apply(DEVICE, ROLE, 1, "a").addConnects(key("1->9")).addConnects(key("2->10")));
            assertThat(refused.getOutcome()).isEqualTo(Outcome.OUTCOME_REJECTED);
            assertThat(refused.getItemsList())
                    .allSatisfy(item -> assertThat(item.getNativeText())
                            .contains("another controller is the master of the device"));
            assertThat(log.lines("another controller became its master")).hasSize(1);
            Awaitility.await()
                    .atMost(Duration.ofSeconds(60))
                    .untilAsserted(
                            () -> assertThat(ManagedTrial.snapshot(channel).getAlarmsList())
                                    .singleElement()
                                    .satisfies(alarm -> assertThat(alarm.getNativeText())
                                            .contains("another controller became its master", "is no circuit")));
            Awaitility.await()
                    .atMost(Duration.ofSeconds(60))
                    .until(() -> page("/metrics")
                            .contains("lightpath_driver_switch_alarms{device=\"ovs\",severity=\"warning\"} 1"));
        }
    }

    private String page(String path) throws Exception {
        try (var client = java.net.http.HttpClient.newHttpClient()) {
            return client.send(
                            java.net.http.HttpRequest.newBuilder(
                                            java.net.URI.create("http://127.0.0.1:" + driver.httpPort() + path))
                                    .build(),
                            java.net.http.HttpResponse.BodyHandlers.ofString())
                    .body();
        }
    }

    /** Whatever byte the connection ends at, the operation gets its true end, and no circuit is made twice. */
    @Test
    void aChangeThatIsCutAnywhereEndsAsTheDeviceShows() throws Exception {
        DrawnCuts cuts = new DrawnCuts(LONGEST, 400);
        List<String> both = List.of("1->9", "2->10");
        for (int round = 0; round < cuts.rounds(); round++) {
            long before = device.cuts();
            String name = "cut-" + round;
            var make = apply(DEVICE, ROLE, 1, name);
            both.forEach(circuit -> make.addConnects(key(circuit)));
            List<String> light = cut(make, cuts.next(round), List.of(), both);
            cuts.came(true, device.cuts() - before);
            var rest = apply(DEVICE, ROLE, 1, name + "-rest");
            both.stream()
                    .filter(circuit -> !light.contains(circuit))
                    .forEach(circuit -> rest.addConnects(key(circuit)));
            applied(rest);
            assertThat(device.light()).as(name).isEqualTo(both);

            before = device.cuts();
            var undo = apply(DEVICE, ROLE, 1, name + "-undone");
            both.forEach(circuit -> undo.addDisconnects(key(circuit)));
            List<String> left = cut(undo, cuts.next(round), both, List.of());
            cuts.came(false, device.cuts() - before);
            var clean = apply(DEVICE, ROLE, 1, name + "-clean");
            left.forEach(circuit -> clean.addDisconnects(key(circuit)));
            applied(clean);
            assertThat(device.light()).as(name).isEmpty();
        }
        cuts.requireSome();
    }

    /** The device's greeting takes 24 bytes: what is cut is the question for bundles. */
    @Test
    void aNetworkThatCutsOneGreetingAfterTheOtherLeavesTheDeviceItsBundles() {
        device.ways().forEach(way -> way.cutEachAfter(30));
        Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> device.cuts() >= 4);
        device.ways().forEach(CutProxy::heal);
        awaitPresent();
        assertThat(IdentityServiceGrpc.newBlockingStub(channel)
                        .getCapabilities(GetCapabilitiesRequest.newBuilder()
                                .setDeviceId(DEVICE)
                                .build())
                        .getCapabilities()
                        .getBatchAtomicity())
                .isEqualTo(BatchAtomicity.BATCH_ATOMICITY_TRANSACTIONAL);
    }

    private void applied(ApplyCircuitsRequest.Builder request) {
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .ignoreExceptionsMatching(e -> String.valueOf(e.getMessage()).startsWith("UNAVAILABLE"))
                .until(() -> send(request).getOutcome() == Outcome.OUTCOME_APPLIED);
    }

    /** What the device shows after a change of two circuits that was cut, as the operation says. */
    private List<String> cut(
            ApplyCircuitsRequest.Builder request, DrawnCuts.Cut where, List<String> before, List<String> whole)
            throws Exception {
        String name = request.getOperationId();
        device.way().cutAfter(where.after(), where.answers());
        try {
            var unused = send(request);
        } catch (StatusRuntimeException refused) {
            // the device was silent when it was asked
        }
        device.way().heal();
        awaitPresent();
        Outcome outcome = outcome(name);
        List<String> light = device.light();
        switch (outcome) {
            case OUTCOME_APPLIED -> assertThat(light).as(name).isEqualTo(whole);
            case OUTCOME_REJECTED, OUTCOME_UNSPECIFIED ->
                assertThat(light).as(name).isEqualTo(before);
            default -> assertThat(light).as(name + " " + outcome).isIn(List.of(List.of("1->9"), List.of("2->10")));
        }
        return light;
    }

    /** Of an operation that has ended; unspecified where it was never begun. */
    private Outcome outcome(String name) {
        return Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .until(
                        () -> {
                            try {
                                return circuits()
                                        .getOperation(GetOperationRequest.newBuilder()
                                                .setDeviceId(DEVICE)
                                                .setRole(ROLE)
                                                .setOperationId(name)
                                                .build())
                                        .getOperation()
                                        .getOutcome();
                            } catch (StatusRuntimeException unknown) {
                                return Outcome.OUTCOME_UNSPECIFIED;
                            }
                        },
                        outcome -> outcome != Outcome.OUTCOME_IN_PROGRESS && outcome != Outcome.OUTCOME_UNKNOWN);
    }

    /** Who says nothing sensible is sent away, and the device beside it goes on. */
    @Test
    void strangersAndNonsenseHarmNothing() throws Exception {
        Random random = new Random(Long.getLong("lightpath.seed", 1));
        for (int stranger = 0; stranger < 200; stranger++) {
            try (Socket socket = new Socket("127.0.0.1", device.port())) {
                byte[] nonsense = new byte[random.nextInt(200)];
                random.nextBytes(nonsense);
                if (stranger % 2 == 0 && nonsense.length >= 8) {
                    // a hello, and then anything
                    nonsense[0] = 5;
                    nonsense[1] = 0;
                    nonsense[2] = 0;
                    nonsense[3] = 8;
                }
                OutputStream out = socket.getOutputStream();
                out.write(nonsense);
                out.flush();
            } catch (IOException closed) {
                continue;
            }
        }
        assertThat(send(apply(DEVICE, ROLE, 1, "a").addConnects(key("4->12"))).getOutcome())
                .isEqualTo(Outcome.OUTCOME_APPLIED);
        assertThat(device.light()).containsExactly("4->12");
    }

    @Test
    void aPortInUseIsOneLine() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, java.net.InetAddress.getLoopbackAddress())) {
            assertThatThrownBy(() -> DriverServer.start(config(taken.getLocalPort())))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining(
                            "adapters: openflow: listen: 127.0.0.1:" + taken.getLocalPort() + " cannot be used");
        }
    }
}
