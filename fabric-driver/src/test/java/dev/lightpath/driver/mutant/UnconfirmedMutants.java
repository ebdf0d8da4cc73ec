package dev.lightpath.driver.mutant;

import dev.lightpath.proto.driver.v1alpha1.ApplyCircuitsRequest;
import dev.lightpath.proto.driver.v1alpha1.ApplyCircuitsResponse;
import dev.lightpath.proto.driver.v1alpha1.CancelOperationRequest;
import dev.lightpath.proto.driver.v1alpha1.CancelOperationResponse;
import dev.lightpath.proto.driver.v1alpha1.CircuitKey;
import dev.lightpath.proto.driver.v1alpha1.ConfirmOperationRequest;
import dev.lightpath.proto.driver.v1alpha1.ConfirmOperationResponse;
import dev.lightpath.proto.driver.v1alpha1.Fencing;
import dev.lightpath.proto.driver.v1alpha1.GetOperationRequest;
import dev.lightpath.proto.driver.v1alpha1.GetOperationResponse;
import dev.lightpath.proto.driver.v1alpha1.ItemAction;
import dev.lightpath.proto.driver.v1alpha1.ItemResult;
import dev.lightpath.proto.driver.v1alpha1.Operation;
import dev.lightpath.proto.driver.v1alpha1.Outcome;
import dev.lightpath.proto.driver.v1alpha1.Scope;
import dev.lightpath.proto.driver.v1alpha1.WatchResponse;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

/** What a restart leaves of operations that awaited a confirmation, or had one, or failed. */
final class UnconfirmedMutants {
    private UnconfirmedMutants() {}

    /** Does not make again what an operation from before the restart broke. */
    private static Mutant half(String bug, String requirement, Predicate<ItemResult> forgotten) {
        return new Mutant(bug, requirement) {
            private final Set<String> before = ConcurrentHashMap.newKeySet();

            @Override
            ApplyCircuitsResponse apply(ApplyCircuitsRequest request) {
                if (!isRestarted() && request.hasRollbackAfter()) {
                    before.add(request.getOperationId());
                }
                return super.apply(request);
            }

            @Override
            GetOperationResponse operation(GetOperationRequest request) {
                GetOperationResponse told = super.operation(request);
                afterwards(told.getOperation());
                return told;
            }

            @Override
            CancelOperationResponse cancel(CancelOperationRequest request) {
                CancelOperationResponse told = super.cancel(request);
                afterwards(told.getOperation());
                return told;
            }

            private void afterwards(Operation told) {
                if (!isRestarted()
                        || told.getOutcome() != Outcome.OUTCOME_ROLLED_BACK
                        || !before.remove(told.getOperationId())) {
                    return;
                }
                List<CircuitKey> dark = told.getItemsList().stream()
                        .filter(i -> i.getAction() == ItemAction.ITEM_ACTION_DISCONNECT && forgotten.test(i))
                        .map(ItemResult::getKey)
                        .toList();
                var unused = super.apply(ApplyCircuitsRequest.newBuilder()
                        .setDeviceId(told.getDeviceId())
                        .setFencing(told.getFencing())
                        .setOperationId(UUID.randomUUID().toString())
                        .setScope(Scope.newBuilder().setAllPorts(true))
                        .addAllDisconnects(dark)
                        .build());
            }
        };
    }

    /** Answers of operations from before the restart, told otherwise. */
    private abstract static class Restarted extends Mutant {
        private final Map<String, ApplyCircuitsRequest> pending = new ConcurrentHashMap<>();

        Restarted(String bug, String requirement) {
            super(bug, requirement);
        }

        @Override
        ApplyCircuitsResponse apply(ApplyCircuitsRequest request) {
            if (!isRestarted() && request.hasRollbackAfter()) {
                pending.put(request.getOperationId(), request);
            }
            return super.apply(request);
        }

        final Map<String, ApplyCircuitsRequest> pending() {
            return pending;
        }
    }

