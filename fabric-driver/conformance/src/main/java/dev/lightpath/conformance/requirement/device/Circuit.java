package dev.lightpath.conformance.requirement.device;

import static dev.lightpath.conformance.bench.Expect.equal;
import static dev.lightpath.conformance.bench.Expect.that;

import com.google.protobuf.ByteString;
import com.google.protobuf.Timestamp;
import com.google.protobuf.UnknownFieldSet;
import dev.lightpath.conformance.bench.Bench;
import dev.lightpath.conformance.bench.Change;
import dev.lightpath.conformance.bench.Circuits;
import dev.lightpath.conformance.bench.Inapplicable;
import dev.lightpath.conformance.bench.Refusal;
import dev.lightpath.conformance.bench.Watching;
import dev.lightpath.conformance.requirement.Pages;
import dev.lightpath.conformance.requirement.Requirement;
import dev.lightpath.proto.driver.v1alpha1.CircuitKey;
import dev.lightpath.proto.driver.v1alpha1.CircuitSource;
import dev.lightpath.proto.driver.v1alpha1.CircuitState;
import dev.lightpath.proto.driver.v1alpha1.Device;
import dev.lightpath.proto.driver.v1alpha1.DeviceCircuits;
import dev.lightpath.proto.driver.v1alpha1.DeviceScope;
import dev.lightpath.proto.driver.v1alpha1.GetCircuitsRequest;
import dev.lightpath.proto.driver.v1alpha1.ItemAction;
import dev.lightpath.proto.driver.v1alpha1.ItemReason;
import dev.lightpath.proto.driver.v1alpha1.ItemResult;
import dev.lightpath.proto.driver.v1alpha1.ItemState;
import dev.lightpath.proto.driver.v1alpha1.Operation;
import io.grpc.Status;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Making, breaking and reading circuits. */
public final class Circuit {
    private static final String APPLY = "CircuitService.ApplyCircuits";
    private static final String READ = "CircuitService.GetCircuits";
    private static final int LARGEST_PAGE = 64;
    private static final long GENERATION = (1L << 40) + 41;

    private Circuit() {}

    public static List<Requirement> all() {
        return List.of(
                new Requirement(
                        "circuits/apply-and-read-back",
                        "Truth; " + APPLY,
                        "APPLIED means that reading the device shows every circuit, connected",
                        Circuit::applyAndReadBack),
                new Requirement(
                        "circuits/items",
                        "Operation.items",
                        "One result per item: the disconnects, then the connects, each as given, with its times",
                        Circuit::items),
                new Requirement(
                        "circuits/digest",
                        "DeviceCircuits.observed_digest",
                        "The digest is the SHA-256 of the lines ingress>egress of the scope, in order",
                        Circuit::digest),
                new Requirement(
                        "circuits/bytewise",
                        "DeviceCircuits.circuits, observed_digest",
                        "Circuits are ordered by the bytes of their ports: 10 before 9",
                        Circuit::bytewise),
                new Requirement(
                        "circuits/ownership",
                        "Circuit.foreign, role, operation_id",
                        "A circuit says which role and operation made it",
                        Circuit::ownership),
                new Requirement(
                        "circuits/read-all",
                        READ,
                        "Reading without naming devices pages through all of them, in order",
                        Circuit::readAll),
                new Requirement(
                        "circuits/source",
                        "GetCircuitsRequest.source",
                        "An answer says where its circuits come from: the hardware, unless asked otherwise",
                        Circuit::source),
                new Requirement(
                        "circuits/already-so",
                        "ApplyCircuitsRequest.connects, disconnects",
                        "What is already as asked succeeds, and nothing moves",
                        Circuit::alreadySo),
                new Requirement(
                        "circuits/swap",
                        "Breaks; APPLY_ORDER_BREAK_BEFORE_MAKE",
                        "A circuit freed by the request's disconnects can be made again differently in one request",
                        Circuit::swap),
                new Requirement(
                        "circuits/disconnect-by-ingress",
                        "CircuitKey.egress",
                        "A disconnect without egress breaks whatever the ingress has, and names it in the result",
                        Circuit::disconnectByIngress),
                new Requirement(
                        "circuits/disconnect-another",
                        "ERROR_REASON_NO_SUCH_CIRCUIT",
                        "Disconnecting another circuit than is there is refused: the caller must plan again",
                        Circuit::disconnectAnother),
                new Requirement(
                        "circuits/all-at-once",
                        "Capabilities.max_batch; ATOMICITY_ALL_OR_NOTHING",
                        "As many circuits as the free ports allow are made by one change, and broken by one, all or nothing",
                        Circuit::allAtOnce),
                new Requirement(
                        "circuits/unknown-fields",
                        "Conformance: unknown fields",
                        "Fields of a newer contract are tolerated",
                        Circuit::unknownFields));
    }

