package dev.lightpath.driver.mutant;

import dev.lightpath.proto.driver.v1alpha1.ApplyCircuitsRequest;
import dev.lightpath.proto.driver.v1alpha1.ApplyCircuitsResponse;
import dev.lightpath.proto.driver.v1alpha1.Atomicity;
import dev.lightpath.proto.driver.v1alpha1.GetOperationRequest;
import dev.lightpath.proto.driver.v1alpha1.GetOperationResponse;
import dev.lightpath.proto.driver.v1alpha1.ItemAction;
import dev.lightpath.proto.driver.v1alpha1.ItemReason;
import dev.lightpath.proto.driver.v1alpha1.ItemResult;
import dev.lightpath.proto.driver.v1alpha1.ItemState;
import dev.lightpath.proto.driver.v1alpha1.Operation;
import dev.lightpath.proto.driver.v1alpha1.Outcome;
import java.util.List;

/** Disconnects that fail, taken wrongly. */
final class StuckMutants {
    private StuckMutants() {}

    /** Tells operations in which a disconnect failed in its own way, whenever it is asked. */
    private abstract static class Retelling extends Mutant {
        Retelling(String bug, String requirement) {
            super(bug, requirement);
        }

        abstract void retell(Operation.Builder operation);

        private void retellFailed(Operation.Builder operation) {
            if (isBreakFailed(operation.getItemsList())) {
                retell(operation);
            }
        }

        @Override
        ApplyCircuitsResponse apply(ApplyCircuitsRequest request) {
            ApplyCircuitsResponse.Builder told = super.apply(request).toBuilder();
            retellFailed(told.getOperationBuilder());
            return told.build();
        }

        @Override
        GetOperationResponse operation(GetOperationRequest request) {
            GetOperationResponse.Builder told = super.operation(request).toBuilder();
            retellFailed(told.getOperationBuilder());
            return told.build();
        }
    }

    private static boolean isBreakFailed(List<ItemResult> items) {
        return items.stream()
                .anyMatch(i -> i.getAction() == ItemAction.ITEM_ACTION_DISCONNECT
                        && i.getState() == ItemState.ITEM_STATE_FAILED);
    }

    static List<Mutant> all() {
        return List.of(
                new Retelling("takes a disconnect for done once the device was asked", "partial/stuck") {
                    @Override
                    void retell(Operation.Builder operation) {
                        operation.getItemsBuilderList().stream()
                                .filter(i -> i.getAction() == ItemAction.ITEM_ACTION_DISCONNECT
                                        && i.getState() == ItemState.ITEM_STATE_FAILED)
                                .forEach(i -> i.setState(ItemState.ITEM_STATE_DARK)
                                        .clearReason()
                                        .clearNativeText());
                        if (operation.getItemsList().stream()
                                .allMatch(i -> i.getState() == ItemState.ITEM_STATE_DARK)) {
                            operation.setOutcome(Outcome.OUTCOME_APPLIED);
                        }
                    }
                },
                new Retelling("leaves a port in use to the device to refuse", "partial/stuck-in-the-way") {
                    @Override
                    void retell(Operation.Builder operation) {
                        operation.getItemsBuilderList().stream()
                                .filter(i -> i.getState() == ItemState.ITEM_STATE_NOT_ATTEMPTED)
                                .forEach(i -> i.setState(ItemState.ITEM_STATE_FAILED)
                                        .setReason(ItemReason.ITEM_REASON_PORT_IN_USE)
                                        .setStartedAt(operation.getFinishedAt())
                                        .setFinishedAt(operation.getFinishedAt()));
                    }
                },
                new Retelling("connects what a failed disconnect has not freed", "partial/stuck-in-the-way") {
                    @Override
                    void retell(Operation.Builder operation) {
                        operation.getItemsBuilderList().stream()
                                .filter(i -> i.getState() == ItemState.ITEM_STATE_NOT_ATTEMPTED)
                                .forEach(i -> {
                                    i.setState(ItemState.ITEM_STATE_CONNECTED).clearReason();
                                    operation.setOutcome(Outcome.OUTCOME_PARTIAL);
                                });
                    }
                },
                new Mutant("goes on after a failed disconnect, all or nothing", "partial/stuck-all-or-nothing") {
                    @Override
                    ApplyCircuitsResponse apply(ApplyCircuitsRequest request) {
                        ApplyCircuitsResponse told = super.apply(request);
                        if (request.getAtomicity() != Atomicity.ATOMICITY_ALL_OR_NOTHING
                                || !isBreakFailed(told.getOperation().getItemsList())) {
                            return told;
                        }
                        ApplyCircuitsResponse.Builder all = super.apply(request.toBuilder()
                                        .setOperationId(request.getOperationId() + "-all")
                                        .clearAtomicity()
                                        .build())
                                .toBuilder();
                        all.getOperationBuilder().setOperationId(request.getOperationId());
                        return all.build();
                    }
                });
    }
}
