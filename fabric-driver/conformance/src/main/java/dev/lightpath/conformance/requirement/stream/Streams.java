package dev.lightpath.conformance.requirement.stream;

import static dev.lightpath.conformance.bench.Expect.equal;
import static dev.lightpath.conformance.bench.Expect.that;

import dev.lightpath.conformance.bench.Bench;
import dev.lightpath.conformance.bench.Circuits;
import dev.lightpath.conformance.bench.Inapplicable;
import dev.lightpath.conformance.bench.Watching;
import dev.lightpath.conformance.requirement.NoSuchDevice;
import dev.lightpath.conformance.requirement.Requirement;
import dev.lightpath.conformance.requirement.SlowOperation;
import dev.lightpath.conformance.requirement.device.Circuit;
import dev.lightpath.conformance.requirement.device.Inventory;
import dev.lightpath.proto.driver.v1alpha1.Availability;
import dev.lightpath.proto.driver.v1alpha1.CircuitKey;
import dev.lightpath.proto.driver.v1alpha1.Device;
import dev.lightpath.proto.driver.v1alpha1.DeviceCircuits;
import dev.lightpath.proto.driver.v1alpha1.DeviceScope;
import dev.lightpath.proto.driver.v1alpha1.DeviceSnapshot;
import dev.lightpath.proto.driver.v1alpha1.Operation;
import dev.lightpath.proto.driver.v1alpha1.Outcome;
import dev.lightpath.proto.driver.v1alpha1.Port;
import dev.lightpath.proto.driver.v1alpha1.PortAdminState;
import dev.lightpath.proto.driver.v1alpha1.PortOverride;
import dev.lightpath.proto.driver.v1alpha1.PortStatus;
import dev.lightpath.proto.driver.v1alpha1.StreamKind;
import dev.lightpath.proto.driver.v1alpha1.WatchRequest;
import dev.lightpath.proto.driver.v1alpha1.WatchResponse;
import dev.lightpath.proto.driver.v1alpha1.WatchResponse.EventCase;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What a client of Watch may rely on. */
public final class Streams {
    private static final String SECTION = "TelemetryService.Watch";
    private static final int HEARTBEATS = 10;
    private static final Duration LEAST_BEAT = Duration.ofMillis(100);

    /** Twice the 5 s that an unset interval means. */
    private static final Duration USUAL_PATIENCE = Duration.ofSeconds(10);

    private Streams() {}

    public static List<Requirement> all() {
        return List.of(
                new Requirement(
                        "stream/snapshot-then-synced",
                        SECTION,
                        "A stream begins with a snapshot of each device, which is what reading shows, then Synced",
                        Streams::snapshotThenSynced),
                new Requirement(
                        "stream/changes",
                        SECTION,
                        "Circuits and operations are told as they change, with the digest of the scope",
                        Streams::changes),
                new Requirement(
                        "stream/admitted",
                        "OperationChanged",
                        "An operation that takes a while is told when it is admitted, and when it has ended",
                        Streams::admitted),
                new Requirement(
                        "stream/sequence",
                        "WatchResponse.seq, boot_id, dropped",
                        "Messages are numbered from 1 without gaps or repetitions, under the boot_id of this run",
                        Streams::sequence),
                new Requirement(
                        "stream/scope",
                        "WatchRequest.devices",
                        "Circuits, ports and digests of a stream are confined to its scope",
                        Streams::scope),
                new Requirement(
                        "stream/kinds",
                        "WatchRequest.kinds",
                        "A stream that names kinds is told of no others; its snapshots have everything",
                        Streams::kinds),
                new Requirement(
                        "stream/named-kind",
                        "WatchRequest.kinds",
                        "A stream of circuits is told of circuits, and not of ports, alarms, power or temperature",
                        Streams::named),
                new Requirement(
                        "stream/resync",
                        SECTION,
                        "A new stream starts from what is, and every stream ends with the same state",
                        Streams::resync),
                new Requirement(
                        "stream/all-devices",
                        "WatchRequest.devices",
                        "A stream that names no device carries all of them",
                        Streams::allDevices),
                new Requirement(
                        "stream/unknown-device",
                        "WatchRequest.devices",
                        "A named device that the driver does not know is reported REMOVED",
                        Streams::unknownDevice),
                new Requirement(
                        "stream/heartbeat",
                        "WatchRequest.heartbeat_interval",
                        "A quiet stream gives a heartbeat for each interval of silence, numbered like any message",
                        Streams::heartbeat),
                new Requirement(
                        "stream/heartbeat-floor",
                        "WatchRequest.heartbeat_interval",
                        "An interval below 100 ms is taken as 100 ms",
                        Streams::heartbeatFloor),
                new Requirement(
                        "stream/usual-heartbeat",
                        "WatchRequest.heartbeat_interval",
                        "A stream that asks for no interval is silent for 5 s at most",
                        Streams::usualHeartbeat),
                new Requirement(
                        "stream/ports",
                        "PortsChanged",
                        "An override is told as a change of its port and its administrative state, shown in the next snapshot, and told when lifted",
                        Streams::ports));
    }