    private static void applyAndReadBack(Bench bench) {
        Operation done = bench.makeAll(0, 1);
        bench.expectMade(0, 1);
        DeviceCircuits read = bench.read();
        equal("observed_digest of the reading", done.getObservedDigest(), read.getObservedDigest());
        that(!read.hasStaleSince(), "no stale_since while the device answers", read);
        read.getCircuitsList()
                .forEach(c -> equal(
                        "state of " + Circuits.text(c.getKey()), CircuitState.CIRCUIT_STATE_CONNECTED, c.getState()));
        equal("generation", 0L, done.getDesiredGeneration());
        bench.change().unmake(0).apply();
        bench.expectMade(1);
    }

    private static void items(Bench bench) {
        bench.change().make(0).apply();
        Change change = bench.change().make(1).unmake(0).edit(r -> r.setDesiredGeneration(GENERATION));
        Operation done = change.apply();
        List<CircuitKey> asked = new ArrayList<>(change.request().getDisconnectsList());
        asked.addAll(change.request().getConnectsList());
        equal(
                "circuits of the items",
                asked.stream().map(Circuits::text).toList(),
                done.getItemsList().stream().map(i -> Circuits.text(i.getKey())).toList());
        for (ItemResult item : done.getItemsList()) {
            ItemState wanted = item.getAction() == ItemAction.ITEM_ACTION_CONNECT
                    ? ItemState.ITEM_STATE_CONNECTED
                    : ItemState.ITEM_STATE_DARK;
            equal("state of an item in place", wanted, item.getState());
            that(item.hasStartedAt() && item.hasFinishedAt(), "started_at and finished_at of a moved item", item);
            that(!item.getImplied(), "not implied, for the request named it", item);
        }
        equal("desired_generation", GENERATION, done.getDesiredGeneration());
        equal("highest_generation", GENERATION, bench.read().getHighestGeneration());
        equal("device_id", bench.deviceId(), done.getDeviceId());
        equal("fencing", change.request().getFencing(), done.getFencing());
        that(done.hasAdmittedAt() && done.hasFinishedAt(), "admitted_at and finished_at", done);
        inOrder(done);
        that(!done.getBeforeDigest().equals(done.getObservedDigest()), "two digests, before and after", done);
        bench.change().unmake(1).apply();
        asGiven(bench.change().make(1).make(0));
        asGiven(bench.change().unmake(1).unmake(0));
    }

    /** The second before the first: no order by name. */
    private static void asGiven(Change change) {
        equal(
                "items in the order given",
                Stream.concat(
                                change.request().getDisconnectsList().stream(),
                                change.request().getConnectsList().stream())
                        .map(Circuits::text)
                        .toList(),
                change.apply().getItemsList().stream()
                        .map(i -> Circuits.text(i.getKey()))
                        .toList());
    }

    /**
     * Times of one clock, in the order things happen, and within a day of the kit's: neither seconds nor nanoseconds
     * mixed up.
     */
    private static void inOrder(Operation done) {
        Duration apart = Duration.between(instant(done.getFinishedAt()), Instant.now());
        that(apart.abs().compareTo(Duration.ofDays(1)) < 0, "finished_at to be about now", done.getFinishedAt());
        that(
                !instant(done.getFinishedAt()).isBefore(instant(done.getAdmittedAt())),
                "finished_at no sooner than admitted_at",
                done);
        for (ItemResult item : done.getItemsList()) {
            that(
                    !instant(item.getFinishedAt()).isBefore(instant(item.getStartedAt())),
                    "an item finished no sooner than it started",
                    item);
        }
    }

    public static Instant instant(Timestamp time) {
        return Instant.ofEpochSecond(time.getSeconds(), time.getNanos());
    }

    /** On a device that does not select, whose one move both breaks and makes. */
    private static void brokenBeforeMade(Operation done) {
        for (ItemResult made : items(done, ItemAction.ITEM_ACTION_CONNECT)) {
            for (ItemResult broken : items(done, ItemAction.ITEM_ACTION_DISCONNECT)) {
                that(
                        !instant(made.getStartedAt()).isBefore(instant(broken.getFinishedAt())),
                        "no connect started before every disconnect was read back",
                        done);
            }
        }
    }

    private static List<ItemResult> items(Operation done, ItemAction action) {
        return done.getItemsList().stream().filter(i -> i.getAction() == action).toList();
    }

