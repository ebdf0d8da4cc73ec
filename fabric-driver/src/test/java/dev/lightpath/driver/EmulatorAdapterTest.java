package dev.lightpath.driver;

import static dev.lightpath.driver.Requests.apply;
import static dev.lightpath.driver.Requests.errorInfo;
import static dev.lightpath.driver.Requests.key;
import static dev.lightpath.driver.Requests.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.lightpath.proto.driver.v1alpha1.ApplyCircuitsRequest;
import dev.lightpath.proto.driver.v1alpha1.Atomicity;
import dev.lightpath.proto.driver.v1alpha1.Availability;
import dev.lightpath.proto.driver.v1alpha1.ConflictPolicy;
import dev.lightpath.proto.driver.v1alpha1.DeviceScope;
import dev.lightpath.proto.driver.v1alpha1.GetCapabilitiesRequest;
import dev.lightpath.proto.driver.v1alpha1.GetCircuitsRequest;
import dev.lightpath.proto.driver.v1alpha1.GetDriverInfoRequest;
import dev.lightpath.proto.driver.v1alpha1.GetInventoryRequest;
import dev.lightpath.proto.driver.v1alpha1.GetOperationRequest;
import dev.lightpath.proto.driver.v1alpha1.ItemState;
import dev.lightpath.proto.driver.v1alpha1.ListDevicesRequest;
import dev.lightpath.proto.driver.v1alpha1.ListFactoryLossRequest;
import dev.lightpath.proto.driver.v1alpha1.LockState;
import dev.lightpath.proto.driver.v1alpha1.Operation;
import dev.lightpath.proto.driver.v1alpha1.Outcome;
import dev.lightpath.proto.driver.v1alpha1.ProbeRequest;
import dev.lightpath.proto.driver.v1alpha1.WatchRequest;
import dev.lightpath.proto.driver.v1alpha1.WatchResponse.EventCase;
import dev.lightpath.proto.emulator.v1alpha1.ConnectionState;
import dev.lightpath.proto.emulator.v1alpha1.FaultKind;
import dev.lightpath.proto.emulator.v1alpha1.GetConnectionsRequest;
import dev.lightpath.proto.emulator.v1alpha1.InjectFaultRequest;
import dev.lightpath.proto.emulator.v1alpha1.PortPair;
import dev.lightpath.proto.emulator.v1alpha1.SetConnectionsRequest;
import io.grpc.StatusRuntimeException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What the conformance kit cannot see from outside: real light, the driver's files and pages, the emulator itself away.
 */
final class EmulatorAdapterTest {
    private static final String ROLE = "cluster-a/fabric-a";

    @TempDir
    private Path state;

    private EmulatedPlant plant;

    @BeforeEach
    void start() throws Exception {
        plant = new EmulatedPlant(state);
    }

    @AfterEach
    void stop() {
        plant.close();
    }

    private Operation send(ApplyCircuitsRequest.Builder request) {
        return plant.circuits().applyCircuits(request.build()).getOperation();
    }

    @Test
    void appliedMeansLight() {
        send(apply("ocs-1", ROLE, 1, "a").addConnects(key("1->9")));
        assertThat(plant.truth("ocs-1")).containsExactly("1->9");
    }

    @Test
    void movesATransceiversSelector() {
        Operation moved = send(apply("n0", ROLE, 1, "a")
                .addDisconnects(key("b0.common->b0.loop"))
                .addConnects(key("b0.common->b0.path1")));
        assertThat(moved.getOutcome()).isEqualTo(Outcome.OUTCOME_APPLIED);
        assertThat(moved.getItems(0).getState()).isEqualTo(ItemState.ITEM_STATE_DARK);
        assertThat(plant.truth("n0")).contains("b0.common->b0.path1").doesNotContain("b0.common->b0.loop");
        Operation back = send(apply("n0", ROLE, 1, "b")
                .setConflictPolicy(ConflictPolicy.CONFLICT_POLICY_UPDATE)
                .addConnects(key("b0.common->b0.loop")));
        assertThat(back.getOutcome()).isEqualTo(Outcome.OUTCOME_APPLIED);
        assertThat(plant.truth("n0")).contains("b0.common->b0.loop");
    }

