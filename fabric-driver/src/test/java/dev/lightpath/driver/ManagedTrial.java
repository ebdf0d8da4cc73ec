package dev.lightpath.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lightpath.driver.config.AdapterConfig;
import dev.lightpath.driver.config.DriverConfig;
import dev.lightpath.proto.driver.v1alpha1.AlarmKind;
import dev.lightpath.proto.driver.v1alpha1.ApplyCircuitsRequest;
import dev.lightpath.proto.driver.v1alpha1.Availability;
import dev.lightpath.proto.driver.v1alpha1.CircuitServiceGrpc;
import dev.lightpath.proto.driver.v1alpha1.Device;
import dev.lightpath.proto.driver.v1alpha1.DeviceKind;
import dev.lightpath.proto.driver.v1alpha1.DeviceSnapshot;
import dev.lightpath.proto.driver.v1alpha1.GetCircuitsRequest;
import dev.lightpath.proto.driver.v1alpha1.GetInventoryRequest;
import dev.lightpath.proto.driver.v1alpha1.GetOperationRequest;
import dev.lightpath.proto.driver.v1alpha1.InventoryServiceGrpc;
import dev.lightpath.proto.driver.v1alpha1.ListDevicesRequest;
import dev.lightpath.proto.driver.v1alpha1.Operation;
import dev.lightpath.proto.driver.v1alpha1.Outcome;
import dev.lightpath.proto.driver.v1alpha1.PortOverride;
import dev.lightpath.proto.driver.v1alpha1.SetPortOverrideRequest;
import dev.lightpath.proto.driver.v1alpha1.TelemetryServiceGrpc;
import dev.lightpath.proto.driver.v1alpha1.WatchRequest;
import dev.lightpath.proto.driver.v1alpha1.WatchResponse;
import io.grpc.ManagedChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;

/** A driver in front of a switch with a management protocol, where something is not as it should be. */
abstract class ManagedTrial {
    @TempDir
    Path directory;

    final List<AutoCloseable> open = new CopyOnWriteArrayList<>();
    private final HeardLog log = new HeardLog("");

    @AfterEach
    void close() throws Exception {
        log.close();
        for (AutoCloseable each : open.reversed()) {
            each.close();
        }
    }

    final ManagedChannel driver(AdapterConfig adapter) throws Exception {
        DriverServer driver = DriverServer.start(DriverConfig.onLoopback(directory.resolve("state"), List.of(adapter)));
        open.add(driver);
        ManagedChannel channel = EmulatedPlant.channel(driver.port());
        open.add(channel::shutdownNow);
        return channel;
    }

    final void closeDriver() throws Exception {
        open.removeLast().close();
        open.removeLast().close();
    }

    /** A driver that has logged a line, and no credential. */
    final ManagedChannel says(AdapterConfig adapter, String line) throws Exception {
        ManagedChannel driver = driver(adapter);
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .until(() -> !log.lines(line).isEmpty());
        assertThat(log.lines("s3cr3t")).as("no credential in any log").isEmpty();
        return driver;
    }

    final void leavesAloneAndSays(AdapterConfig adapter, String line) throws Exception {
        ManagedChannel driver = says(adapter, line);
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .until(() -> !devices(driver).isEmpty());
        assertThat(devices(driver)).singleElement().satisfies(device -> {
            assertThat(device.getAvailability()).isEqualTo(Availability.AVAILABILITY_SILENT);
            assertThat(device.getKind()).as("nothing is known of it").isEqualTo(DeviceKind.DEVICE_KIND_UNSPECIFIED);
        });
        assertThat(snapshot(driver).getAlarmsList()).singleElement().satisfies(alarm -> {
            assertThat(alarm.getKind()).isEqualTo(AlarmKind.ALARM_KIND_DEVICE_SILENT);
            assertThat(alarm.getNativeText()).contains(line);
        });
        assertThatThrownBy(() -> InventoryServiceGrpc.newBlockingStub(driver)
                        .getInventory(GetInventoryRequest.newBuilder()
                                .addDeviceIds(ManagedPlant.DEVICE)
                                .build()))
                .hasMessageStartingWith("UNAVAILABLE")
                .hasMessageContaining(line);
    }

    /** Lines of the log with these words. */
    final List<String> log(String words) {
        return log.lines(words);
    }

    static List<Device> devices(ManagedChannel driver) {
        return InventoryServiceGrpc.newBlockingStub(driver)
                .withDeadlineAfter(30, TimeUnit.SECONDS)
                .listDevices(ListDevicesRequest.getDefaultInstance())
                .getDevicesList();
    }

