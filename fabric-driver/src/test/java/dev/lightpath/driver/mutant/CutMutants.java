package dev.lightpath.driver.mutant;

import dev.lightpath.proto.driver.v1alpha1.ApplyCircuitsRequest;
import dev.lightpath.proto.driver.v1alpha1.ApplyCircuitsResponse;
import dev.lightpath.proto.driver.v1alpha1.GetOperationRequest;
import dev.lightpath.proto.driver.v1alpha1.GetOperationResponse;
import dev.lightpath.proto.driver.v1alpha1.ItemReason;
import dev.lightpath.proto.driver.v1alpha1.ItemState;
import dev.lightpath.proto.driver.v1alpha1.Operation;
import dev.lightpath.proto.driver.v1alpha1.Outcome;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/** Ends made up after a restart for operations it cut. */
final class CutMutants {
    private CutMutants() {}

    /** Tells the same of an operation that a restart cut, whoever asks and whenever. */
    private static Mutant ending(String bug, Consumer<Operation.Builder> end) {
        return new Mutant(bug, "crash/operation-under-way") {
            private final Set<String> under = ConcurrentHashMap.newKeySet();

            private void retell(Operation.Builder operation) {
                if (isRestarted() && under.contains(operation.getOperationId())) {
                    end.accept(operation);
                }
            }

            @Override
            ApplyCircuitsResponse apply(ApplyCircuitsRequest request) {
                boolean first = !isRestarted() && under.add(request.getOperationId());
                ApplyCircuitsResponse.Builder told = super.apply(request).toBuilder();
                if (first) {
                    under.remove(request.getOperationId());
                }
                retell(told.getOperationBuilder());
                return told.build();
            }

            @Override
            GetOperationResponse operation(GetOperationRequest request) {
                GetOperationResponse.Builder told = super.operation(request).toBuilder();
                retell(told.getOperationBuilder());
                return told.build();
            }
        };
    }

    static List<Mutant> all() {
        return List.of(
                ending("says that a crash failed whatever it cut", operation -> {
                    operation.setOutcome(Outcome.OUTCOME_REJECTED).setObservedDigest(operation.getBeforeDigest());
                    operation
                            .getItemsBuilderList()
                            .forEach(i -> i.setState(ItemState.ITEM_STATE_FAILED)
                                    .setReason(ItemReason.ITEM_REASON_EARLIER_ITEM_FAILED));
                }),
                ending("says that a crash put back whatever it cut", operation -> {
                    operation.setOutcome(Outcome.OUTCOME_ROLLED_BACK);
                    operation.getItemsBuilderList().forEach(i -> i.setState(ItemState.ITEM_STATE_ROLLED_BACK));
                }),
                ending(
                        "says what it made before a crash, and not what there is",
                        operation -> operation.setObservedDigest(operation.getBeforeDigest())));
    }
}
