package dev.lightpath.driver.mutant;

import dev.lightpath.proto.driver.v1alpha1.ApplyCircuitsRequest;
import dev.lightpath.proto.driver.v1alpha1.ApplyCircuitsResponse;
import dev.lightpath.proto.driver.v1alpha1.CircuitKey;
import dev.lightpath.proto.driver.v1alpha1.ConflictPolicy;
import dev.lightpath.proto.driver.v1alpha1.DeviceScope;
import dev.lightpath.proto.driver.v1alpha1.GetCircuitsRequest;
import dev.lightpath.proto.driver.v1alpha1.GetCircuitsResponse;
import dev.lightpath.proto.driver.v1alpha1.PlanCircuitsRequest;
import dev.lightpath.proto.driver.v1alpha1.PlanCircuitsResponse;
import dev.lightpath.proto.driver.v1alpha1.Scope;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.UnaryOperator;

/** Scopes, states and ports gone wrong. */
final class CircuitMutants {
    private static final Scope ALL = Scope.newBuilder().setAllPorts(true).build();

    private CircuitMutants() {}

    /** Changes each ApplyCircuits on its way to the good driver. */
    private static Mutant asking(String bug, String requirement, UnaryOperator<ApplyCircuitsRequest> instead) {
        return new Mutant(bug, requirement) {
            @Override
            ApplyCircuitsResponse apply(ApplyCircuitsRequest request) {
                return super.apply(instead.apply(request));
            }
        };
    }

    /** Changes each answer of GetCircuits on its way to the client. */
    private static Mutant reading(String bug, String requirement, UnaryOperator<GetCircuitsResponse> instead) {
        return new Mutant(bug, requirement) {
            @Override
            GetCircuitsResponse circuits(GetCircuitsRequest request) {
                return instead.apply(super.circuits(request));
            }
        };
    }

    static List<Mutant> all() {
        return List.of(
                asking(
                        "ignores the expected digest",
                        "compare-and-set/other-state",
                        r -> r.toBuilder().clearExpectedObservedDigest().build()),
                new Mutant("compares the digest of the whole device", "compare-and-set/scope-only") {
                    @Override
                    ApplyCircuitsResponse apply(ApplyCircuitsRequest request) {
                        String whole = wholeDigest(request.getDeviceId());
                        boolean wrong = !request.getExpectedObservedDigest().isEmpty()
                                && !request.getExpectedObservedDigest().equals(whole);
                        return super.apply(
                                wrong
                                        ? request.toBuilder()
                                                .setExpectedObservedDigest("sha256:other")
                                                .build()
                                        : request);
                    }
                },
                asking(
                        "takes every port for the caller's",
                        "scope/ports-outside",
                        r -> r.hasScope() && r.getScope().getPortsCount() > 0
                                ? r.toBuilder().setScope(ALL).build()
                                : r),
                asking(
                        "breaks circuits that leave the scope",
                        "scope/circuits-outside",
                        r -> r.getConflictPolicy() == ConflictPolicy.CONFLICT_POLICY_OVERWRITE
                                ? r.toBuilder().setScope(ALL).build()
                                : r),
                new Mutant("shows other scopes", "scope/reading") {
                    @Override
                    GetCircuitsResponse circuits(GetCircuitsRequest request) {
                        GetCircuitsRequest.Builder all = request.toBuilder();
                        all.getDevicesBuilderList().forEach(DeviceScope.Builder::clearScope);
                        return super.circuits(all.build());
                    }
                },
                asking(
                        "takes a write without a scope for one of all ports",
                        "scope/empty",
                        r -> r.getScope().getPortsCount() == 0
                                ? r.toBuilder().setScope(ALL).build()
                                : r),
                asking(
                        "gives a port in use to another circuit",
                        "ports/egress-in-use",
                        r -> r.toBuilder()
                                .setConflictPolicy(ConflictPolicy.CONFLICT_POLICY_OVERWRITE)
                                .build()),
                asking(
                        "breaks foreign circuits by UPDATE",
                        "foreign/left-alone",
                        r -> r.getConflictPolicy() == ConflictPolicy.CONFLICT_POLICY_UPDATE
                                ? r.toBuilder()
                                        .setConflictPolicy(ConflictPolicy.CONFLICT_POLICY_OVERWRITE)
                                        .build()
                                : r),
                asking("uses an egress twice in a request", "ports/egress-twice-in-a-request", r -> {
                    Set<String> used = new HashSet<>();
                    List<CircuitKey> kept = r.getConnectsList().stream()
                            .filter(k -> used.add(k.getEgress()))
                            .toList();
                    return r.toBuilder().clearConnects().addAllConnects(kept).build();
                }),
                asking(
                        "validates by doing",
                        "validate/changes-nothing",
                        r -> r.toBuilder().clearValidateOnly().build()),
                new Mutant("refuses fields it does not know", "circuits/unknown-fields") {
                    @Override
                    ApplyCircuitsResponse apply(ApplyCircuitsRequest request) {
                        if (!request.getUnknownFields().asMap().isEmpty()) {
                            throw Answers.refused(Status.Code.INVALID_ARGUMENT, "MALFORMED");
                        }
                        return super.apply(request);
                    }
                },
                asking(
                        "cuts long operation ids",
                        "limits/operation-id",
                        r -> r.getOperationId().length() > 128
                                ? r.toBuilder()
                                        .setOperationId(r.getOperationId().substring(0, 128))
                                        .build()
                                : r),
                asking("cuts long batches", "limits/batch", r -> {
                    List<CircuitKey> first = r.getDisconnectsList().stream()
                            .limit(Math.max(0, 16 - r.getConnectsCount()))
                            .toList();
                    return r.toBuilder()
                            .clearDisconnects()
                            .addAllDisconnects(first)
                            .build();
                }),
                new Mutant("says no reason", "limits/fencing") {
                    @Override
                    StatusRuntimeException refusal(StatusRuntimeException refusal) {
                        return refusal.getStatus().asRuntimeException();
                    }
                },
                new Mutant("plans something else than it does", "plan/comes-true") {
                    @Override
                    PlanCircuitsResponse plan(PlanCircuitsRequest request) {
                        PlanCircuitsResponse plan = super.plan(request);
                        return plan.toBuilder()
                                .setPlannedDigest(plan.getObservedDigest())
                                .build();
                    }
                },
                reading("computes the digest its own way", "circuits/digest", answer -> {
                    GetCircuitsResponse.Builder other = answer.toBuilder();
                    other.getDevicesBuilderList()
                            .forEach(d ->
                                    d.setObservedDigest(d.getObservedDigest().toUpperCase(Locale.ROOT)));
                    return other.build();
                }),
                reading("does not say that a reading is stale", "silence/last-read", answer -> {
                    GetCircuitsResponse.Builder fresh = answer.toBuilder();
                    fresh.getDevicesBuilderList().forEach(d -> d.clearStaleSince());
                    return fresh.build();
                }),
                new Mutant("forgets who made a circuit when it restarts", "crash/remembers-who-made-circuits") {
                    @Override
                    GetCircuitsResponse circuits(GetCircuitsRequest request) {
                        GetCircuitsResponse.Builder foreign = super.circuits(request).toBuilder();
                        if (isRestarted()) {
                            foreign.getDevicesBuilderList()
                                    .forEach(d -> d.getCircuitsBuilderList()
                                            .forEach(c -> c.setForeign(true).clearRole()));
                        }
                        return foreign.build();
                    }
                });
    }
}