    @Test
    void hearsTheNeighbourOverTheLight() throws Exception {
        try (Watching watching = Watching.start(plant.telemetry(), WatchRequest.getDefaultInstance())) {
            watching.await(EventCase.SYNCED);
            send(apply("n0", ROLE, 1, "a")
                    .setConflictPolicy(ConflictPolicy.CONFLICT_POLICY_UPDATE)
                    .addConnects(key("b1.common->b1.path1")));
            send(apply("n1", ROLE, 1, "a")
                    .setConflictPolicy(ConflictPolicy.CONFLICT_POLICY_UPDATE)
                    .addConnects(key("b0.common->b0.path1")));
            watching.await(m -> m.getPortsChanged().getDeviceId().equals("n0")
                    && m.getPortsChanged().getPortsList().stream()
                            .anyMatch(p -> p.getPort().equals("b1.path1")
                                    && p.getLockState() == LockState.LOCK_STATE_LOCKED
                                    && p.getHeardNeighbour().getDeviceId().equals("n1")
                                    && p.hasReceivePowerDbm()));
        }
    }

    @Test
    void devicesOfAnEmulatorThatWasStartedAgainHaveLostTheirPower() throws Exception {
        send(apply("ocs-1", ROLE, 1, "a").addConnects(key("1->9")));
        try (Watching watching = Watching.start(plant.telemetry(), WatchRequest.getDefaultInstance())) {
            watching.await(EventCase.SYNCED);
            plant.restartEmulator();
            watching.await(m -> m.getPowerCycled().getDeviceId().equals("ocs-1"));
        }
        assertThat(plant.truth("ocs-1")).isEmpty();
        assertThat(send(apply("ocs-1", ROLE, 1, "b").addConnects(key("1->9"))).getOutcome())
                .isEqualTo(Outcome.OUTCOME_APPLIED);
        assertThat(plant.truth("ocs-1")).containsExactly("1->9");
    }

    @Test
    void loopbackAtPowerOnIsNotForeign() {
        var n2 = plant.circuits()
                .getCircuits(GetCircuitsRequest.newBuilder()
                        .addDevices(DeviceScope.newBuilder().setDeviceId("n2"))
                        .build())
                .getDevices(0);
        assertThat(n2.getCircuitsList())
                .hasSize(3)
                .allSatisfy(c -> assertThat(c.getForeign()).isFalse());
    }

    @Test
    void reportsForeignCircuitsAndLeavesThemAlone() throws Exception {
        try (Watching watching = Watching.start(plant.telemetry(), WatchRequest.getDefaultInstance())) {
            watching.await(EventCase.SYNCED);
            plant.hardware()
                    .setConnections(SetConnectionsRequest.newBuilder()
                            .setDeviceId("ocs-1")
                            .addConnects(PortPair.newBuilder().setIngress("4").setEgress("12"))
                            .build());
            watching.await(m -> m.getForeignChange().getAppearedList().stream().anyMatch(k -> text(k).equals("4->12")));
        }
        StatusRuntimeException e = catchThrowableOfType(
                StatusRuntimeException.class,
                () -> send(apply("ocs-1", ROLE, 1, "a")
                        .setConflictPolicy(ConflictPolicy.CONFLICT_POLICY_UPDATE)
                        .addConnects(key("4->11"))));
        assertThat(errorInfo(e).getReason()).isEqualTo("PORT_IN_USE");
        send(apply("ocs-1", ROLE, 1, "b")
                .setConflictPolicy(ConflictPolicy.CONFLICT_POLICY_OVERWRITE)
                .addConnects(key("4->11")));
        assertThat(plant.truth("ocs-1")).containsExactly("4->11");
    }

    @Test
    void allOrNothingPutsBack() {
        send(apply("ocs-1", ROLE, 1, "a").addConnects(key("1->9")));
        plant.inject(InjectFaultRequest.newBuilder()
                .setDeviceId("ocs-1")
                .setPort("2")
                .setKind(FaultKind.FAULT_KIND_DEAD_ELEMENT));
        Operation undone = send(apply("ocs-1", ROLE, 1, "b")
                .setAtomicity(Atomicity.ATOMICITY_ALL_OR_NOTHING)
                .addDisconnects(key("1->9"))
                .addConnects(key("1->10"))
                .addConnects(key("2->11")));
        assertThat(undone.getOutcome()).isEqualTo(Outcome.OUTCOME_ROLLED_BACK);
        assertThat(undone.getObservedDigest()).isEqualTo(undone.getBeforeDigest());
        assertThat(plant.truth("ocs-1")).containsExactly("1->9");
    }