    /** Until a client knows these circuits by all that it was told. */
    static void awaitCircuits(Bench bench, Watching watching, List<String> expected) {
        var unused = bench.await(
                "the circuits by all that was told on the stream to be " + expected,
                () -> Circuits.texts(watching.circuits(bench.deviceId())),
                expected::equals);
    }

    public static boolean carries(Bench bench, StreamKind kind) {
        return bench.device().capabilities().getStreamKindsList().contains(kind);
    }

    /** @throws Inapplicable when the device's streams carry no such events */
    public static void require(Bench bench, StreamKind kind) {
        if (!carries(bench, kind)) {
            throw new Inapplicable("capabilities: stream_kinds without " + kind);
        }
    }

    private static DeviceSnapshot snapshot(Bench bench, Watching watching) {
        return watching.await(
                        "a snapshot of " + bench.deviceId(),
                        m -> m.getSnapshot().getDeviceId().equals(bench.deviceId()))
                .getSnapshot();
    }

    private static void snapshotThenSynced(Bench bench) {
        bench.change().make(0).apply();
        try (Watching watching = bench.watch()) {
            equal(
                    "first message",
                    EventCase.SNAPSHOT,
                    watching.messages().getFirst().getEventCase());
            DeviceSnapshot snapshot = snapshot(bench, watching);
            equal("availability", Availability.AVAILABILITY_PRESENT, snapshot.getAvailability());
            equal("kind", bench.listed().getKind(), snapshot.getKind());
            equal(
                    "circuits of the snapshot",
                    bench.read().getCircuitsList().stream()
                            .map(Circuit::unmeasured)
                            .toList(),
                    snapshot.getCircuitsList().stream().map(Circuit::unmeasured).toList());
            Set<String> scratch = Set.copyOf(bench.layout().ports());
            equal(
                    "ports of the snapshot, in the device's order",
                    bench.device().inventory().getPortsList().stream()
                            .map(Port::getName)
                            .filter(scratch::contains)
                            .toList(),
                    snapshot.getPortsList().stream().map(PortStatus::getPort).toList());
            equal("digest of the snapshot", bench.read().getObservedDigest(), snapshot.getObservedDigest());
            equal("holding_role", bench.role(), snapshot.getHoldingRole());
            equal("highest_epoch", bench.epoch(), snapshot.getHighestEpoch());
            equal("inventory_revision", bench.listed().getInventoryRevision(), snapshot.getInventoryRevision());
            WatchResponse synced = watching.await("Synced", m -> m.hasSynced());
            equal("devices of the stream", 1, synced.getSynced().getDeviceCount());
        }
    }