    static void awaitPresent(ManagedChannel driver) {
        awaitPresent(driver, device -> true);
    }

    static void awaitPresent(ManagedChannel driver, Predicate<String> deviceId) {
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .until(() -> devices(driver).stream()
                        .anyMatch(d -> deviceId.test(d.getDeviceId())
                                && d.getAvailability() == Availability.AVAILABILITY_PRESENT));
    }

    static ApplyCircuitsRequest.Builder request(String operation) {
        return Requests.apply(ManagedPlant.DEVICE, "r", 1, operation);
    }

    /** Repeats what was not admitted because the device is just away. */
    static Operation apply(ManagedChannel driver, ApplyCircuitsRequest request) {
        return Awaitility.await()
                .atMost(Duration.ofSeconds(90))
                .ignoreExceptionsMatching(e -> String.valueOf(e.getMessage()).startsWith("UNAVAILABLE"))
                .until(
                        () -> CircuitServiceGrpc.newBlockingStub(driver)
                                .withDeadlineAfter(60, TimeUnit.SECONDS)
                                .applyCircuits(request)
                                .getOperation(),
                        operation -> true);
    }

    /** Makes one circuit, as the device then shows. */
    static void makes(ManagedChannel driver, String operation, String circuit) {
        assertThat(apply(
                                driver,
                                request(operation)
                                        .addConnects(Requests.key(circuit))
                                        .build())
                        .getOutcome())
                .isEqualTo(Outcome.OUTCOME_APPLIED);
    }

    /** Leaves the device alone for longer than it bears, and makes a circuit then: it was present all the time. */
    static void outlastsIdleness(ManagedChannel driver) throws Exception {
        awaitPresent(driver);
        try (Watching watching =
                Watching.start(TelemetryServiceGrpc.newStub(driver), WatchRequest.getDefaultInstance())) {
            watching.await(WatchResponse.EventCase.SYNCED);
            Thread.sleep(Duration.ofSeconds(15));
            makes(driver, "after-a-while", "1->9");
            assertThat(watching.messages()).noneMatch(WatchResponse::hasAvailabilityChanged);
        }
    }

    /**
     * Makes and breaks two circuits again and again while the session is cut somewhere: each is made once and none
     * again, and the driver finds out what became of the change.
     *
     * @param longest bytes of one change
     * @param ends what of the circuits a cut change may have made; the one with most of them is the whole change
     */
    final void movesNoCircuitTwice(
            ManagedPlant plant, CutProxy proxy, ManagedChannel driver, int longest, Set<List<String>> ends) {
        DrawnCuts cuts = new DrawnCuts(longest, longest);
        List<String> whole =
                ends.stream().max(Comparator.comparingInt(List::size)).orElseThrow();
        Set<List<String>> left = ends.stream().map(end -> without(whole, end)).collect(Collectors.toSet());
        awaitPresent(driver);
        for (int round = 0; round < cuts.rounds(); round++) {
            DrawnCuts.Cut making = cuts.next(round);
            DrawnCuts.Cut breaking = cuts.next(round);
            long before = proxy.cuts();
            long movesBefore = plant.moves();
            String place = "round " + round + ", making, " + making;
            List<String> made = cut(plant, proxy, driver, connects("make-" + round, whole), making, place);
            cuts.came(true, proxy.cuts() - before);
            assertThat(made).as(place).isIn(ends);
            assertThat(plant.moves() - movesBefore)
                    .as(place + ": moves of mirrors")
                    .isEqualTo(made.size());
            applied(driver, connects("rest-" + round, without(whole, made)), place);
            assertThat(plant.truth()).as(place + ": light").isEqualTo(whole);

            place = "round " + round + ", breaking, " + breaking;
            before = proxy.cuts();
            List<String> kept = cut(plant, proxy, driver, disconnects("break-" + round, whole), breaking, place);
            cuts.came(false, proxy.cuts() - before);
            assertThat(kept).as(place).isIn(left);
            assertThat(plant.moves() - movesBefore)
                    .as(place + ": moves of mirrors")
                    .isEqualTo(whole.size());
            applied(driver, disconnects("clear-" + round, kept), place);
            assertThat(plant.truth()).as(place + ": light").isEmpty();
        }
        cuts.requireSome();
    }

    private static List<String> without(List<String> circuits, List<String> some) {
        return circuits.stream().filter(each -> !some.contains(each)).toList();
    }

