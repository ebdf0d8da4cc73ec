package dev.lightpath.driver.mutant;

import dev.lightpath.proto.driver.v1alpha1.ApplyCircuitsRequest;
import dev.lightpath.proto.driver.v1alpha1.ApplyCircuitsResponse;
import dev.lightpath.proto.driver.v1alpha1.DeviceScope;
import dev.lightpath.proto.driver.v1alpha1.PlanCircuitsRequest;
import dev.lightpath.proto.driver.v1alpha1.PlanCircuitsResponse;
import dev.lightpath.proto.driver.v1alpha1.Scope;
import dev.lightpath.proto.driver.v1alpha1.WatchRequest;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Scopes that are less than the device, and taken for more. */
final class NarrowMutants {
    private NarrowMutants() {}

    /** Names the digest of the whole device in a refusal. */
    private static Mutant wide(String bug, boolean checkedOnly) {
        return new Mutant(bug, "compare-and-set/refusal-of-a-scope") {
            @Override
            ApplyCircuitsResponse apply(ApplyCircuitsRequest request) {
                try {
                    return super.apply(request);
                } catch (StatusRuntimeException e) {
                    if (Answers.isFor(e, "DIGEST_DIFFERS") && request.getValidateOnly() == checkedOnly) {
                        throw Answers.refused(
                                Status.Code.FAILED_PRECONDITION,
                                "DIGEST_DIFFERS",
                                Map.of("observed_digest", wholeDigest(request.getDeviceId())));
                    }
                    throw e;
                }
            }
        };
    }

    static List<Mutant> all() {
        return List.of(
                wide("refuses with the digest of the whole device", false),
                wide("refuses what it only checks with the digest of the whole device", true),
                new Mutant("compares the whole device for what it only checks", "compare-and-set/refusal-of-a-scope") {
                    @Override
                    ApplyCircuitsResponse apply(ApplyCircuitsRequest request) {
                        if (request.getValidateOnly()
                                && !request.getExpectedObservedDigest().isEmpty()
                                && !request.getExpectedObservedDigest().equals(wholeDigest(request.getDeviceId()))) {
                            throw Answers.refused(
                                    Status.Code.FAILED_PRECONDITION,
                                    "DIGEST_DIFFERS",
                                    Map.of("observed_digest", digest(request)));
                        }
                        return super.apply(request);
                    }

                    private String digest(ApplyCircuitsRequest request) {
                        return driver().planCircuits(PlanCircuitsRequest.newBuilder()
                                        .setDeviceId(request.getDeviceId())
                                        .setScope(request.getScope())
                                        .build())
                                .getObservedDigest();
                    }
                },
                new Mutant("plans with the digest of the whole device", "plan/scope") {
                    @Override
                    PlanCircuitsResponse plan(PlanCircuitsRequest request) {
                        return super.plan(request).toBuilder()
                                .setObservedDigest(wholeDigest(request.getDeviceId()))
                                .build();
                    }
                },
                new Mutant("foretells the digest of the whole device", "plan/scope") {
                    @Override
                    PlanCircuitsResponse plan(PlanCircuitsRequest request) {
                        return super.plan(request).toBuilder()
                                .setPlannedDigest(super.plan(request.toBuilder()
                                                .setScope(Scope.newBuilder().setAllPorts(true))
                                                .build())
                                        .getPlannedDigest())
                                .build();
                    }
                },
                new Mutant("takes the first scope for all devices of a stream", "stream/named-devices") {
                    @Override
                    WatchRequest watch(WatchRequest request) {
                        WatchRequest.Builder same = request.toBuilder();
                        same.getDevicesBuilderList()
                                .forEach(d -> d.setScope(request.getDevices(0).getScope()));
                        return same.build();
                    }
                },
                new Mutant("confines the first device of a stream", "stream/named-devices") {
                    @Override
                    WatchRequest watch(WatchRequest request) {
                        Stream<DeviceScope> others = request.getDevicesList().stream()
                                .skip(1)
                                .map(d -> d.toBuilder()
                                        .setScope(Scope.newBuilder().setAllPorts(true))
                                        .build());
                        return request.toBuilder()
                                .clearDevices()
                                .addAllDevices(Stream.concat(
                                                request.getDevicesList().stream()
                                                        .limit(1),
                                                others)
                                        .toList())
                                .build();
                    }
                });
    }
}