    @Test
    void aHigherEpochWaitsForTheRunningOperation() throws Exception {
        hold();
        var first = beside(apply("slow-1", ROLE, 1, "a").addConnects(key("1->9")));
        await().until(() -> moving("slow-1").equals(List.of("1->9")));
        assertThat(outcome("slow-1", "a")).isEqualTo(Outcome.OUTCOME_IN_PROGRESS);
        var second = beside(apply("slow-1", ROLE, 2, "b").addConnects(key("2->10")));
        await().until(() -> isStale("slow-1", 1));
        assertThat(moving("slow-1")).containsExactly("1->9");
        assertThat(plant.passUntil(first).getOutcome()).isEqualTo(Outcome.OUTCOME_APPLIED);
        assertThat(plant.passUntil(second).getOutcome()).isEqualTo(Outcome.OUTCOME_APPLIED);
        assertThat(plant.truth("slow-1")).containsExactly("1->9", "2->10");
    }

    @Test
    void aDeviceThatFallsSilentInTheMiddleIsUnknownThenKnown() throws Exception {
        hold();
        var moving = beside(apply("slow-1", ROLE, 1, "a").addConnects(key("1->9")));
        await().until(() -> moving("slow-1").equals(List.of("1->9")));
        plant.inject("slow-1", FaultKind.FAULT_KIND_UNREACHABLE);
        assertThat(plant.passUntil(moving).getOutcome()).isEqualTo(Outcome.OUTCOME_UNKNOWN);
        plant.clearFaults();
        await().until(() -> outcome("slow-1", "a") == Outcome.OUTCOME_APPLIED);
        assertThat(plant.truth("slow-1")).containsExactly("1->9");
    }

    /** From here on what devices begin is under way until the test lets time pass. */
    private void hold() throws Exception {
        plant.close();
        plant = EmulatedPlant.held(state.resolve("held"));
    }

    private CompletableFuture<Operation> beside(ApplyCircuitsRequest.Builder request) {
        return CompletableFuture.supplyAsync(() -> send(request), Thread::startVirtualThread);
    }

    private Outcome outcome(String device, String operation) {
        return plant.circuits()
                .getOperation(GetOperationRequest.newBuilder()
                        .setDeviceId(device)
                        .setRole(ROLE)
                        .setOperationId(operation)
                        .build())
                .getOperation()
                .getOutcome();
    }

    /** Whether a writer with a higher epoch has shown itself. */
    private boolean isStale(String device, long epoch) {
        try {
            send(apply(device, ROLE, epoch, "late").setValidateOnly(true).addConnects(key("3->11")));
            return false;
        } catch (StatusRuntimeException refused) {
            return errorInfo(refused).getReason().equals("STALE_EPOCH");
        }
    }

    /** What the device was told to make and has not made yet. */
    private List<String> moving(String device) {
        return plant
                .hardware()
                .getConnections(
                        GetConnectionsRequest.newBuilder().setDeviceId(device).build())
                .getConnectionsList()
                .stream()
                .filter(connection -> connection.getState() == ConnectionState.CONNECTION_STATE_TUNING)
                .map(connection -> connection.getIngress() + "->" + connection.getEgress())
                .toList();
    }

    private static ConditionFactory await() {
        return Awaitility.await().atMost(Duration.ofSeconds(60));
    }

    @Test
    void aLieOfAnEarlyOkIsFoundOutByReadingBack() {
        plant.inject("slow-1", FaultKind.FAULT_KIND_LIE_OK_BEFORE_TUNED);
        send(apply("slow-1", ROLE, 1, "a").addConnects(key("1->9")));
        assertThat(plant.truth("slow-1")).containsExactly("1->9");
    }