    private static void changes(Bench bench) {
        require(bench, StreamKind.STREAM_KIND_CIRCUITS);
        try (Watching watching = bench.watch()) {
            Operation done = bench.change().make(0).apply();
            watching.awaitDigest(bench.deviceId(), done.getObservedDigest());
            watching.await(
                    "a changed circuit " + Circuits.text(bench.layout().circuit(0)),
                    m -> m.getCircuitsChanged().getChangedList().stream()
                            .anyMatch(c -> c.getKey().equals(bench.layout().circuit(0))));
            watching.await(
                    "the operation as it ended",
                    m -> m.getOperationChanged().getOperation().equals(done));
            bench.await(
                    Circuits.text(bench.layout().circuit(0)) + " told as reading shows it",
                    () -> List.of(
                            watching.circuit(bench.deviceId(), bench.layout().circuit(0)),
                            shown(bench, bench.layout().circuit(0))),
                    two -> two.getFirst().isPresent()
                            && two.getFirst()
                                    .map(Circuit::unmeasured)
                                    .equals(two.getLast().map(Circuit::unmeasured)));
            Operation undone = bench.change().unmake(0).apply();
            watching.awaitDigest(bench.deviceId(), undone.getObservedDigest());
            watching.await(
                    "the circuit among the removed",
                    m -> m.getCircuitsChanged()
                            .getRemovedList()
                            .contains(bench.layout().circuit(0)));
            inOrder(watching, done);
            watching.messages()
                    .forEach(m -> that(!m.hasForeignChange(), "no ForeignChange for what an operation asked for", m));
        }
    }

    /** Of one that takes a second: shorter ones may be told as one with their end. */
    private static void admitted(Bench bench) throws Exception {
        SlowOperation.slow(bench);
        try (Watching watching = bench.watch()) {
            Operation done = bench.change().make(0).apply();
            watching.await(
                    "the operation as it ended",
                    m -> m.getOperationChanged().getOperation().equals(done));
            watching.await(
                    "the operation as it was admitted",
                    m -> m.getOperationChanged().getOperation().getOutcome() == Outcome.OUTCOME_IN_PROGRESS
                            && m.getOperationChanged()
                                    .getOperation()
                                    .getOperationId()
                                    .equals(done.getOperationId()));
            inOrder(watching, done);
        }
    }

    private static void sequence(Bench bench) {
        try (Watching watching = bench.watch()) {
            String last = "";
            for (int i = 0; i < 4; i++) {
                last = (i % 2 == 0 ? bench.change().make(0) : bench.change().unmake(0))
                        .apply()
                        .getOperationId();
            }
            String wanted = last;
            watching.await(
                    "the end of the last operation",
                    m -> m.getOperationChanged().getOperation().getOperationId().equals(wanted)
                            && m.getOperationChanged().getOperation().getOutcome() == Outcome.OUTCOME_APPLIED);
            String bootId = bench.bootId();
            long expected = 1;
            for (WatchResponse message : watching.messages()) {
                equal("seq of the next message", expected++, message.getSeq());
                equal("boot_id of message " + message.getSeq(), bootId, message.getBootId());
                equal("dropped in message " + message.getSeq(), 0L, message.getDropped());
                that(message.hasObservedAt(), "observed_at", message);
            }
        }
    }

    private static void scope(Bench bench) {
        require(bench, StreamKind.STREAM_KIND_CIRCUITS);
        require(bench, StreamKind.STREAM_KIND_PORTS);
        WatchRequest request = WatchRequest.newBuilder()
                .addDevices(DeviceScope.newBuilder()
                        .setDeviceId(bench.deviceId())
                        .setScope(bench.layout().scope(1)))
                .build();
        bench.change().make(0).apply();
        try (Watching watching = bench.watch(request)) {
            watching.awaitSynced();
            List<String> ports = bench.layout().scope(1).getPortsList();
            DeviceSnapshot snapshot = snapshot(bench, watching);
            snapshot.getPortsList().forEach(p -> that(ports.contains(p.getPort()), "only ports of " + ports, p));
            DeviceCircuits read = bench.read(bench.layout().scope(1));
            equal(
                    "circuits of the snapshot, those that touch " + ports,
                    Circuits.texts(Circuits.keys(read.getCircuitsList())),
                    Circuits.texts(Circuits.keys(snapshot.getCircuitsList())));
            equal("digest of the snapshot, of these", read.getObservedDigest(), snapshot.getObservedDigest());
            bench.change().unmake(0).apply();
            bench.change().make(0).apply();
            var unused =
                    bench.override(bench.layout().circuit(0).getEgress(), PortOverride.PORT_OVERRIDE_OUT_OF_SERVICE);
            bench.change().make(1).apply();
            watching.awaitDigest(
                    bench.deviceId(), bench.read(bench.layout().scope(1)).getObservedDigest());
            String port = bench.layout().circuit(1).getEgress();
            var unusedToo = bench.override(port, PortOverride.PORT_OVERRIDE_OUT_OF_SERVICE);
            watching.await(
                    "port " + port + " OUT_OF_SERVICE",
                    m -> m.getPortsChanged().getPortsList().stream().anyMatch(p -> isOut(p, port)));
            watching.messages().forEach(m -> confined(m, ports));
        }
    }

