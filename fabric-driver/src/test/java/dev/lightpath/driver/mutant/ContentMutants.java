package dev.lightpath.driver.mutant;

import dev.lightpath.proto.driver.v1alpha1.ApplyCircuitsRequest;
import dev.lightpath.proto.driver.v1alpha1.ApplyCircuitsResponse;
import dev.lightpath.proto.driver.v1alpha1.GetOperationRequest;
import dev.lightpath.proto.driver.v1alpha1.Operation;
import dev.lightpath.proto.driver.v1alpha1.Outcome;
import io.grpc.StatusRuntimeException;
import java.util.List;
import java.util.function.Predicate;

/** Ids of operations that are not done, taken for repetitions whatever else is asked. */
final class ContentMutants {
    private ContentMutants() {}

    /** Answers an id that it knows as a repetition, whatever else is asked. */
    private static Mutant careless(String bug, String requirement, Predicate<Operation> state) {
        return new Mutant(bug, requirement) {
            @Override
            ApplyCircuitsResponse apply(ApplyCircuitsRequest request) {
                try {
                    return super.apply(request);
                } catch (StatusRuntimeException e) {
                    if (!Answers.isFor(e, "OPERATION_ID_REUSED")) {
                        throw e;
                    }
                    Operation known = operation(GetOperationRequest.newBuilder()
                                    .setDeviceId(request.getDeviceId())
                                    .setRole(request.getFencing().getRole())
                                    .setOperationId(request.getOperationId())
                                    .build())
                            .getOperation();
                    if (!state.test(known)) {
                        throw e;
                    }
                    return ApplyCircuitsResponse.newBuilder()
                            .setOperation(known)
                            .setReplayed(true)
                            .build();
                }
            }
        };
    }

    static List<Mutant> all() {
        return List.of(
                careless(
                        "takes the id of a running operation for a repetition",
                        "idempotency/other-content-while-it-runs",
                        o -> o.getOutcome() == Outcome.OUTCOME_IN_PROGRESS),
                careless(
                        "takes the id of what awaits its confirmation for a repetition",
                        "idempotency/other-content-of-what-waits",
                        Operation::hasConfirmBefore),
                careless(
                        "takes the id of what was put back for a repetition",
                        "idempotency/other-content-of-what-waits",
                        o -> o.getOutcome() == Outcome.OUTCOME_ROLLED_BACK),
                careless(
                        "takes the id of what failed in part for a repetition",
                        "partial/other-content",
                        o -> o.getOutcome() == Outcome.OUTCOME_PARTIAL),
                new Mutant(
                        "compares whether, and not when, a change is put back",
                        "idempotency/other-content-of-what-waits") {
                    @Override
                    ApplyCircuitsResponse apply(ApplyCircuitsRequest request) {
                        ApplyCircuitsRequest.Builder same = request.toBuilder();
                        if (request.hasRollbackAfter()
                                && request.getRollbackAfter().getSeconds() > 600) {
                            same.getRollbackAfterBuilder().setSeconds(600);
                        }
                        return super.apply(same.build());
                    }
                });
    }
}
