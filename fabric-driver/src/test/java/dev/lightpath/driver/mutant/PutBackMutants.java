package dev.lightpath.driver.mutant;

import dev.lightpath.proto.driver.v1alpha1.ApplyCircuitsRequest;
import dev.lightpath.proto.driver.v1alpha1.ApplyCircuitsResponse;
import dev.lightpath.proto.driver.v1alpha1.CancelOperationRequest;
import dev.lightpath.proto.driver.v1alpha1.CancelOperationResponse;
import dev.lightpath.proto.driver.v1alpha1.ConfirmOperationRequest;
import dev.lightpath.proto.driver.v1alpha1.ConfirmOperationResponse;
import dev.lightpath.proto.driver.v1alpha1.GetCircuitsRequest;
import dev.lightpath.proto.driver.v1alpha1.GetCircuitsResponse;
import dev.lightpath.proto.driver.v1alpha1.GetOperationRequest;
import dev.lightpath.proto.driver.v1alpha1.GetOperationResponse;
import dev.lightpath.proto.driver.v1alpha1.ItemReason;
import dev.lightpath.proto.driver.v1alpha1.ItemState;
import dev.lightpath.proto.driver.v1alpha1.Outcome;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** What awaits a confirmation, failed or was put back, gone wrong. */
final class PutBackMutants {
    private PutBackMutants() {}

