package dev.lightpath.conformance.requirement.stream;

import static dev.lightpath.conformance.bench.Expect.equal;
import static dev.lightpath.conformance.bench.Expect.that;

import dev.lightpath.conformance.bench.Bench;
import dev.lightpath.conformance.bench.Watching;
import dev.lightpath.conformance.requirement.Requirement;
import dev.lightpath.conformance.requirement.device.Neighbours;
import dev.lightpath.proto.driver.v1alpha1.CircuitKey;
import dev.lightpath.proto.driver.v1alpha1.DeviceScope;
import dev.lightpath.proto.driver.v1alpha1.DeviceSnapshot;
import dev.lightpath.proto.driver.v1alpha1.GetInventoryRequest;
import dev.lightpath.proto.driver.v1alpha1.Port;
import dev.lightpath.proto.driver.v1alpha1.PortStatus;
import dev.lightpath.proto.driver.v1alpha1.Scope;
import dev.lightpath.proto.driver.v1alpha1.StreamKind;
import dev.lightpath.proto.driver.v1alpha1.WatchRequest;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A stream of two devices, each with a scope of its own. */
public final class NamedDevices {
    private NamedDevices() {}

    public static List<Requirement> all() {
        return List.of(new Requirement(
                "stream/named-devices",
                "WatchRequest.devices",
                "A stream that names two devices confines each to its own scope, whichever is named first",
                NamedDevices::named));
    }

    private static void named(Bench bench) {
        Streams.require(bench, StreamKind.STREAM_KIND_CIRCUITS);
        String other = Neighbours.of(bench).getFirst();
        DeviceScope narrow = DeviceScope.newBuilder()
                .setDeviceId(bench.deviceId())
                .setScope(bench.layout().scope(1))
                .build();
        DeviceScope whole = DeviceScope.newBuilder()
                .setDeviceId(other)
                .setScope(Scope.newBuilder().setAllPorts(true))
                .build();
        Neighbours.allowed(bench, () -> {
            expectConfined(bench, List.of(whole, narrow));
            bench.change().unmake(0).apply();
            bench.change().unmake(1).apply();
            expectConfined(bench, List.of(narrow, whole));
        });
    }

    private static void expectConfined(Bench bench, List<DeviceScope> named) {
        Set<String> ports = new TreeSet<>(bench.layout().scope(1).getPortsList());
        Set<String> theirs = ports(bench, Neighbours.of(bench).getFirst());
        try (Watching watching =
                bench.watch(WatchRequest.newBuilder().addAllDevices(named).build())) {
            watching.awaitSynced();
            for (DeviceScope device : named) {
                DeviceSnapshot snapshot = watching.await(
                                "a snapshot of " + device.getDeviceId(),
                                m -> m.getSnapshot().getDeviceId().equals(device.getDeviceId()))
                        .getSnapshot();
                equal(
                        "ports in the snapshot of " + device.getDeviceId(),
                        device.getDeviceId().equals(bench.deviceId()) ? ports : theirs,
                        new TreeSet<>(snapshot.getPortsList().stream()
                                .map(PortStatus::getPort)
                                .toList()));
            }
            bench.change().make(0).apply();
            bench.change().make(1).apply();
            watching.awaitDigest(
                    bench.deviceId(), bench.read(bench.layout().scope(1)).getObservedDigest());
            CircuitKey outside = bench.layout().circuit(0);
            watching.messages()
                    .forEach(m -> that(
                            Stream.concat(
                                            m.getCircuitsChanged().getChangedList().stream()
                                                    .map(c -> c.getKey()),
                                            m.getCircuitsChanged().getRemovedList().stream())
                                    .noneMatch(outside::equals),
                            "only circuits that touch " + ports,
                            m));
        }
    }

    private static Set<String> ports(Bench bench, String deviceId) {
        return bench
                .calls()
                .inventory()
                .getInventory(
                        GetInventoryRequest.newBuilder().addDeviceIds(deviceId).build())
                .getDevices(0)
                .getPortsList()
                .stream()
                .map(Port::getName)
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
