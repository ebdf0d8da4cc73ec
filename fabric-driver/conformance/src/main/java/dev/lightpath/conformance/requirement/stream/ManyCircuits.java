package dev.lightpath.conformance.requirement.stream;

import static dev.lightpath.conformance.bench.Expect.equal;

import dev.lightpath.conformance.bench.Bench;
import dev.lightpath.conformance.bench.Change;
import dev.lightpath.conformance.bench.Circuits;
import dev.lightpath.conformance.bench.Inapplicable;
import dev.lightpath.conformance.bench.Layout;
import dev.lightpath.conformance.bench.Watching;
import dev.lightpath.conformance.requirement.Requirement;
import dev.lightpath.proto.driver.v1alpha1.CircuitKey;
import dev.lightpath.proto.driver.v1alpha1.DeviceCircuits;
import dev.lightpath.proto.driver.v1alpha1.DeviceScope;
import dev.lightpath.proto.driver.v1alpha1.ItemAction;
import dev.lightpath.proto.driver.v1alpha1.ItemState;
import dev.lightpath.proto.driver.v1alpha1.MoveConcurrency;
import dev.lightpath.proto.driver.v1alpha1.Operation;
import dev.lightpath.proto.driver.v1alpha1.Scope;
import dev.lightpath.proto.driver.v1alpha1.StreamKind;
import dev.lightpath.proto.driver.v1alpha1.WatchRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** More circuits by one change than the kit plays with elsewhere: nothing is left out of what is told of them. */
public final class ManyCircuits {
    /** Of the time that the kit waits, what a change of many moves may take by the time of one. */
    private static final int SLACK = 4;

    /** A machine that was busy for a moment makes no device slow: so often one move is timed. */
    private static final int LOOKS = 3;

    private ManyCircuits() {}

    public static List<Requirement> all() {
        return List.of(new Requirement(
                "circuits/many",
                "Truth; Operation.items; GetCircuitsResponse; DeviceCircuits.observed_digest",
                "As many circuits as free ports and max_batch allow, up to 32, are made by one change, told whole, and broken by one",
                ManyCircuits::many));
    }

    private static void many(Bench bench) {
        Layout wide = bench.layout().wide();
        int count = count(bench, wide);
        if (count <= bench.layout().size()) {
            throw new Inapplicable(
                    "free ports, max_batch and the time a move takes allow no more circuits at once than " + count);
        }
        List<CircuitKey> rest = rest(wide, 0);
        List<CircuitKey> made = Stream.concat(first(wide, count).stream(), rest(wide, count).stream())
                .toList();
        Change making = bench.change().scope(wide.scope());
        Change breaking = bench.change().scope(wide.scope());
        for (int i = 0; i < count; i++) {
            wide.rest(i).ifPresent(making::disconnect);
            making.connect(wide.circuit(i));
            breaking.disconnect(wide.circuit(i));
            wide.rest(i).ifPresent(breaking::connect);
        }
        try (Watching watching = watch(bench, wide)) {
            expectWhole(bench, making, making.apply());
            expectRead(bench, wide, made);
            expectTold(bench, watching, made);
        }
        try (Watching watching = watch(bench, wide)) {
            expectKnown(bench, watching, made);
            expectWhole(bench, breaking, breaking.apply());
            expectRead(bench, wide, rest);
            expectTold(bench, watching, rest);
        }
    }

    private static List<CircuitKey> first(Layout wide, int count) {
        List<CircuitKey> circuits = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            circuits.add(wide.circuit(i));
        }
        return circuits;
    }

    private static List<CircuitKey> rest(Layout wide, int from) {
        List<CircuitKey> circuits = new ArrayList<>();
        for (int i = from; i < wide.size(); i++) {
            wide.rest(i).ifPresent(circuits::add);
        }
        return circuits;
    }

    /** Of a device that makes one move after the other no more than there is time for. */
    private static int count(Bench bench, Layout wide) {
        int items = wide.rest(0).isPresent() ? 2 : 1;
        int most = Math.min(wide.size(), bench.device().mostItems() / items);
        if (most <= bench.layout().size()
                || bench.device().capabilities().getMoveConcurrency() == MoveConcurrency.MOVE_CONCURRENCY_PARALLEL) {
            return most;
        }
        int fitting = 0;
        for (int look = 0; look < LOOKS && fitting <= bench.layout().size(); look++) {
            fitting = (int) Math.min(
                    most, bench.terms().patience().dividedBy(oneMove(bench).multipliedBy(SLACK)));
        }
        return fitting;
    }

    private static Duration oneMove(Bench bench) {
        long began = System.nanoTime();
        bench.change().make(0).apply();
        Duration one = Duration.ofNanos(System.nanoTime() - began);
        bench.change().unmake(0).apply();
        return one;
    }

    private static Watching watch(Bench bench, Layout wide) {
        Watching watching = bench.watch(WatchRequest.newBuilder()
                .addDevices(
                        DeviceScope.newBuilder().setDeviceId(bench.deviceId()).setScope(wide.scope()))
                .build());
        watching.awaitSynced();
        return watching;
    }

    private static void expectWhole(Bench bench, Change change, Operation done) {
        equal(
                "circuits of the items",
                Stream.concat(
                                change.request().getDisconnectsList().stream(),
                                change.request().getConnectsList().stream())
                        .map(Circuits::text)
                        .toList(),
                done.getItemsList().stream().map(i -> Circuits.text(i.getKey())).toList());
        done.getItemsList()
                .forEach(i -> equal(
                        "state of " + Circuits.text(i.getKey()),
                        i.getAction() == ItemAction.ITEM_ACTION_CONNECT
                                ? ItemState.ITEM_STATE_CONNECTED
                                : ItemState.ITEM_STATE_DARK,
                        i.getState()));
        equal("operation, as GetOperation has it,", done, bench.operation(change.id()));
        equal("observed_digest of the operation", read(bench, change).getObservedDigest(), done.getObservedDigest());
    }

    private static DeviceCircuits read(Bench bench, Change change) {
        return bench.read(change.request().getScope());
    }

    private static void expectRead(Bench bench, Layout wide, List<CircuitKey> circuits) {
        List<String> expected = Circuits.texts(circuits);
        DeviceCircuits read = bench.read(wide.scope());
        equal("circuits read back, in order,", expected, inOrder(read));
        equal("digest of " + expected.size() + " circuits", Circuits.digest(circuits), read.getObservedDigest());
        List<String> others = new ArrayList<>(
                inOrder(bench.read(Scope.newBuilder().setAllPorts(true).build())));
        others.retainAll(expected);
        equal("those of them read with the whole device", expected, others);
    }

    private static List<String> inOrder(DeviceCircuits read) {
        return Circuits.keys(read.getCircuitsList()).stream()
                .map(Circuits::text)
                .toList();
    }

    /** What is dropped of so many messages is made up for by a snapshot, which comes after the last of them. */
    private static void expectTold(Bench bench, Watching watching, List<CircuitKey> circuits) {
        if (Streams.carries(bench, StreamKind.STREAM_KIND_CIRCUITS)) {
            Streams.awaitCircuits(bench, watching, Circuits.texts(circuits));
            watching.awaitDigest(bench.deviceId(), Circuits.digest(circuits));
        }
    }

    private static void expectKnown(Bench bench, Watching watching, List<CircuitKey> circuits) {
        equal(
                "circuits by all that was told on the stream",
                Circuits.texts(circuits),
                Circuits.texts(watching.circuits(bench.deviceId())));
    }
}