    @Test
    void twoSidedDevicesNameNoWayBack() {
        StatusRuntimeException e = catchThrowableOfType(
                StatusRuntimeException.class,
                () -> send(apply("ocs-2", ROLE, 1, "a").addConnects(key("20->1"))));
        assertThat(errorInfo(e).getReason()).isEqualTo("NO_SUCH_PORT");
        assertThat(send(apply("ocs-2", ROLE, 1, "b").addConnects(key("1->20"))).getOutcome())
                .isEqualTo(Outcome.OUTCOME_APPLIED);
    }

    @Test
    void tellsWhatThereIs() {
        assertThat(plant.identity()
                        .getDriverInfo(GetDriverInfoRequest.getDefaultInstance())
                        .getContractVersionsList())
                .containsExactly("lightpath.driver.v1alpha1");
        var first = plant.inventory()
                .listDevices(ListDevicesRequest.newBuilder().setPageSize(5).build());
        var second = plant.inventory()
                .listDevices(ListDevicesRequest.newBuilder()
                        .setPageSize(100)
                        .setPageToken(first.getNextPageToken())
                        .build());
        assertThat(first.getDevicesList())
                .extracting(d -> d.getDeviceId())
                .containsExactly("n0", "n1", "n2", "n3", "n4");
        assertThat(second.getDevicesList())
                .extracting(d -> d.getDeviceId())
                .containsExactly("n5", "n6", "n7", "ocs-1", "ocs-2", "slow-1");
        var n0 = plant.inventory()
                .getInventory(
                        GetInventoryRequest.newBuilder().addDeviceIds("n0").build())
                .getDevices(0);
        assertThat(n0.getModulesList()).hasSize(3);
        assertThat(n0.getPortsList()).hasSize(12);
        assertThat(n0.getPathsList()).hasSize(9);
        assertThat(plant.identity()
                        .getCapabilities(GetCapabilitiesRequest.newBuilder()
                                .setDeviceId("ocs-1")
                                .build())
                        .getCapabilities()
                        .getMaxBatch())
                .isPositive();
        assertThat(plant.identity()
                        .probe(ProbeRequest.newBuilder().setDeviceId("ocs-1").build())
                        .getAnswered())
                .isTrue();
        assertThat(plant.inventory()
                        .listFactoryLoss(ListFactoryLossRequest.newBuilder()
                                .setDeviceId("ocs-1")
                                .setPageSize(10)
                                .build())
                        .getEntriesList())
                .hasSize(10)
                .allSatisfy(entry -> assertThat(entry.getLossDb()).isBetween(0.5, 3.5));
    }

    @Test
    void pagesThroughTheCircuitsOfAllDevices() {
        var page = plant.circuits()
                .getCircuits(GetCircuitsRequest.newBuilder().setPageSize(8).build());
        assertThat(page.getDevicesList())
                .hasSize(8)
                .allSatisfy(d -> assertThat(d.getCircuitsCount()).isEqualTo(3));
        assertThat(page.getNextPageToken()).isEqualTo("n7");
    }

    @Test
    void writesOneAuditLinePerChange() throws Exception {
        send(apply("ocs-1", ROLE, 4, "a \"quoted\"").addConnects(key("1->9")));
        List<String> lines = Files.readAllLines(state.resolve("audit.log"));
        assertThat(lines).hasSize(1);
        assertThat(lines.getFirst())
                .contains(
                        "\"caller\":\"plaintext\"",
                        "\"epoch\":4",
                        "a \\\"quoted\\\"",
                        "\"outcome\":\"APPLIED\"",
                        "1->9");
    }

    @Test
    void offersHealthAndMetrics() throws Exception {
        send(apply("ocs-1", ROLE, 1, "a").addConnects(key("1->9")));
        assertThat(page("/health")).isEqualTo("ok\n");
        String scrape = page("/metrics") + page("/metrics/ports");
        assertThat(scrape)
                .contains(
                        "lightpath_driver_devices{availability=\"PRESENT\"} 11",
                        "lightpath_driver_change_seconds_count");
        String reference = Files.readString(Path.of("../docs/reference/driver-contract.md"));
        Pattern.compile("# TYPE (lightpath_\\w+) \\w+")
                .matcher(scrape)
                .results()
                .map(series -> series.group(1))
                .filter(series -> !series.endsWith("_max"))
                .forEach(series -> assertThat(reference).contains("`" + series));
    }

