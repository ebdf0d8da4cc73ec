package dev.lightpath.driver.mutant;

import dev.lightpath.proto.driver.v1alpha1.ApplyCircuitsRequest;
import dev.lightpath.proto.driver.v1alpha1.ApplyCircuitsResponse;
import dev.lightpath.proto.driver.v1alpha1.GetOperationRequest;
import dev.lightpath.proto.driver.v1alpha1.GetOperationResponse;
import dev.lightpath.proto.driver.v1alpha1.Operation;
import dev.lightpath.proto.driver.v1alpha1.Outcome;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Drivers that write an operation id down before they know whether its turn has come. */
final class AbortedMutants {
    private static final String REQUIREMENT = "operations/aborted-may-be-repeated";

    private AbortedMutants() {}

    /** Remembers what it aborted. */
    private abstract static class Burnt extends Mutant {
        private final Set<String> aborted = ConcurrentHashMap.newKeySet();

        Burnt(String bug) {
            super(bug, REQUIREMENT);
        }

        final boolean isBurnt(String operationId) {
            return aborted.contains(operationId);
        }

        final ApplyCircuitsResponse first(ApplyCircuitsRequest request) {
            try {
                return super.apply(request);
            } catch (StatusRuntimeException e) {
                if (Answers.isFor(e, "OPERATION_IN_FLIGHT")
                        && !Answers.detail(e, "operation_id").equals(request.getOperationId())) {
                    aborted.add(request.getOperationId());
                }
                throw e;
            }
        }

        static Operation begun(String operationId) {
            return Operation.newBuilder()
                    .setOperationId(operationId)
                    .setOutcome(Outcome.OUTCOME_IN_PROGRESS)
                    .build();
        }
    }

    static List<Mutant> all() {
        return List.of(
                new Burnt("replays for ever what it aborted") {
                    @Override
                    ApplyCircuitsResponse apply(ApplyCircuitsRequest request) {
                        return isBurnt(request.getOperationId())
                                ? ApplyCircuitsResponse.newBuilder()
                                        .setOperation(begun(request.getOperationId()))
                                        .setReplayed(true)
                                        .build()
                                : first(request);
                    }
                },
                new Burnt("takes an aborted change, sent again, for another of the same id") {
                    @Override
                    ApplyCircuitsResponse apply(ApplyCircuitsRequest request) {
                        if (isBurnt(request.getOperationId())) {
                            throw Answers.refused(Status.Code.INVALID_ARGUMENT, "OPERATION_ID_REUSED");
                        }
                        return first(request);
                    }
                },
                new Burnt("says of what it aborted that it is in progress") {
                    @Override
                    ApplyCircuitsResponse apply(ApplyCircuitsRequest request) {
                        return first(request);
                    }

                    @Override
                    GetOperationResponse operation(GetOperationRequest request) {
                        try {
                            return super.operation(request);
                        } catch (StatusRuntimeException e) {
                            if (isBurnt(request.getOperationId())) {
                                return GetOperationResponse.newBuilder()
                                        .setOperation(begun(request.getOperationId()))
                                        .build();
                            }
                            throw e;
                        }
                    }
                });
    }
}