    private static void confined(WatchResponse message, List<String> ports) {
        Stream.concat(
                        message.getCircuitsChanged().getChangedList().stream()
                                .map(dev.lightpath.proto.driver.v1alpha1.Circuit::getKey),
                        message.getCircuitsChanged().getRemovedList().stream())
                .forEach(k -> that(
                        ports.contains(k.getIngress()) || ports.contains(k.getEgress()),
                        "only circuits that touch " + ports,
                        message));
        message.getPortsChanged()
                .getPortsList()
                .forEach(p -> that(ports.contains(p.getPort()), "only ports of " + ports, message));
    }

    private static void named(Bench bench) {
        require(bench, StreamKind.STREAM_KIND_CIRCUITS);
        WatchRequest circuits =
                bench.watchRequest().addKinds(StreamKind.STREAM_KIND_CIRCUITS).build();
        try (Watching watching = bench.watch(circuits)) {
            watching.awaitSynced();
            var unused =
                    bench.override(bench.layout().circuit(1).getEgress(), PortOverride.PORT_OVERRIDE_OUT_OF_SERVICE);
            bench.change().make(0).apply();
            watching.await(
                    "a changed circuit " + Circuits.text(bench.layout().circuit(0)),
                    m -> m.getCircuitsChanged().getChangedList().stream()
                            .anyMatch(c -> c.getKey().equals(bench.layout().circuit(0))));
            watching.messages().forEach(Streams::expectOfCircuits);
        }
    }

    /** Of no other kind, as far as a message is of a kind. */
    static void expectOfCircuits(WatchResponse message) {
        that(
                !message.hasPortsChanged() && !message.hasAlarmChanged() && !message.hasEnvironmentChanged(),
                "neither PortsChanged nor AlarmChanged nor EnvironmentChanged on a stream of circuits alone",
                message);
    }

    private static void kinds(Bench bench) {
        require(bench, StreamKind.STREAM_KIND_CIRCUITS);
        StreamKind other = bench.device().capabilities().getStreamKindsList().stream()
                .filter(k -> k != StreamKind.STREAM_KIND_CIRCUITS
                        && k != StreamKind.STREAM_KIND_UNSPECIFIED
                        && k != StreamKind.UNRECOGNIZED)
                .findFirst()
                .orElseThrow(() -> new Inapplicable("capabilities: no stream_kinds besides circuits"));
        bench.change().make(0).apply();
        WatchRequest others = bench.watchRequest()
                .addKinds(other)
                .setHeartbeatInterval(com.google.protobuf.Duration.newBuilder().setNanos(100_000_000))
                .build();
        try (Watching watching = bench.watch(others);
                Watching everything = bench.watch()) {
            watching.awaitSynced();
            equal(
                    "circuits of the snapshot",
                    Circuits.texts(Circuits.keys(bench.read().getCircuitsList())),
                    Circuits.texts(Circuits.keys(snapshot(bench, watching).getCircuitsList())));
            everything.awaitDigest(
                    bench.deviceId(), bench.change().unmake(0).apply().getObservedDigest());
            int told = watching.messages().size();
            watching.await(
                    "a heartbeat after the change, unless there is other news",
                    told,
                    m -> m.hasHeartbeat() || watching.messages().size() > told + HEARTBEATS);
            watching.messages()
                    .forEach(m ->
                            that(!m.hasCircuitsChanged(), "no CircuitsChanged on a stream of " + other + " alone", m));
        }
    }