    private static void digest(Bench bench) {
        equal("digest of an empty scope", Circuits.digest(List.of()), digestOfNothing(bench));
        bench.makeAll(1, 0);
        DeviceCircuits read = bench.read();
        List<CircuitKey> keys = Circuits.keys(read.getCircuitsList());
        equal(
                "circuits in order",
                keys.stream().sorted(Circuits.ORDER).map(Circuits::text).toList(),
                keys.stream().map(Circuits::text).toList());
        equal("digest of " + Circuits.texts(keys), Circuits.digest(keys), read.getObservedDigest());
    }

    private static void bytewise(Bench bench) {
        List<CircuitKey> two = bench.layout().unordered();
        Operation done = connected(bench, two);
        List<CircuitKey> read = Circuits.keys(bench.read().getCircuitsList());
        equal(
                "circuits in the order of their bytes, not of their numbers",
                Circuits.texts(two),
                read.stream().map(Circuits::text).toList());
        equal(
                "digest of " + Circuits.texts(two),
                Circuits.digest(two),
                bench.read().getObservedDigest());
        equal("observed_digest of the operation", Circuits.digest(two), done.getObservedDigest());
        try (Watching watching = bench.watch()) {
            equal("digest of the snapshot", Circuits.digest(two), watching.digest(bench.deviceId()));
        }
    }

    /** By one change where the device takes both at once; what the last told. */
    private static Operation connected(Bench bench, List<CircuitKey> two) {
        if (bench.device().mostItems() < two.size()) {
            bench.change().connect(two.getFirst()).apply();
            return bench.change().connect(two.getLast()).apply();
        }
        Change change = bench.change();
        two.forEach(change::connect);
        return change.apply();
    }

    private static String digestOfNothing(Bench bench) {
        String dark = bench.layout().rest(0).isPresent()
                ? bench.layout().alternative(0).getEgress()
                : bench.layout().circuit(0).getIngress();
        return bench.read(Circuits.scope(List.of(dark))).getObservedDigest();
    }

    private static void ownership(Bench bench) {
        Change change = bench.change().make(0);
        change.apply();
        var circuit = bench.read().getCircuitsList().stream()
                .filter(c -> c.getKey().equals(bench.layout().circuit(0)))
                .findFirst()
                .orElseThrow();
        that(!circuit.getForeign(), "not foreign", circuit);
        equal("role", bench.role(), circuit.getRole());
        equal("operation_id", change.id(), circuit.getOperationId());
        that(circuit.hasSince(), "since", circuit);
        equal(
                "circuits, read again",
                bench.read().getCircuitsList().stream().map(Circuit::unmeasured).toList(),
                bench.read().getCircuitsList().stream().map(Circuit::unmeasured).toList());
        equal("holding_role", bench.role(), bench.read().getHoldingRole());
        equal("highest_epoch", bench.epoch(), bench.read().getHighestEpoch());
    }

    /** What does not change while light stays where it is. */
    public static dev.lightpath.proto.driver.v1alpha1.Circuit unmeasured(
            dev.lightpath.proto.driver.v1alpha1.Circuit circuit) {
        return circuit.toBuilder().clearMeasuredLossDb().clearFactoryLossDb().build();
    }

    private static void readAll(Bench bench) {
        List<Device> listed = Inventory.devices(bench);
        int size = Math.clamp(listed.size() / 3, 1, LARGEST_PAGE);
        List<String> read = Pages.all("devices", size, token -> {
            var page = bench.calls()
                    .circuits()
                    .getCircuits(GetCircuitsRequest.newBuilder()
                            .setPageSize(size)
                            .setPageToken(token)
                            .build());
            return new Pages.Page<>(
                    page.getDevicesList().stream()
                            .map(DeviceCircuits::getDeviceId)
                            .toList(),
                    page.getNextPageToken());
        });
        equal("devices of all pages, as listed,", Inventory.served(listed), Inventory.withoutRemoved(listed, read));
    }

    /** A driver that cannot read a configuration says so. */
    private static void source(Bench bench) {
        expectFrom(bench, CircuitSource.CIRCUIT_SOURCE_UNSPECIFIED, CircuitSource.CIRCUIT_SOURCE_HARDWARE);
        expectFrom(bench, CircuitSource.CIRCUIT_SOURCE_HARDWARE, CircuitSource.CIRCUIT_SOURCE_HARDWARE);
        Optional<Refusal> refusal = Refusal.ofCall(
                () -> expectFrom(bench, CircuitSource.CIRCUIT_SOURCE_CONFIG, CircuitSource.CIRCUIT_SOURCE_CONFIG));
        refusal.ifPresent(r -> that(
                r.code() == Status.Code.UNIMPLEMENTED
                        || r.code() == Status.Code.FAILED_PRECONDITION
                                && r.reason().equals("NOT_SUPPORTED"),
                "the configuration, or FAILED_PRECONDITION with reason NOT_SUPPORTED, or UNIMPLEMENTED",
                r));
    }