    @Test
    void showsTheLightOfSwitchesAndOfPortsThatAreAskedFor() throws Exception {
        send(apply("ocs-1", ROLE, 1, "a").addConnects(key("1->9")).addConnects(key("2->10")));
        send(apply("ocs-1", ROLE, 1, "b").addConnects(key("3->11")));
        send(apply("ocs-1", ROLE, 1, "b").addConnects(key("3->11")));
        String switches = page("/metrics");
        assertThat(switches)
                .contains("lightpath_driver_switch_moves_total{device=\"ocs-1\"} 3.0")
                .contains("lightpath_driver_switch_circuits{device=\"ocs-1\"} 3.0")
                .contains("lightpath_driver_switch_circuits{device=\"ocs-2\"} 0.0")
                .contains("lightpath_driver_switch_answers{device=\"slow-1\"} 1.0")
                .contains("lightpath_driver_refused_total{reason=\"STALE_EPOCH\"} 0.0")
                .doesNotContain("device=\"n0\"")
                .doesNotContain("port=");
        assertThat(page("/metrics/ports"))
                .contains("lightpath_driver_port_works{device=\"slow-1\",port=\"1\"} 1.0")
                .doesNotContain("device=\"n0\"");
        assertThat(page("/metrics/ports?device=n0&device=ocs-2*"))
                .contains("device=\"n0\",port=\"b0.common\"")
                .contains("device=\"ocs-2\"")
                .doesNotContain("device=\"n1\"")
                .doesNotContain("device=\"ocs-1\"");
        assertThat(page("/metrics/ports?ports=all"))
                .isEqualTo("query: 'ports=all' is not allowed; allowed is device=NAME or device=PREFIX*, at most 64"
                        + " times\n");
    }

    @Test
    void givesTheAuditLogOfADevice() throws Exception {
        send(apply("ocs-1", ROLE, 1, "a").addConnects(key("1->9")));
        send(apply("ocs-1", ROLE, 1, "b").addConnects(key("2->10")));
        assertThat(page("/audit?device=ocs-1&lines=1"))
                .hasLineCount(1)
                .contains("\"device\":\"ocs-1\"", "2->10", "\"outcome\":\"APPLIED\"");
        assertThat(page("/audit?device=ocs-2")).isEmpty();
        assertThat(page("/audit")).hasLineCount(2);
        for (String query : List.of("lines=0", "lines=1001", "lines=many", "device=", "who=me")) {
            assertThat(page("/audit?" + query))
                    .isEqualTo("query: '" + query + "' is not allowed; allowed are device=NAME and lines=1 to 1000\n");
        }
    }

    @Test
    void tellsWhatTheJournalHoldsOfEachDevice() throws Exception {
        send(apply("ocs-1", ROLE, 7, "a").setDesiredGeneration(3).addConnects(key("1->9")));
        assertThat(page("/journal"))
                .contains("\"instance\":\"")
                .contains("{\"device\":\"ocs-1\",\"role\":\"" + ROLE
                        + "\",\"epoch\":7,\"holder\":\"test\",\"revision\":3,\"operations\":[]}")
                .contains("{\"device\":\"ocs-2\",\"role\":\"\",\"epoch\":0,");
    }

    private String page(String path) throws Exception {
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(
                            HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + plant.httpPort() + path))
                                    .build(),
                            HttpResponse.BodyHandlers.ofString())
                    .body();
        }
    }

    @Test
    void knowsItsDevicesWhenTheEmulatorIsAway() throws Exception {
        plant.inject(InjectFaultRequest.newBuilder().setKind(FaultKind.FAULT_KIND_CALL_REFUSED));
        plant.restartDriver();
        assertThat(plant.inventory()
                        .listDevices(ListDevicesRequest.getDefaultInstance())
                        .getDevicesList())
                .hasSize(11)
                .allSatisfy(d -> assertThat(d.getAvailability()).isEqualTo(Availability.AVAILABILITY_SILENT));
    }
}