    private static void resync(Bench bench) {
        require(bench, StreamKind.STREAM_KIND_CIRCUITS);
        try (Watching first = bench.watch()) {
            for (int i = 0; i < 3; i++) {
                bench.change().make(0).apply();
                try (Watching second = bench.watch()) {
                    equal(
                            "digest of a stream begun now",
                            bench.read().getObservedDigest(),
                            second.digest(bench.deviceId()));
                    String after = bench.change().unmake(0).apply().getObservedDigest();
                    second.awaitDigest(bench.deviceId(), after);
                    first.awaitDigest(bench.deviceId(), after);
                    equal(
                            "seq of the first message",
                            1L,
                            second.messages().getFirst().getSeq());
                }
            }
        }
    }

    private static void allDevices(Bench bench) {
        Set<String> present = present(bench);
        try (Watching watching = bench.watch(WatchRequest.getDefaultInstance())) {
            watching.awaitSynced();
            snapshot(bench, watching);
            if (!bench.terms().certified()) {
                present.retainAll(present(bench));
                watching.messages().stream()
                        .filter(WatchResponse::hasSnapshot)
                        .forEach(m -> present.remove(m.getSnapshot().getDeviceId()));
                equal("devices that ListDevices has PRESENT, without a snapshot before Synced,", Set.of(), present);
            }
            int count = watching.messages().stream()
                    .filter(WatchResponse::hasSynced)
                    .findFirst()
                    .orElseThrow()
                    .getSynced()
                    .getDeviceCount();
            long snapshots = watching.messages().stream()
                    .takeWhile(m -> !m.hasSynced())
                    .filter(WatchResponse::hasSnapshot)
                    .map(m -> m.getSnapshot().getDeviceId())
                    .distinct()
                    .count();
            equal("snapshots before Synced", (long) count, snapshots);
        }
    }