    private static ApplyCircuitsRequest connects(String operation, List<String> circuits) {
        ApplyCircuitsRequest.Builder request = request(operation);
        circuits.forEach(each -> request.addConnects(Requests.key(each)));
        return request.build();
    }

    private static ApplyCircuitsRequest disconnects(String operation, List<String> circuits) {
        ApplyCircuitsRequest.Builder request = request(operation);
        circuits.forEach(each -> request.addDisconnects(Requests.key(each)));
        return request.build();
    }

    private static void applied(ManagedChannel driver, ApplyCircuitsRequest request, String place) {
        assertThat(apply(driver, request).getOutcome()).as(place).isEqualTo(Outcome.OUTCOME_APPLIED);
    }

    /** The light after a change that was cut, which was applied if, and only if, all of it is so. */
    private static List<String> cut(
            ManagedPlant plant,
            CutProxy proxy,
            ManagedChannel driver,
            ApplyCircuitsRequest request,
            DrawnCuts.Cut where,
            String place) {
        proxy.cutAfter(where.after(), where.answers());
        Operation operation = apply(driver, request);
        proxy.heal();
        awaitPresent(driver);
        Outcome outcome = settled(driver, operation.getOperationId());
        List<String> truth = plant.truth();
        assertThat(outcome == Outcome.OUTCOME_APPLIED)
                .as(place + ": " + outcome + " while light is " + truth)
                .isEqualTo(truth.size() == request.getConnectsCount());
        return truth;
    }

    static void override(ManagedChannel driver, String port, PortOverride override) {
        var unused = CircuitServiceGrpc.newBlockingStub(driver)
                .withDeadlineAfter(30, TimeUnit.SECONDS)
                .setPortOverride(SetPortOverrideRequest.newBuilder()
                        .setDeviceId(ManagedPlant.DEVICE)
                        .setFencing(Requests.fencing("r", 1))
                        .setPort(port)
                        .setOverride(override)
                        .build());
    }

    /** Circuits that the driver reads back, as "1->9". */
    static List<String> circuits(ManagedChannel driver) {
        return CircuitServiceGrpc.newBlockingStub(driver)
                .withDeadlineAfter(30, TimeUnit.SECONDS)
                .getCircuits(GetCircuitsRequest.getDefaultInstance())
                .getDevices(0)
                .getCircuitsList()
                .stream()
                .map(c -> Requests.text(c.getKey()))
                .toList();
    }

    /** What the driver tells of the device. */
    static DeviceSnapshot snapshot(ManagedChannel driver) {
        try (Watching watching =
                Watching.start(TelemetryServiceGrpc.newStub(driver), WatchRequest.getDefaultInstance())) {
            watching.await(WatchResponse.EventCase.SNAPSHOT);
            return watching.messages().stream()
                    .filter(WatchResponse::hasSnapshot)
                    .map(WatchResponse::getSnapshot)
                    .findFirst()
                    .orElseThrow();
        }
    }

    /** Closed and opened through the contract, the shutter of an egress port does to light what it says. */
    static void closesAndOpens(ManagedPlant plant, ManagedChannel driver, String ingress, String egress) {
        String circuit = ingress + "->" + egress;
        makes(driver, "lit", circuit);
        Awaitility.await().atMost(Duration.ofSeconds(60)).until(plant::truth, List.of(circuit)::equals);
        override(driver, egress, PortOverride.PORT_OVERRIDE_SHUTTERED);
        assertThat(plant.truth()).as("light").isEmpty();
        assertThat(circuits(driver)).containsExactly(circuit);
        override(driver, egress, PortOverride.PORT_OVERRIDE_NONE);
        assertThat(plant.truth()).as("light").containsExactly(circuit);
        assertThat(plant.moves()).as("moves of mirrors").isEqualTo(1);
    }

    static Outcome settled(ManagedChannel driver, String operation) {
        return settled(driver, ManagedPlant.DEVICE, operation);
    }

    static Outcome settled(ManagedChannel driver, String device, String operation) {
        return Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .until(
                        () -> CircuitServiceGrpc.newBlockingStub(driver)
                                .withDeadlineAfter(30, TimeUnit.SECONDS)
                                .getOperation(GetOperationRequest.newBuilder()
                                        .setDeviceId(device)
                                        .setRole("r")
                                        .setOperationId(operation)
                                        .build())
                                .getOperation()
                                .getOutcome(),
                        outcome -> outcome != Outcome.OUTCOME_UNKNOWN && outcome != Outcome.OUTCOME_IN_PROGRESS);
    }
}
