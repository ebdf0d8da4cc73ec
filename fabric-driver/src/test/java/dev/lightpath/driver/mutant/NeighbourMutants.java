package dev.lightpath.driver.mutant;

import dev.lightpath.proto.driver.v1alpha1.ApplyCircuitsRequest;
import dev.lightpath.proto.driver.v1alpha1.ApplyCircuitsResponse;
import dev.lightpath.proto.driver.v1alpha1.SetPortOverrideRequest;
import dev.lightpath.proto.driver.v1alpha1.SetPortOverrideResponse;
import dev.lightpath.proto.driver.v1alpha1.TransferScopeRequest;
import dev.lightpath.proto.driver.v1alpha1.TransferScopeResponse;
import dev.lightpath.proto.driver.v1alpha1.WatchResponse;
import io.grpc.Status;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Devices taken for one another. */
final class NeighbourMutants {
    private static final String OTHER = "ocs-2";

    private NeighbourMutants() {}

    static List<Mutant> all() {
        return List.of(
                new Mutant("keeps one epoch of a role for all its devices", "neighbours/epochs") {
                    private final Map<String, Long> highest = new ConcurrentHashMap<>();

                    @Override
                    ApplyCircuitsResponse apply(ApplyCircuitsRequest request) {
                        String role = request.getFencing().getRole();
                        long epoch = request.getFencing().getEpoch();
                        long known = highest.getOrDefault(role, 0L);
                        if (epoch < known) {
                            throw Answers.refused(
                                    Status.Code.PERMISSION_DENIED,
                                    "STALE_EPOCH",
                                    Map.of("stored_epoch", Long.toString(known), "stored_holder", "somebody"));
                        }
                        highest.put(role, epoch);
                        return super.apply(request);
                    }
                },
                new Mutant("gives a device to whoever has a change of it checked", "neighbours/epochs") {
                    @Override
                    ApplyCircuitsResponse apply(ApplyCircuitsRequest request) {
                        return super.apply(
                                request.getConnectsCount() + request.getDisconnectsCount() == 0
                                        ? request.toBuilder()
                                                .clearValidateOnly()
                                                .build()
                                        : request);
                    }
                },
                new Mutant("takes a port out of service on every device", "neighbours/untouched") {
                    @Override
                    SetPortOverrideResponse override(SetPortOverrideRequest request) {
                        var unused = super.override(
                                request.toBuilder().setDeviceId(OTHER).build());
                        return super.override(request);
                    }
                },
                new Mutant("moves two devices", "neighbours/untouched") {
                    @Override
                    ApplyCircuitsResponse apply(ApplyCircuitsRequest request) {
                        if (request.getConnectsCount() > 0) {
                            ApplyCircuitsRequest.Builder both = request.toBuilder()
                                    .setDeviceId(OTHER)
                                    .clearDisconnects()
                                    .clearConnects()
                                    .clearExpectedObservedDigest();
                            both.getScopeBuilder().clear().setAllPorts(true);
                            both.addConnectsBuilder().setIngress("3").setEgress("20");
                            var unused = super.apply(both.build());
                        }
                        return super.apply(request);
                    }
                },
                new Mutant("gives all devices of a role away at once", "neighbours/untouched") {
                    @Override
                    TransferScopeResponse transfer(TransferScopeRequest request) {
                        var unused = super.apply(ApplyCircuitsRequest.newBuilder()
                                .setDeviceId(OTHER)
                                .setFencing(dev.lightpath.proto.driver.v1alpha1.Fencing.newBuilder()
                                        .setRole(request.getToRole())
                                        .setEpoch(1))
                                .setOperationId("taken-too")
                                .setScope(dev.lightpath.proto.driver.v1alpha1.Scope.newBuilder()
                                        .setAllPorts(true))
                                .build());
                        return super.transfer(request);
                    }
                },
                new Mutant("leaves out a device of a stream of all", "stream/all-devices") {
                    private long left;

                    @Override
                    List<WatchResponse> told(WatchResponse message) {
                        if (message.getSeq() == 1) {
                            left = 0;
                        }
                        if (message.getSnapshot().getDeviceId().equals(OTHER)) {
                            left++;
                            return List.of();
                        }
                        WatchResponse.Builder told = message.toBuilder().setSeq(message.getSeq() - left);
                        if (message.hasSynced() && left > 0) {
                            told.getSyncedBuilder()
                                    .setDeviceCount(message.getSynced().getDeviceCount() - 1);
                        }
                        return List.of(told.build());
                    }
                });
    }
}
