package dev.lightpath.driver.mutant;

import dev.lightpath.proto.driver.v1alpha1.ApplyCircuitsRequest;
import dev.lightpath.proto.driver.v1alpha1.ApplyCircuitsResponse;
import dev.lightpath.proto.driver.v1alpha1.CancelOperationRequest;
import dev.lightpath.proto.driver.v1alpha1.CancelOperationResponse;
import dev.lightpath.proto.driver.v1alpha1.ConfirmOperationRequest;
import dev.lightpath.proto.driver.v1alpha1.ConfirmOperationResponse;
import dev.lightpath.proto.driver.v1alpha1.GetOperationRequest;
import dev.lightpath.proto.driver.v1alpha1.GetOperationResponse;
import dev.lightpath.proto.driver.v1alpha1.ItemAction;
import dev.lightpath.proto.driver.v1alpha1.ItemReason;
import dev.lightpath.proto.driver.v1alpha1.ItemState;
import dev.lightpath.proto.driver.v1alpha1.Operation;
import dev.lightpath.proto.driver.v1alpha1.Outcome;
import dev.lightpath.proto.driver.v1alpha1.WatchResponse;
import io.grpc.StatusRuntimeException;
import java.util.ArrayList;
import java.util.List;

/** Operations that await a confirmation, and what is put back, told wrongly. */
final class ConfirmationMutants {
    private ConfirmationMutants() {}

    static List<Mutant> all() {
        return List.of(
                new Mutant("waits five seconds for any confirmation", "confirmation/in-time") {
                    @Override
                    ApplyCircuitsResponse apply(ApplyCircuitsRequest request) {
                        ApplyCircuitsRequest.Builder sooner = request.toBuilder();
                        if (request.hasRollbackAfter()) {
                            sooner.getRollbackAfterBuilder().setSeconds(5).setNanos(0);
                        }
                        return super.apply(sooner.build());
                    }
                },
                new Mutant("promises confirmations, and ignores rollback_after", "confirmation/in-time") {
                    @Override
                    ApplyCircuitsResponse apply(ApplyCircuitsRequest request) {
                        return super.apply(
                                request.toBuilder().clearRollbackAfter().build());
                    }
                },
                new Mutant("confirms operations it never saw", "confirmation/unknown") {
                    @Override
                    ConfirmOperationResponse confirm(ConfirmOperationRequest request) {
                        try {
                            return super.confirm(request);
                        } catch (StatusRuntimeException e) {
                            if (Answers.isFor(e, "NO_SUCH_OPERATION")) {
                                return ConfirmOperationResponse.getDefaultInstance();
                            }
                            throw e;
                        }
                    }
                },
                new Mutant("does not tell of a roll-back", "confirmation/told") {
                    @Override
                    List<WatchResponse> told(WatchResponse message) {
                        return message.getOperationChanged().getOperation().getOutcome() == Outcome.OUTCOME_ROLLED_BACK
                                ? List.of()
                                : List.of(message);
                    }
                },
                new Mutant("says of cancelled items that they are in place", "confirmation/cancel") {
                    @Override
                    CancelOperationResponse cancel(CancelOperationRequest request) {
                        CancelOperationResponse.Builder answer = super.cancel(request).toBuilder();
                        answer.getOperationBuilder()
                                .getItemsBuilderList()
                                .forEach(i -> i.setState(
                                        i.getAction() == ItemAction.ITEM_ACTION_CONNECT
                                                ? ItemState.ITEM_STATE_CONNECTED
                                                : ItemState.ITEM_STATE_DARK));
                        return answer.build();
                    }
                },
                new Mutant("says of what was not confirmed that it was cancelled", "confirmation/too-late") {
                    @Override
                    GetOperationResponse operation(GetOperationRequest request) {
                        GetOperationResponse.Builder answer = super.operation(request).toBuilder();
                        answer.getOperationBuilder().getItemsBuilderList().stream()
                                .filter(i -> i.getReason() == ItemReason.ITEM_REASON_NOT_CONFIRMED)
                                .forEach(i -> i.setReason(ItemReason.ITEM_REASON_CANCELLED));
                        return answer.build();
                    }
                },
                new Mutant("rolls back whatever awaits a confirmation when it restarts", "crash/confirmable") {
                    private final List<ApplyCircuitsRequest> pending = new ArrayList<>();

                    @Override
                    ApplyCircuitsResponse apply(ApplyCircuitsRequest request) {
                        if (request.hasRollbackAfter()) {
                            pending.add(request);
                        }
                        return super.apply(request);
                    }

                    @Override
                    GetOperationResponse operation(GetOperationRequest request) {
                        if (isRestarted()) {
                            pending.forEach(r -> super.cancel(CancelOperationRequest.newBuilder()
                                    .setDeviceId(r.getDeviceId())
                                    .setFencing(r.getFencing())
                                    .setOperationId(r.getOperationId())
                                    .build()));
                            pending.clear();
                        }
                        return super.operation(request);
                    }
                },
                new Mutant("says of what all or nothing put back that it is in place", "partial/all-or-nothing") {
                    @Override
                    ApplyCircuitsResponse apply(ApplyCircuitsRequest request) {
                        ApplyCircuitsResponse.Builder answer = super.apply(request).toBuilder();
                        answer.getOperationBuilder().getItemsBuilderList().stream()
                                .filter(i -> i.getState() == ItemState.ITEM_STATE_ROLLED_BACK)
                                .forEach(i -> i.setState(ItemState.ITEM_STATE_CONNECTED));
                        return answer.build();
                    }
                },
                new Mutant("remembers operations that failed in part as applied", "partial/best-effort") {
                    @Override
                    GetOperationResponse operation(GetOperationRequest request) {
                        GetOperationResponse told = super.operation(request);
                        Operation.Builder operation = told.getOperation().toBuilder();
                        if (operation.getOutcome() == Outcome.OUTCOME_PARTIAL) {
                            operation.setOutcome(Outcome.OUTCOME_APPLIED);
                        }
                        return told.toBuilder().setOperation(operation).build();
                    }
                });
    }
}
