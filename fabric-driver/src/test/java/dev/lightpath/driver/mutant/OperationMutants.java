package dev.lightpath.driver.mutant;

import dev.lightpath.proto.driver.v1alpha1.ApplyCircuitsRequest;
import dev.lightpath.proto.driver.v1alpha1.ApplyCircuitsResponse;
import dev.lightpath.proto.driver.v1alpha1.ConflictPolicy;
import dev.lightpath.proto.driver.v1alpha1.GetOperationRequest;
import dev.lightpath.proto.driver.v1alpha1.GetOperationResponse;
import dev.lightpath.proto.driver.v1alpha1.ItemAction;
import dev.lightpath.proto.driver.v1alpha1.ItemResult;
import dev.lightpath.proto.driver.v1alpha1.ItemState;
import dev.lightpath.proto.driver.v1alpha1.Operation;
import dev.lightpath.proto.driver.v1alpha1.Outcome;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;

/** Operations lost, repeated, or told wrongly. */
final class OperationMutants {
    private OperationMutants() {}

    /** Carries some operations out under another id than the caller's, and so again. */
    private abstract static class Forgetful extends Mutant {
        private final Set<String> seen = ConcurrentHashMap.newKeySet();
        private final Set<String> before = ConcurrentHashMap.newKeySet();

        Forgetful(String bug, String requirement) {
            super(bug, requirement);
        }

        abstract boolean forgot(String operationId, boolean knownBefore, boolean beforeRestart);

        @Override
        ApplyCircuitsResponse apply(ApplyCircuitsRequest request) {
            String id = request.getOperationId();
            boolean knownBefore = !seen.add(id);
            if (!isRestarted()) {
                before.add(id);
            }
            if (!forgot(id, knownBefore, isRestarted() && before.contains(id))) {
                return super.apply(request);
            }
            ApplyCircuitsResponse again = super.apply(request.toBuilder()
                    .setOperationId(UUID.randomUUID().toString())
                    .build());
            return again.toBuilder()
                    .setOperation(again.getOperation().toBuilder().setOperationId(id))
                    .build();
        }

        final boolean isFromBefore(String operationId) {
            return isRestarted() && before.contains(operationId);
        }
    }

