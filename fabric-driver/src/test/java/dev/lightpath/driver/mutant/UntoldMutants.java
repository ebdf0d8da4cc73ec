package dev.lightpath.driver.mutant;

import dev.lightpath.proto.driver.v1alpha1.ApplyCircuitsRequest;
import dev.lightpath.proto.driver.v1alpha1.ApplyCircuitsResponse;
import dev.lightpath.proto.driver.v1alpha1.CancelOperationRequest;
import dev.lightpath.proto.driver.v1alpha1.CancelOperationResponse;
import dev.lightpath.proto.driver.v1alpha1.CircuitKey;
import dev.lightpath.proto.driver.v1alpha1.ItemReason;
import dev.lightpath.proto.driver.v1alpha1.Operation;
import dev.lightpath.proto.driver.v1alpha1.Outcome;
import dev.lightpath.proto.driver.v1alpha1.WatchResponse;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

/** Streams that are told of what was asked for, where the client looks, and of nothing else. */
final class UntoldMutants {
    private UntoldMutants() {}

    /** Does not tell of these operations. */
    private static Mutant silent(String bug, String requirement, Predicate<Operation> untold) {
        return new Mutant(bug, requirement) {
            @Override
            List<WatchResponse> told(WatchResponse message) {
                return message.hasOperationChanged()
                                && untold.test(message.getOperationChanged().getOperation())
                        ? List.of()
                        : List.of(message);
            }
        };
    }

    private static boolean isFor(Operation operation, ItemReason reason) {
        return operation.getItemsList().stream().anyMatch(i -> i.getReason() == reason);
    }

    static List<Mutant> all() {
        return List.of(
                silent(
                        "does not tell of a roll-back in time",
                        "confirmation/told-unasked",
                        o -> isFor(o, ItemReason.ITEM_REASON_NOT_CONFIRMED)),
                new Mutant("does not tell of a roll-back by a higher epoch", "confirmation/told-unasked") {
                    private final Set<String> asked = ConcurrentHashMap.newKeySet();

                    @Override
                    CancelOperationResponse cancel(CancelOperationRequest request) {
                        asked.add(request.getOperationId());
                        return super.cancel(request);
                    }

                    @Override
                    List<WatchResponse> told(WatchResponse message) {
                        Operation operation = message.getOperationChanged().getOperation();
                        return isFor(operation, ItemReason.ITEM_REASON_CANCELLED)
                                        && !asked.contains(operation.getOperationId())
                                ? List.of()
                                : List.of(message);
                    }
                },
                silent(
                        "does not tell of an operation that failed in part",
                        "partial/told",
                        o -> o.getOutcome() == Outcome.OUTCOME_PARTIAL),
                silent(
                        "does not tell of an operation that was rejected",
                        "partial/told",
                        o -> o.getOutcome() == Outcome.OUTCOME_REJECTED),
                silent(
                        "does not tell of what all or nothing put back",
                        "partial/told",
                        o -> o.getOutcome() == Outcome.OUTCOME_ROLLED_BACK
                                && !isFor(o, ItemReason.ITEM_REASON_CANCELLED)
                                && !isFor(o, ItemReason.ITEM_REASON_NOT_CONFIRMED)),
                new Mutant("does not tell what the policy broke", "confirmation/told-unasked") {
                    private final Set<CircuitKey> named = ConcurrentHashMap.newKeySet();

                    @Override
                    ApplyCircuitsResponse apply(ApplyCircuitsRequest request) {
                        named.addAll(request.getDisconnectsList());
                        if (request.hasRollbackAfter()) {
                            named.addAll(request.getConnectsList());
                        }
                        return super.apply(request);
                    }

                    @Override
                    List<WatchResponse> told(WatchResponse message) {
                        if (!message.hasCircuitsChanged()) {
                            return List.of(message);
                        }
                        WatchResponse.Builder less = message.toBuilder();
                        List<CircuitKey> asked = message.getCircuitsChanged().getRemovedList().stream()
                                .filter(named::contains)
                                .toList();
                        less.getCircuitsChangedBuilder().clearRemoved().addAllRemoved(asked);
                        return List.of(less.build());
                    }
                });
    }
}
