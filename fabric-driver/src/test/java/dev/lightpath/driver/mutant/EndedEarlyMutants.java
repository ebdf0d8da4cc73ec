package dev.lightpath.driver.mutant;

import dev.lightpath.proto.driver.v1alpha1.ApplyCircuitsRequest;
import dev.lightpath.proto.driver.v1alpha1.ApplyCircuitsResponse;
import dev.lightpath.proto.driver.v1alpha1.CancelOperationRequest;
import dev.lightpath.proto.driver.v1alpha1.CancelOperationResponse;
import dev.lightpath.proto.driver.v1alpha1.ConfirmOperationRequest;
import dev.lightpath.proto.driver.v1alpha1.ConfirmOperationResponse;
import dev.lightpath.proto.driver.v1alpha1.GetOperationRequest;
import dev.lightpath.proto.driver.v1alpha1.Operation;
import dev.lightpath.proto.driver.v1alpha1.Outcome;
import io.grpc.StatusRuntimeException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Drivers that say something of an operation that runs still, and do nothing about it. */
final class EndedEarlyMutants {
    private EndedEarlyMutants() {}

    private abstract static class Hasty extends Mutant {
        private final Set<String> awaited = ConcurrentHashMap.newKeySet();

        Hasty(String bug, String requirement) {
            super(bug, requirement);
        }

        @Override
        ApplyCircuitsResponse apply(ApplyCircuitsRequest request) {
            if (request.hasRollbackAfter()) {
                awaited.add(request.getOperationId());
            }
            return super.apply(request);
        }

        final boolean isAwaited(String operationId) {
            return awaited.contains(operationId);
        }

        final Operation present(String device, String role, String operationId) {
            try {
                return operation(GetOperationRequest.newBuilder()
                                .setDeviceId(device)
                                .setRole(role)
                                .setOperationId(operationId)
                                .build())
                        .getOperation();
            } catch (StatusRuntimeException unknown) {
                return Operation.getDefaultInstance();
            }
        }

        final Operation present(CancelOperationRequest request) {
            return present(request.getDeviceId(), request.getFencing().getRole(), request.getOperationId());
        }
    }

    private static boolean runs(Operation operation) {
        return operation.getOutcome() == Outcome.OUTCOME_IN_PROGRESS;
    }

    private static CancelOperationResponse undone(Operation operation) {
        return CancelOperationResponse.newBuilder()
                .setOperation(operation.toBuilder()
                        .setOutcome(Outcome.OUTCOME_ROLLED_BACK)
                        .clearConfirmBefore())
                .build();
    }

    static List<Mutant> all() {
        return List.of(
                new Hasty(
                        "says that it confirmed what runs, and awaits a confirmation of it",
                        "operations/confirmed-while-it-runs") {
                    @Override
                    ConfirmOperationResponse confirm(ConfirmOperationRequest request) {
                        Operation present = present(
                                request.getDeviceId(), request.getFencing().getRole(), request.getOperationId());
                        return runs(present)
                                ? ConfirmOperationResponse.newBuilder()
                                        .setOperation(present.toBuilder().clearConfirmBefore())
                                        .build()
                                : super.confirm(request);
                    }
                },
                new Hasty("says that it put back what runs, and lets it run", "operations/cancelled-while-it-runs") {
                    @Override
                    CancelOperationResponse cancel(CancelOperationRequest request) {
                        Operation present = present(request);
                        return runs(present) && isAwaited(request.getOperationId())
                                ? undone(present)
                                : super.cancel(request);
                    }
                },
                new Hasty("keeps what it could not cancel while it ran", "operations/cancelled-while-it-runs") {
                    private final Set<String> refused = ConcurrentHashMap.newKeySet();

                    @Override
                    ApplyCircuitsResponse apply(ApplyCircuitsRequest request) {
                        ApplyCircuitsResponse answer = super.apply(request);
                        if (refused.contains(request.getOperationId())) {
                            ConfirmOperationResponse unused = confirm(ConfirmOperationRequest.newBuilder()
                                    .setDeviceId(request.getDeviceId())
                                    .setFencing(request.getFencing())
                                    .setOperationId(request.getOperationId())
                                    .build());
                        }
                        return answer;
                    }

                    @Override
                    CancelOperationResponse cancel(CancelOperationRequest request) {
                        if (runs(present(request)) && isAwaited(request.getOperationId())) {
                            refused.add(request.getOperationId());
                        }
                        return super.cancel(request);
                    }
                },
                new Hasty("says that it cancelled what will await nothing", "operations/not-pending-while-it-runs") {
                    @Override
                    CancelOperationResponse cancel(CancelOperationRequest request) {
                        Operation present = present(request);
                        return runs(present) && !isAwaited(request.getOperationId())
                                ? undone(present)
                                : super.cancel(request);
                    }
                });
    }
}