    private static void expectFrom(Bench bench, CircuitSource asked, CircuitSource meant) {
        var read = bench.calls()
                .circuits()
                .getCircuits(GetCircuitsRequest.newBuilder()
                        .addDevices(DeviceScope.newBuilder().setDeviceId(bench.deviceId()))
                        .setSource(asked)
                        .build());
        equal("devices read", 1, read.getDevicesCount());
        equal("source, asked for " + asked + ",", meant, read.getDevices(0).getSource());
    }

    private static void alreadySo(Bench bench) {
        bench.change().make(0).apply();
        String before = bench.read().getObservedDigest();
        expectAlready(bench.change().connect(bench.layout().circuit(0)).apply());
        if (bench.layout().crosses()) {
            expectAlready(bench.change().disconnect(bench.layout().circuit(1)).apply());
        }
        equal("digest", before, bench.read().getObservedDigest());
    }

    private static void expectAlready(Operation again) {
        again.getItemsList().forEach(i -> {
            equal("reason of " + Circuits.text(i.getKey()), ItemReason.ITEM_REASON_ALREADY, i.getReason());
            that(!i.hasStartedAt(), "no started_at, for the device was not asked", i);
        });
    }

    private static void swap(Bench bench) {
        bench.change().make(0).make(1).apply();
        if (bench.layout().crosses()) {
            brokenBeforeMade(bench.change()
                    .disconnect(bench.layout().circuit(0))
                    .disconnect(bench.layout().circuit(1))
                    .connect(bench.layout().crossing(0, 1))
                    .connect(bench.layout().crossing(1, 0))
                    .apply());
            bench.expectShown(bench.layout().crossing(0, 1), bench.layout().crossing(1, 0));
        } else {
            bench.change()
                    .disconnect(bench.layout().circuit(0))
                    .connect(bench.layout().alternative(0))
                    .apply();
            bench.expectShown(bench.layout().alternative(0), bench.layout().circuit(1));
        }
    }

    private static void disconnectByIngress(Bench bench) {
        bench.change().make(0).apply();
        CircuitKey made = bench.layout().circuit(0);
        Change change = bench.change().disconnect(Circuits.key(made.getIngress(), ""));
        bench.layout().rest(0).ifPresent(change::connect);
        Operation done = change.apply();
        equal("the circuit that was found", made, done.getItems(0).getKey());
        bench.expectMade();
    }

    private static void disconnectAnother(Bench bench) {
        bench.change().make(0).apply();
        CircuitKey other = bench.layout().alternative(0);
        var refusal = bench.change()
                .disconnect(other)
                .refused(
                        "disconnecting " + Circuits.text(other) + " while the ingress has another circuit",
                        Status.Code.FAILED_PRECONDITION,
                        "NO_SUCH_CIRCUIT");
        equal("metadata egress", bench.layout().circuit(0).getEgress(), refusal.detail("egress"));
        bench.expectMade(0);
    }

    private static void allAtOnce(Bench bench) {
        int items = bench.layout().rest(0).isPresent() ? 2 : 1;
        int count = Math.min(bench.layout().size(), bench.device().mostItems() / items);
        if (count == 0) {
            throw new Inapplicable("needs a change of " + items + " items, and max_batch is less");
        }
        Change making = bench.change().allOrNothing();
        Change breaking = bench.change().allOrNothing();
        int[] lanes = IntStream.range(0, count).toArray();
        for (int lane : lanes) {
            making.make(lane);
            breaking.unmake(lane);
        }
        equal(
                "number of items",
                making.request().getDisconnectsCount() + count,
                making.apply().getItemsCount());
        bench.expectMade(lanes);
        breaking.apply();
        bench.expectMade();
    }

    private static void unknownFields(Bench bench) {
        UnknownFieldSet unknown = UnknownFieldSet.newBuilder()
                .addField(
                        999,
                        UnknownFieldSet.Field.newBuilder()
                                .addLengthDelimited(ByteString.copyFromUtf8("of a newer contract"))
                                .build())
                .build();
        bench.change().make(0).edit(r -> r.setUnknownFields(unknown)).apply();
        bench.expectMade(0);
    }
}