    private static Mutant forgetting(String bug, Outcome outcome) {
        return new Mutant(bug, "crash/remembers-failures") {
            private final Set<String> before = ConcurrentHashMap.newKeySet();

            @Override
            ApplyCircuitsResponse apply(ApplyCircuitsRequest request) {
                if (isRestarted() && before.contains(request.getOperationId())) {
                    ApplyCircuitsResponse.Builder again = super.apply(request.toBuilder()
                                    .setOperationId(UUID.randomUUID().toString())
                                    .build())
                            .toBuilder();
                    again.getOperationBuilder().setOperationId(request.getOperationId());
                    return again.build();
                }
                ApplyCircuitsResponse answer = super.apply(request);
                if (answer.getOperation().getOutcome() == outcome) {
                    before.add(request.getOperationId());
                }
                return answer;
            }

            @Override
            GetOperationResponse operation(GetOperationRequest request) {
                if (isRestarted() && before.contains(request.getOperationId())) {
                    throw Answers.refused(Status.Code.NOT_FOUND, "NO_SUCH_OPERATION");
                }
                return super.operation(request);
            }
        };
    }

    static List<Mutant> all() {
        return List.of(
                half(
                        "makes nothing again that an unconfirmed change broke before a restart",
                        "crash/put-back-whole",
                        item -> true),
                half(
                        "makes nothing again that a policy broke before a restart",
                        "crash/cancelled-whole",
                        ItemResult::getImplied),
                forgetting("forgets what failed in part when it restarts", Outcome.OUTCOME_PARTIAL),
                forgetting("forgets what was rejected when it restarts", Outcome.OUTCOME_REJECTED),
                new Restarted(
                        "lets others pass what awaits a confirmation since before a restart", "crash/still-pending") {
                    @Override
                    ApplyCircuitsResponse apply(ApplyCircuitsRequest request) {
                        try {
                            return super.apply(request);
                        } catch (StatusRuntimeException e) {
                            if (isRestarted() && Answers.isFor(e, "OPERATION_IN_FLIGHT")) {
                                return Answers.applied(request);
                            }
                            throw e;
                        }
                    }
                },
                new Restarted(
                        "leaves out of a snapshot what awaits a confirmation since before a restart",
                        "crash/still-pending") {
                    @Override
                    List<WatchResponse> told(WatchResponse message) {
                        if (!isRestarted() || !message.hasSnapshot()) {
                            return List.of(message);
                        }
                        WatchResponse.Builder less = message.toBuilder();
                        less.getSnapshotBuilder().clearOperations();
                        return List.of(less.build());
                    }
                },
                new Restarted(
                        "keeps for a higher epoch what awaits a confirmation since before a restart",
                        "crash/still-pending") {
                    @Override
                    ApplyCircuitsResponse apply(ApplyCircuitsRequest request) {
                        if (isRestarted()) {
                            pending().values().stream()
                                    .filter(p -> p.getFencing().getEpoch()
                                            < request.getFencing().getEpoch())
                                    .toList()
                                    .forEach(this::keep);
                        }
                        return super.apply(request);
                    }

                    private void keep(ApplyCircuitsRequest request) {
                        pending().remove(request.getOperationId());
                        try {
                            ConfirmOperationResponse unused = confirm(ConfirmOperationRequest.newBuilder()
                                    .setDeviceId(request.getDeviceId())
                                    .setFencing(request.getFencing())
                                    .setOperationId(request.getOperationId())
                                    .build());
                        } catch (StatusRuntimeException over) {
                            // it was put back
                        }
                    }
                },
                new Restarted("sets the clock again for what was confirmed when it restarts", "crash/confirmed-stays") {
                    private final Set<String> undone = ConcurrentHashMap.newKeySet();

                    @Override
                    GetOperationResponse operation(GetOperationRequest request) {
                        ApplyCircuitsRequest made = pending().get(request.getOperationId());
                        if (isRestarted() && made != null && undone.add(request.getOperationId())) {
                            Fencing now = made.getFencing();
                            var unused = super.apply(made.toBuilder()
                                    .setFencing(now)
                                    .setOperationId(UUID.randomUUID().toString())
                                    .clearRollbackAfter()
                                    .clearConnects()
                                    .clearDisconnects()
                                    .addAllDisconnects(made.getConnectsList())
                                    .addAllConnects(made.getDisconnectsList())
                                    .build());
                        }
                        return super.operation(request);
                    }
                });
    }
}