    static List<Mutant> all() {
        return List.of(
                new Mutant("begins to wait anew with each repetition", "confirmation/in-time") {
                    @Override
                    ApplyCircuitsResponse apply(ApplyCircuitsRequest request) {
                        ApplyCircuitsResponse.Builder told = super.apply(request).toBuilder();
                        if (told.getReplayed()) {
                            told.getOperationBuilder()
                                    .getConfirmBeforeBuilder()
                                    .setSeconds(told.getOperation()
                                                    .getConfirmBefore()
                                                    .getSeconds()
                                            + 1);
                        }
                        return told.build();
                    }
                },
                new Mutant("does not say what is in flight", "confirmation/in-time") {
                    @Override
                    ApplyCircuitsResponse apply(ApplyCircuitsRequest request) {
                        try {
                            return super.apply(request);
                        } catch (StatusRuntimeException e) {
                            if (Answers.isFor(e, "OPERATION_IN_FLIGHT")) {
                                throw Answers.refused(Status.Code.ABORTED, "OPERATION_IN_FLIGHT");
                            }
                            throw e;
                        }
                    }
                },
                new Mutant("confirms what was cancelled", "confirmation/cancel") {
                    @Override
                    ConfirmOperationResponse confirm(ConfirmOperationRequest request) {
                        try {
                            return super.confirm(request);
                        } catch (StatusRuntimeException e) {
                            if (Answers.isFor(e, "NOT_PENDING")) {
                                return ConfirmOperationResponse.getDefaultInstance();
                            }
                            throw e;
                        }
                    }
                },
                new Mutant("does again what was put back", "confirmation/cancel") {
                    @Override
                    ApplyCircuitsResponse apply(ApplyCircuitsRequest request) {
                        ApplyCircuitsResponse told = super.apply(request);
                        return told.getReplayed() && told.getOperation().getOutcome() == Outcome.OUTCOME_ROLLED_BACK
                                ? super.apply(request.toBuilder()
                                        .setOperationId(request.getOperationId() + "@again")
                                        .clearRollbackAfter()
                                        .build())
                                : told;
                    }
                },
                new Mutant("takes what it put back for foreign", "confirmation/cancel") {
                    private boolean cancelled;

                    @Override
                    CancelOperationResponse cancel(CancelOperationRequest request) {
                        cancelled = true;
                        return super.cancel(request);
                    }

                    @Override
                    GetCircuitsResponse circuits(GetCircuitsRequest request) {
                        GetCircuitsResponse.Builder told = super.circuits(request).toBuilder();
                        if (cancelled) {
                            told.getDevicesBuilderList().stream()
                                    .flatMap(d -> d.getCircuitsBuilderList().stream())
                                    .forEach(c -> c.setForeign(true).clearRole().clearOperationId());
                        }
                        return told.build();
                    }
                },
                new Mutant("cancels what was confirmed", "confirmation/not-pending") {
                    private final Set<String> confirmed = new HashSet<>();

                    @Override
                    ConfirmOperationResponse confirm(ConfirmOperationRequest request) {
                        confirmed.add(request.getOperationId());
                        return super.confirm(request);
                    }

                    @Override
                    CancelOperationResponse cancel(CancelOperationRequest request) {
                        try {
                            return super.cancel(request);
                        } catch (StatusRuntimeException e) {
                            if (Answers.isFor(e, "NOT_PENDING") && confirmed.contains(request.getOperationId())) {
                                return CancelOperationResponse.getDefaultInstance();
                            }
                            throw e;
                        }
                    }
                },
                new Mutant(
                        "says of what a higher epoch cancelled that it was not confirmed",
                        "confirmation/higher-epoch") {
                    @Override
                    GetOperationResponse operation(GetOperationRequest request) {
                        GetOperationResponse.Builder told = super.operation(request).toBuilder();
                        told.getOperationBuilder().getItemsBuilderList().stream()
                                .filter(i -> i.getReason() == ItemReason.ITEM_REASON_CANCELLED)
                                .forEach(i -> i.setReason(ItemReason.ITEM_REASON_NOT_CONFIRMED));
                        return told.build();
                    }
                },
                new Mutant("forgets a cancellation when it restarts", "crash/cancelled") {
                    @Override
                    GetOperationResponse operation(GetOperationRequest request) {
                        GetOperationResponse.Builder told = super.operation(request).toBuilder();
                        if (isRestarted()) {
                            told.getOperationBuilder().setOutcome(Outcome.OUTCOME_APPLIED);
                        }
                        return told.build();
                    }
                },
                new Mutant("takes an hour for too long", "limits/rollback-after") {
                    @Override
                    ApplyCircuitsResponse apply(ApplyCircuitsRequest request) {
                        if (request.getRollbackAfter().getSeconds() == 3600) {
                            throw Answers.refused(Status.Code.INVALID_ARGUMENT, "MALFORMED");
                        }
                        return super.apply(request);
                    }
                },
                new Mutant("takes a roll-back in the past for none", "limits/rollback-after") {
                    @Override
                    ApplyCircuitsResponse apply(ApplyCircuitsRequest request) {
                        return super.apply(
                                request.getRollbackAfter().getSeconds() < 0
                                        ? request.toBuilder()
                                                .clearRollbackAfter()
                                                .build()
                                        : request);
                    }
                },
                new Mutant("does not count the roll-back as content", "idempotency/other-content") {
                    @Override
                    ApplyCircuitsResponse apply(ApplyCircuitsRequest request) {
                        return super.apply(
                                request.toBuilder().clearRollbackAfter().build());
                    }
                },
                new Mutant("stops at the first item that fails", "partial/best-effort") {
                    @Override
                    ApplyCircuitsResponse apply(ApplyCircuitsRequest request) {
                        ApplyCircuitsResponse.Builder told = super.apply(request).toBuilder();
                        boolean failed = told.getOperation().getItemsList().stream()
                                .anyMatch(i -> i.getState() == ItemState.ITEM_STATE_FAILED);
                        told.getOperationBuilder().getItemsBuilderList().stream()
                                .filter(i -> failed && i.getState() == ItemState.ITEM_STATE_CONNECTED)
                                .forEach(i -> i.setState(ItemState.ITEM_STATE_NOT_ATTEMPTED));
                        return told.build();
                    }
                },
                new Mutant("tries an operation again that was rejected", "partial/nothing-possible") {
                    @Override
                    ApplyCircuitsResponse apply(ApplyCircuitsRequest request) {
                        ApplyCircuitsResponse.Builder told = super.apply(request).toBuilder();
                        if (told.getOperation().getOutcome() != Outcome.OUTCOME_APPLIED) {
                            told.setReplayed(false);
                        }
                        return told.build();
                    }
                },
                new Mutant("keeps what it did of a change that failed in part", "partial/put-back-unless-confirmed") {
                    @Override
                    ApplyCircuitsResponse apply(ApplyCircuitsRequest request) {
                        return super.apply(
                                request.toBuilder().clearRollbackAfter().build());
                    }
                },
                new Mutant("awaits that somebody confirms nothing", "partial/nothing-to-confirm") {
                    @Override
                    ApplyCircuitsResponse apply(ApplyCircuitsRequest request) {
                        ApplyCircuitsResponse.Builder told = super.apply(request).toBuilder();
                        if (request.hasRollbackAfter()) {
                            told.getOperationBuilder()
                                    .setConfirmBefore(told.getOperation().getFinishedAt());
                        }
                        return told.build();
                    }
                });
    }
}
