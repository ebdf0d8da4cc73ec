package dev.lightpath.driver.mutant;

import dev.lightpath.proto.driver.v1alpha1.ApplyCircuitsRequest;
import dev.lightpath.proto.driver.v1alpha1.ApplyCircuitsResponse;
import dev.lightpath.proto.driver.v1alpha1.CircuitKey;
import dev.lightpath.proto.driver.v1alpha1.ConflictPolicy;
import dev.lightpath.proto.driver.v1alpha1.DeviceScope;
import dev.lightpath.proto.driver.v1alpha1.GetCircuitsRequest;
import dev.lightpath.proto.driver.v1alpha1.ItemReason;
import dev.lightpath.proto.driver.v1alpha1.Outcome;
import dev.lightpath.proto.driver.v1alpha1.PlanCircuitsRequest;
import dev.lightpath.proto.driver.v1alpha1.PlanCircuitsResponse;
import dev.lightpath.proto.driver.v1alpha1.PortOverride;
import dev.lightpath.proto.driver.v1alpha1.Scope;
import dev.lightpath.proto.driver.v1alpha1.SetPortOverrideRequest;
import dev.lightpath.proto.driver.v1alpha1.SetPortOverrideResponse;
import dev.lightpath.proto.driver.v1alpha1.TransferScopeRequest;
import dev.lightpath.proto.driver.v1alpha1.TransferScopeResponse;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.LockSupport;

/** Requests let through that must be refused, and the other way round. */
final class RequestMutants {
    private static final Scope ALL = Scope.newBuilder().setAllPorts(true).build();

    private RequestMutants() {}

    static List<Mutant> all() {
        return List.of(
                new Mutant("leaves the scope by UPDATE", "scope/circuits-outside") {
                    @Override
                    ApplyCircuitsResponse apply(ApplyCircuitsRequest request) {
                        return super.apply(
                                request.getConflictPolicy() == ConflictPolicy.CONFLICT_POLICY_UPDATE
                                        ? request.toBuilder().setScope(ALL).build()
                                        : request);
                    }
                },
                new Mutant("disconnects what leaves the scope", "scope/ports-outside") {
                    @Override
                    ApplyCircuitsResponse apply(ApplyCircuitsRequest request) {
                        return super.apply(
                                request.getConnectsCount() == 0 && request.hasScope()
                                        ? request.toBuilder().setScope(ALL).build()
                                        : request);
                    }
                },
                new Mutant("lets light enter where light leaves", "ports/both-ways-in-use") {
                    @Override
                    ApplyCircuitsResponse apply(ApplyCircuitsRequest request) {
                        List<String> leaving = driver()
                                .getCircuits(GetCircuitsRequest.newBuilder()
                                        .addDevices(DeviceScope.newBuilder().setDeviceId(request.getDeviceId()))
                                        .build())
                                .getDevices(0)
                                .getCircuitsList()
                                .stream()
                                .map(c -> c.getKey().getEgress())
                                .toList();
                        return request.getConnectsList().stream()
                                        .map(CircuitKey::getIngress)
                                        .anyMatch(leaving::contains)
                                ? super.apply(request.toBuilder()
                                        .setConflictPolicy(ConflictPolicy.CONFLICT_POLICY_OVERWRITE)
                                        .build())
                                : super.apply(request);
                    }
                },
                new Mutant("connects a port to itself", "ports/itself") {
                    @Override
                    ApplyCircuitsResponse apply(ApplyCircuitsRequest request) {
                        return request.getConnectsList().stream()
                                        .anyMatch(k -> k.getIngress().equals(k.getEgress()))
                                ? Answers.applied(request)
                                : super.apply(request);
                    }
                },
                new Mutant("plans only what is not so yet", "plan/already") {
                    @Override
                    PlanCircuitsResponse plan(PlanCircuitsRequest request) {
                        PlanCircuitsResponse.Builder plan = super.plan(request).toBuilder();
                        for (int i = plan.getItemsCount() - 1; i >= 0; i--) {
                            if (plan.getItems(i).getReason() == ItemReason.ITEM_REASON_ALREADY) {
                                plan.removeItems(i);
                            }
                        }
                        return plan.build();
                    }
                },
                new Mutant("plans with ports it does not have", "plan/refuses") {
                    @Override
                    PlanCircuitsResponse plan(PlanCircuitsRequest request) {
                        try {
                            return super.plan(request);
                        } catch (StatusRuntimeException e) {
                            if (Answers.isFor(e, "NO_SUCH_PORT")) {
                                return PlanCircuitsResponse.getDefaultInstance();
                            }
                            throw e;
                        }
                    }
                },
                new Mutant("says APPLIED of a validation", "validate/changes-nothing") {
                    @Override
                    ApplyCircuitsResponse apply(ApplyCircuitsRequest request) {
                        ApplyCircuitsResponse.Builder answer = super.apply(request).toBuilder();
                        answer.getOperationBuilder().setOutcome(Outcome.OUTCOME_APPLIED);
                        return answer.build();
                    }
                },
                new Mutant("takes four items, whatever it promises", "limits/whole-batch") {
                    @Override
                    ApplyCircuitsResponse apply(ApplyCircuitsRequest request) {
                        if (request.getConnectsCount() + request.getDisconnectsCount() > 4) {
                            throw Answers.refused(Status.Code.RESOURCE_EXHAUSTED, "BATCH_TOO_LARGE");
                        }
                        return super.apply(request);
                    }
                },
                new Mutant("is busy and does not say for how long", "limits/many-at-once") {
                    private final Semaphore places = new Semaphore(2);

                    @Override
                    ApplyCircuitsResponse apply(ApplyCircuitsRequest request) {
                        if (!places.tryAcquire()) {
                            throw Answers.refused(Status.Code.RESOURCE_EXHAUSTED, "BUSY");
                        }
                        try {
                            LockSupport.parkNanos(50_000_000);
                            return super.apply(request);
                        } finally {
                            places.release();
                        }
                    }
                },
                new Mutant("gives away devices it does not have", "limits/unknown-device") {
                    @Override
                    TransferScopeResponse transfer(TransferScopeRequest request) {
                        try {
                            return super.transfer(request);
                        } catch (StatusRuntimeException e) {
                            if (Answers.isFor(e, "NO_SUCH_DEVICE")) {
                                return TransferScopeResponse.newBuilder()
                                        .setHoldingRole(request.getToRole())
                                        .build();
                            }
                            throw e;
                        }
                    }
                },
                new Mutant("takes only egress ports out of service", "override/no-new-circuit") {
                    private static final String INGRESS = "1";

                    @Override
                    SetPortOverrideResponse override(SetPortOverrideRequest request) {
                        SetPortOverrideResponse answer = super.override(
                                request.getPort().equals(INGRESS)
                                        ? request.toBuilder()
                                                .setOverride(PortOverride.PORT_OVERRIDE_NONE)
                                                .build()
                                        : request);
                        return answer.toBuilder()
                                .setOverride(request.getOverride())
                                .build();
                    }
                },
                new Mutant("cuts long reasons", "override/unspecified") {
                    @Override
                    SetPortOverrideResponse override(SetPortOverrideRequest request) {
                        String reason = request.getReason();
                        return super.override(request.toBuilder()
                                .setReason(reason.substring(0, Math.min(256, reason.length())))
                                .build());
                    }
                });
    }
}
