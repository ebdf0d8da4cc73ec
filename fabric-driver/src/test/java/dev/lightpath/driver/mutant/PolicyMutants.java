package dev.lightpath.driver.mutant;

import dev.lightpath.proto.driver.v1alpha1.ApplyCircuitsRequest;
import dev.lightpath.proto.driver.v1alpha1.ApplyCircuitsResponse;
import dev.lightpath.proto.driver.v1alpha1.Circuit;
import dev.lightpath.proto.driver.v1alpha1.CircuitKey;
import dev.lightpath.proto.driver.v1alpha1.ConflictPolicy;
import dev.lightpath.proto.driver.v1alpha1.DeviceScope;
import dev.lightpath.proto.driver.v1alpha1.GetCircuitsRequest;
import dev.lightpath.proto.driver.v1alpha1.PlanCircuitsRequest;
import dev.lightpath.proto.driver.v1alpha1.PlanCircuitsResponse;
import io.grpc.StatusRuntimeException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.function.UnaryOperator;

/** Checks that depend on what they do not depend on. */
final class PolicyMutants {
    private static final int BATCH = 16;
    private static final int MOST_MADE = 5;

    private PolicyMutants() {}

    private static Mutant asking(String bug, String requirement, UnaryOperator<ApplyCircuitsRequest> instead) {
        return new Mutant(bug, requirement) {
            @Override
            ApplyCircuitsResponse apply(ApplyCircuitsRequest request) {
                return super.apply(instead.apply(request));
            }
        };
    }

    /** Says that it did what a good driver refuses. */
    private static Mutant accepting(
            String bug, String requirement, BiPredicate<ApplyCircuitsRequest, StatusRuntimeException> accepted) {
        return new Mutant(bug, requirement) {
            @Override
            ApplyCircuitsResponse apply(ApplyCircuitsRequest request) {
                try {
                    return super.apply(request);
                } catch (StatusRuntimeException e) {
                    if (accepted.test(request, e)) {
                        return Answers.applied(request);
                    }
                    throw e;
                }
            }
        };
    }

    private static boolean overwrites(ApplyCircuitsRequest request) {
        return request.getConflictPolicy() == ConflictPolicy.CONFLICT_POLICY_OVERWRITE;
    }

    private static boolean isOfBatch(int items) {
        return items <= BATCH;
    }

    private static List<CircuitKey> toDifferentEgresses(List<CircuitKey> connects) {
        Set<String> used = new HashSet<>();
        return connects.stream().filter(k -> used.add(k.getEgress())).toList();
    }

    static List<Mutant> all() {
        return List.of(
                asking(
                        "compares no states before it overwrites",
                        "compare-and-set/other-state",
                        r -> overwrites(r)
                                ? r.toBuilder().clearExpectedObservedDigest().build()
                                : r),
                asking(
                        "overwrites by what a request itself uses twice",
                        "ports/egress-twice-in-a-request",
                        r -> overwrites(r)
                                ? r.toBuilder()
                                        .clearConnects()
                                        .addAllConnects(toDifferentEgresses(r.getConnectsList()))
                                        .build()
                                : r),
                accepting(
                        "overwrites at ports out of service",
                        "override/no-new-circuit",
                        (r, e) -> overwrites(r) && Answers.isFor(e, "PORT_OUT_OF_SERVICE")),
                new Mutant("overwrites what is at an ingress alone", "conflict/update-replaces-both") {
                    @Override
                    ApplyCircuitsResponse apply(ApplyCircuitsRequest request) {
                        boolean taken = driver()
                                .getCircuits(GetCircuitsRequest.newBuilder()
                                        .addDevices(DeviceScope.newBuilder().setDeviceId(request.getDeviceId()))
                                        .build())
                                .getDevices(0)
                                .getCircuitsList()
                                .stream()
                                .map(Circuit::getKey)
                                .anyMatch(there -> request.getConnectsList().stream()
                                        .anyMatch(k -> k.getEgress().equals(there.getEgress()) && !k.equals(there)));
                        return super.apply(
                                overwrites(request) && taken
                                        ? request.toBuilder()
                                                .clearConflictPolicy()
                                                .build()
                                        : request);
                    }
                },
                new Mutant("plans to use an egress twice", "plan/refuses") {
                    @Override
                    PlanCircuitsResponse plan(PlanCircuitsRequest request) {
                        return super.plan(request.toBuilder()
                                .clearConnects()
                                .addAllConnects(toDifferentEgresses(request.getConnectsList()))
                                .build());
                    }
                },
                accepting(
                        "counts disconnects and connects each for themselves",
                        "limits/batch",
                        (r, e) -> Answers.isFor(e, "BATCH_TOO_LARGE")
                                && isOfBatch(r.getDisconnectsCount())
                                && isOfBatch(r.getConnectsCount())),
                asking(
                        "makes the first few circuits of many",
                        "circuits/all-at-once",
                        r -> r.getConnectsCount() > MOST_MADE
                                ? r.toBuilder()
                                        .clearConnects()
                                        .addAllConnects(r.getConnectsList().subList(0, MOST_MADE))
                                        .build()
                                : r),
                accepting(
                        "lets light enter anywhere",
                        "ports/unknown-port",
                        (r, e) -> Answers.isFor(e, "NO_SUCH_PORT")
                                && r.getConnectsList().stream()
                                        .anyMatch(k -> k.getIngress().equals("no-such-port"))));
    }
}