    static List<Mutant> all() {
        return List.of(
                new Forgetful("carries a repeated operation out again", "idempotency/same-operation-twice") {
                    @Override
                    boolean forgot(String operationId, boolean knownBefore, boolean beforeRestart) {
                        return knownBefore;
                    }
                },
                new Forgetful("forgets operations when it restarts", "crash/remembers-operations") {
                    @Override
                    boolean forgot(String operationId, boolean knownBefore, boolean beforeRestart) {
                        return beforeRestart;
                    }

                    @Override
                    GetOperationResponse operation(GetOperationRequest request) {
                        if (isFromBefore(request.getOperationId())) {
                            throw Answers.refused(Status.Code.NOT_FOUND, "NO_SUCH_OPERATION");
                        }
                        return super.operation(request);
                    }
                },
                new Forgetful("does an operation again that a crash cut", "crash/operation-under-way") {
                    @Override
                    boolean forgot(String operationId, boolean knownBefore, boolean beforeRestart) {
                        return beforeRestart;
                    }
                },
                new Mutant("says after a crash that what it cut was refused", "crash/operation-under-way") {
                    @Override
                    GetOperationResponse operation(GetOperationRequest request) {
                        GetOperationResponse.Builder told = super.operation(request).toBuilder();
                        if (isRestarted()) {
                            Operation.Builder operation = told.getOperationBuilder();
                            operation.setOutcome(Outcome.OUTCOME_REJECTED);
                            operation
                                    .getItemsBuilderList()
                                    .forEach(i -> i.setState(
                                            i.getAction() == ItemAction.ITEM_ACTION_CONNECT
                                                    ? ItemState.ITEM_STATE_FAILED
                                                    : ItemState.ITEM_STATE_DARK));
                        }
                        return told.build();
                    }
                },
                new Mutant("takes an operation id for another request", "idempotency/other-content") {
                    @Override
                    ApplyCircuitsResponse apply(ApplyCircuitsRequest request) {
                        try {
                            return super.apply(request);
                        } catch (StatusRuntimeException e) {
                            if (Answers.isFor(e, "OPERATION_ID_REUSED")) {
                                return super.apply(request.toBuilder()
                                        .setOperationId(UUID.randomUUID().toString())
                                        .build());
                            }
                            throw e;
                        }
                    }
                },
                new Mutant("takes the epoch for content", "idempotency/new-leader-repeats") {
                    @Override
                    ApplyCircuitsResponse apply(ApplyCircuitsRequest request) {
                        return super.apply(request.toBuilder()
                                .setOperationId(request.getOperationId() + "@"
                                        + request.getFencing().getEpoch())
                                .build());
                    }
                },
                new Mutant("hides operations until they end", "operations/deadline-of-a-slow-move") {
                    @Override
                    GetOperationResponse operation(GetOperationRequest request) {
                        GetOperationResponse told = super.operation(request);
                        if (told.getOperation().getOutcome() == Outcome.OUTCOME_IN_PROGRESS) {
                            throw Answers.refused(Status.Code.NOT_FOUND, "NO_SUCH_OPERATION");
                        }
                        return told;
                    }
                },
                new Mutant("makes up operations it never saw", "operations/unknown") {
                    @Override
                    GetOperationResponse operation(GetOperationRequest request) {
                        try {
                            return super.operation(request);
                        } catch (StatusRuntimeException unknown) {
                            return GetOperationResponse.newBuilder()
                                    .setOperation(Operation.newBuilder()
                                            .setOperationId(request.getOperationId())
                                            .setOutcome(Outcome.OUTCOME_IN_PROGRESS))
                                    .build();
                        }
                    }
                },
                new Mutant("answers before the device has settled", "operations/applied-means-settled") {
                    @Override
                    ApplyCircuitsResponse apply(ApplyCircuitsRequest request) {
                        Thread.startVirtualThread(() -> {
                            try {
                                var unused = super.apply(request);
                            } catch (StatusRuntimeException nobodyIsTold) {
                                // it has said that it is applied
                            }
                        });
                        LockSupport.parkNanos(100_000_000);
                        return Answers.applied(request);
                    }
                },
                new Mutant("lets a second operation wait instead of aborting it", "operations/one-at-a-time") {
                    @Override
                    ApplyCircuitsResponse apply(ApplyCircuitsRequest request) {
                        while (true) {
                            try {
                                return super.apply(request);
                            } catch (StatusRuntimeException e) {
                                if (!Answers.isFor(e, "OPERATION_IN_FLIGHT")) {
                                    throw e;
                                }
                                LockSupport.parkNanos(20_000_000);
                            }
                        }
                    }
                },
                new Mutant("says APPLIED although an item failed", "partial/best-effort") {
                    @Override
                    ApplyCircuitsResponse apply(ApplyCircuitsRequest request) {
                        ApplyCircuitsResponse.Builder told = super.apply(request).toBuilder();
                        told.getOperationBuilder().setOutcome(Outcome.OUTCOME_APPLIED);
                        return told.build();
                    }
                },
                new ShortMemory("remembers a hundred operations", "operations/remembered-after-many", 100),
                new Mutant("does not count the policy as content", "idempotency/other-content") {
                    @Override
                    ApplyCircuitsResponse apply(ApplyCircuitsRequest request) {
                        return super.apply(request.toBuilder()
                                .setConflictPolicy(ConflictPolicy.CONFLICT_POLICY_SAFE)
                                .build());
                    }
                },
                new Mutant("says an item is CONNECTED that failed", "partial/best-effort") {
                    @Override
                    ApplyCircuitsResponse apply(ApplyCircuitsRequest request) {
                        ApplyCircuitsResponse.Builder told = super.apply(request).toBuilder();
                        told.getOperationBuilder().getItemsBuilderList().stream()
                                .filter(i -> i.getAction() == ItemAction.ITEM_ACTION_CONNECT)
                                .forEach(i -> i.setState(ItemState.ITEM_STATE_CONNECTED));
                        return told.build();
                    }
                },
                new Mutant("keeps half of all or nothing", "partial/all-or-nothing") {
                    @Override
                    ApplyCircuitsResponse apply(ApplyCircuitsRequest request) {
                        return super.apply(request.toBuilder().clearAtomicity().build());
                    }
                },
                new Mutant("guesses instead of saying UNKNOWN", "silence/in-the-middle") {
                    @Override
                    GetOperationResponse operation(GetOperationRequest request) {
                        GetOperationResponse.Builder told = super.operation(request).toBuilder();
                        if (told.getOperation().getOutcome() == Outcome.OUTCOME_UNKNOWN) {
                            told.getOperationBuilder().setOutcome(Outcome.OUTCOME_REJECTED);
                        }
                        return told.build();
                    }
                },
                new Mutant("leaves out results of disconnects", "circuits/items") {
                    @Override
                    ApplyCircuitsResponse apply(ApplyCircuitsRequest request) {
                        ApplyCircuitsResponse.Builder told = super.apply(request).toBuilder();
                        List<ItemResult> kept = told.getOperation().getItemsList().stream()
                                .filter(i -> i.getAction() == ItemAction.ITEM_ACTION_CONNECT)
                                .toList();
                        told.getOperationBuilder().clearItems().addAllItems(kept);
                        return told.build();
                    }
                });
    }
}
