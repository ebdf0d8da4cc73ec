package dev.lightpath.driver.mutant;

import dev.lightpath.proto.driver.v1alpha1.ApplyCircuitsRequest;
import dev.lightpath.proto.driver.v1alpha1.ApplyCircuitsResponse;
import dev.lightpath.proto.driver.v1alpha1.CircuitKey;
import dev.lightpath.proto.driver.v1alpha1.DeviceCircuits;
import dev.lightpath.proto.driver.v1alpha1.DeviceScope;
import dev.lightpath.proto.driver.v1alpha1.GetCircuitsRequest;
import dev.lightpath.proto.driver.v1alpha1.GetCircuitsResponse;
import dev.lightpath.proto.driver.v1alpha1.PlanCircuitsRequest;
import dev.lightpath.proto.driver.v1alpha1.PlanCircuitsResponse;
import dev.lightpath.proto.driver.v1alpha1.Scope;
import dev.lightpath.proto.driver.v1alpha1.WatchRequest;
import dev.lightpath.proto.driver.v1alpha1.WatchResponse;
import java.util.List;

/** What is meant for a part, taken from or done to the whole. */
final class ConfinedMutants {
    private static final Scope ALL = Scope.newBuilder().setAllPorts(true).build();

    private ConfinedMutants() {}

    private static boolean enters(Scope scope, List<CircuitKey> circuits) {
        return circuits.stream().allMatch(k -> scope.getPortsList().contains(k.getIngress()));
    }

    static List<Mutant> all() {
        return List.of(
                new Mutant("numbers messages that it then keeps to itself", "stream/named-kind") {
                    @Override
                    WatchRequest watch(WatchRequest request) {
                        return request.toBuilder().clearKinds().build();
                    }

                    @Override
                    List<WatchResponse> told(WatchResponse message) {
                        return message.hasPortsChanged() ? List.of() : List.of(message);
                    }
                },
                new Mutant("has the circuits of the whole device in each snapshot", "stream/scope") {
                    @Override
                    List<WatchResponse> told(WatchResponse message) {
                        if (!message.hasSnapshot()) {
                            return List.of(message);
                        }
                        DeviceCircuits whole = driver().getCircuits(GetCircuitsRequest.newBuilder()
                                        .addDevices(DeviceScope.newBuilder()
                                                .setDeviceId(
                                                        message.getSnapshot().getDeviceId()))
                                        .build())
                                .getDevices(0);
                        WatchResponse.Builder told = message.toBuilder();
                        told.getSnapshotBuilder()
                                .clearCircuits()
                                .addAllCircuits(whole.getCircuitsList())
                                .setObservedDigest(whole.getObservedDigest());
                        return List.of(told.build());
                    }
                },
                new Mutant("tells the digest of the whole device with each change", "stream/scope") {
                    @Override
                    List<WatchResponse> told(WatchResponse message) {
                        if (!message.hasCircuitsChanged()) {
                            return List.of(message);
                        }
                        WatchResponse.Builder told = message.toBuilder();
                        told.getCircuitsChangedBuilder()
                                .setObservedDigest(
                                        wholeDigest(message.getCircuitsChanged().getDeviceId()));
                        return List.of(told.build());
                    }
                },
                new Mutant("looks at the ingress alone for what is in a scope", "scope/half-outside") {
                    @Override
                    ApplyCircuitsResponse apply(ApplyCircuitsRequest request) {
                        return super.apply(
                                request.getConnectsCount() > 0 && enters(request.getScope(), request.getConnectsList())
                                        ? request.toBuilder().setScope(ALL).build()
                                        : request);
                    }
                },
                new Mutant("plans by the ingress alone what is in a scope", "scope/half-outside") {
                    @Override
                    PlanCircuitsResponse plan(PlanCircuitsRequest request) {
                        return super.plan(
                                enters(request.getScope(), request.getConnectsList())
                                        ? request.toBuilder().setScope(ALL).build()
                                        : request);
                    }
                },
                new Mutant("breaks by ingress what leaves the scope", "scope/by-ingress") {
                    @Override
                    ApplyCircuitsResponse apply(ApplyCircuitsRequest request) {
                        return super.apply(
                                request.getConnectsCount() == 0
                                                && request.getDisconnectsList().stream()
                                                        .allMatch(k ->
                                                                k.getEgress().isEmpty())
                                        ? request.toBuilder().setScope(ALL).build()
                                        : request);
                    }
                },
                new Mutant("takes a port for one in the scope whose name begins alike", "scope/names") {
                    private Scope widened(Scope scope) {
                        Scope.Builder wider = scope.toBuilder();
                        for (int port = 1; port <= 32; port++) {
                            String name = Integer.toString(port);
                            if (!scope.getPortsList().contains(name)
                                    && scope.getPortsList().stream().anyMatch(name::startsWith)) {
                                wider.addPorts(name);
                            }
                        }
                        return wider.build();
                    }

                    @Override
                    ApplyCircuitsResponse apply(ApplyCircuitsRequest request) {
                        return super.apply(request.toBuilder()
                                .setScope(widened(request.getScope()))
                                .build());
                    }

                    @Override
                    GetCircuitsResponse circuits(GetCircuitsRequest request) {
                        GetCircuitsRequest.Builder wider = request.toBuilder();
                        wider.getDevicesBuilderList().forEach(d -> d.setScope(widened(d.getScope())));
                        return super.circuits(wider.build());
                    }
                });
    }
}