    private static Set<String> present(Bench bench) {
        return Inventory.devices(bench).stream()
                .filter(d -> d.getAvailability() == Availability.AVAILABILITY_PRESENT)
                .map(Device::getDeviceId)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static void unknownDevice(Bench bench) {
        WatchRequest request = bench.watchRequest()
                .addDevices(DeviceScope.newBuilder().setDeviceId(NoSuchDevice.NAME))
                .build();
        try (Watching watching = bench.watch(request)) {
            if (bench.terms().certified()
                    && watching.awaitBeginning()
                            .filter(NoSuchDevice::isNotAuthorised)
                            .isPresent()) {
                return;
            }
            watching.await(
                    NoSuchDevice.NAME + " REMOVED",
                    m -> m.getAvailabilityChanged().getDeviceId().equals(NoSuchDevice.NAME)
                            && m.getAvailabilityChanged().getAvailability() == Availability.AVAILABILITY_REMOVED);
            watching.awaitSynced();
        }
    }

    /** Of what happens least often, so that there is silence. */
    private static WatchRequest.Builder quiet(Bench bench) {
        WatchRequest.Builder request = bench.watchRequest();
        return carries(bench, StreamKind.STREAM_KIND_CIRCUITS)
                ? request.addKinds(StreamKind.STREAM_KIND_CIRCUITS)
                : request;
    }

    /** Any message breaks the silence, a heartbeat if nothing else. */
    private static void heartbeat(Bench bench) {
        WatchRequest request = quiet(bench)
                .setHeartbeatInterval(com.google.protobuf.Duration.newBuilder().setNanos(100_000_000))
                .build();
        // those of the usual 5 s would be fewer in the same time; half of those that fit are enough
        long beats = Math.max(
                1,
                Math.min(
                        bench.terms().patience().toSeconds() / 5 + 10,
                        bench.terms().patience().toMillis() / 200));
        try (Watching watching = bench.watch(request)) {
            watching.awaitSynced();
            int begun = watching.messages().size();
            bench.await(
                    beats + " messages, heartbeats if nothing else, one every 100 ms,",
                    () -> watching.messages().size() - begun,
                    seen -> seen >= beats);
            long before = 0;
            for (WatchResponse message : watching.messages()) {
                equal("seq of the next message, heartbeat or not,", ++before, message.getSeq());
                equal(
                        "devices of the stream in a heartbeat",
                        message.hasHeartbeat() ? 1 : 0,
                        message.getHeartbeat().getDeviceCount());
            }
        }
    }

    private static void ports(Bench bench) {
        require(bench, StreamKind.STREAM_KIND_PORTS);
        String port = bench.layout().circuit(0).getEgress();
        try (Watching watching = bench.watch()) {
            var unused = bench.override(port, PortOverride.PORT_OVERRIDE_OUT_OF_SERVICE);
            watching.await(
                    "port " + port + " OUT_OF_SERVICE",
                    m -> m.getPortsChanged().getPortsList().stream().anyMatch(p -> isOut(p, port)));
        }
        try (Watching watching = bench.watch()) {
            that(
                    snapshot(bench, watching).getPortsList().stream().anyMatch(p -> isOut(p, port)),
                    "port " + port + " OUT_OF_SERVICE in the snapshot",
                    snapshot(bench, watching).getPortsList());
            var lifted = bench.override(port, PortOverride.PORT_OVERRIDE_NONE);
            watching.await(
                    "port " + port + " in service again",
                    m -> m.getPortsChanged().getPortsList().stream().anyMatch(p -> isBack(p, port)));
        }
    }

    private static boolean isOut(PortStatus status, String port) {
        return status.getPort().equals(port)
                && status.getOverride() == PortOverride.PORT_OVERRIDE_OUT_OF_SERVICE
                && status.getAdminState() == PortAdminState.PORT_ADMIN_STATE_OUT_OF_SERVICE;
    }

    private static boolean isBack(PortStatus status, String port) {
        return status.getPort().equals(port)
                && status.getOverride() == PortOverride.PORT_OVERRIDE_NONE
                && status.getAdminState() == PortAdminState.PORT_ADMIN_STATE_IN_SERVICE;
    }

    private static Optional<dev.lightpath.proto.driver.v1alpha1.Circuit> shown(Bench bench, CircuitKey key) {
        return bench.read().getCircuitsList().stream()
                .filter(c -> c.getKey().equals(key))
                .findFirst();
    }

    /** First what was admitted, then how it ended. */
    private static void inOrder(Watching watching, Operation done) {
        List<Outcome> told = watching.messages().stream()
                .map(m -> m.getOperationChanged().getOperation())
                .filter(o -> o.getOperationId().equals(done.getOperationId()))
                .map(Operation::getOutcome)
                .toList();
        that(
                told.indexOf(Outcome.OUTCOME_IN_PROGRESS) < told.indexOf(done.getOutcome()),
                "the operation told as admitted before it is told as ended",
                told);
    }

    /** That many heartbeats need that much time, since the stream began, however late they are read. */
    private static void heartbeatFloor(Bench bench) {
        WatchRequest request = quiet(bench)
                .setHeartbeatInterval(com.google.protobuf.Duration.newBuilder().setNanos(1_000_000))
                .build();
        long began = System.nanoTime();
        try (Watching watching = bench.watch(request)) {
            watching.awaitSynced();
            int begun = watching.messages().size();
            bench.await(
                    HEARTBEATS + " messages, heartbeats if nothing else",
                    () -> watching.messages().size() - begun,
                    seen -> seen >= HEARTBEATS);
            Duration took = Duration.ofNanos(System.nanoTime() - began);
            long beats = watching.messages().stream()
                    .filter(WatchResponse::hasHeartbeat)
                    .count();
            that(
                    took.compareTo(LEAST_BEAT.multipliedBy(beats).dividedBy(2)) > 0,
                    "no more than a heartbeat every " + LEAST_BEAT.toMillis()
                            + " ms, though every millisecond was asked for",
                    beats + " in " + took.toMillis() + " ms");
        }
    }

    private static void usualHeartbeat(Bench bench) {
        try (Watching watching = bench.watch()) {
            int begun = watching.messages().size();
            watching.await("a heartbeat, if nothing else, without asking for one", begun, USUAL_PATIENCE, m -> true);
        }
    }
}
