package dev.lightpath.driver.mutant;

import com.google.protobuf.Timestamp;
import dev.lightpath.proto.driver.v1alpha1.ApplyCircuitsRequest;
import dev.lightpath.proto.driver.v1alpha1.ApplyCircuitsResponse;
import dev.lightpath.proto.driver.v1alpha1.CancelOperationRequest;
import dev.lightpath.proto.driver.v1alpha1.CancelOperationResponse;
import dev.lightpath.proto.driver.v1alpha1.GetOperationRequest;
import dev.lightpath.proto.driver.v1alpha1.GetOperationResponse;
import dev.lightpath.proto.driver.v1alpha1.ItemReason;
import dev.lightpath.proto.driver.v1alpha1.Operation;
import dev.lightpath.proto.driver.v1alpha1.Outcome;
import dev.lightpath.proto.driver.v1alpha1.WatchResponse;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Drivers that go on naming a time for the confirmation of what was put back. */
final class AwaitedMutants {
    private AwaitedMutants() {}

    private static Operation.Builder awaited(Operation operation) {
        return operation.toBuilder()
                .setConfirmBefore(Timestamp.newBuilder()
                        .setSeconds(operation.getAdmittedAt().getSeconds() + 600));
    }

    static List<Mutant> all() {
        return List.of(
                new Mutant("goes on naming the time for what was cancelled", "confirmation/cancel") {
                    private final Set<String> cancelled = ConcurrentHashMap.newKeySet();

                    private Operation told(Operation operation) {
                        return operation.getOutcome() == Outcome.OUTCOME_ROLLED_BACK
                                        && cancelled.contains(operation.getOperationId())
                                ? awaited(operation).build()
                                : operation;
                    }

                    @Override
                    ApplyCircuitsResponse apply(ApplyCircuitsRequest request) {
                        ApplyCircuitsResponse answer = super.apply(request);
                        return answer.toBuilder()
                                .setOperation(told(answer.getOperation()))
                                .build();
                    }

                    @Override
                    CancelOperationResponse cancel(CancelOperationRequest request) {
                        cancelled.add(request.getOperationId());
                        return CancelOperationResponse.newBuilder()
                                .setOperation(told(super.cancel(request).getOperation()))
                                .build();
                    }

                    @Override
                    GetOperationResponse operation(GetOperationRequest request) {
                        return GetOperationResponse.newBuilder()
                                .setOperation(told(super.operation(request).getOperation()))
                                .build();
                    }

                    @Override
                    List<WatchResponse> told(WatchResponse message) {
                        WatchResponse.Builder other = message.toBuilder();
                        if (message.hasOperationChanged()) {
                            other.getOperationChangedBuilder()
                                    .setOperation(
                                            told(message.getOperationChanged().getOperation()));
                        }
                        return List.of(other.build());
                    }
                },
                new Mutant("goes on naming the time for what was put back after a restart", "crash/unconfirmed") {
                    private final Set<String> before = ConcurrentHashMap.newKeySet();

                    @Override
                    ApplyCircuitsResponse apply(ApplyCircuitsRequest request) {
                        if (!isRestarted()) {
                            before.add(request.getOperationId());
                        }
                        return super.apply(request);
                    }

                    @Override
                    GetOperationResponse operation(GetOperationRequest request) {
                        Operation told = super.operation(request).getOperation();
                        boolean lapsed = told.getItemsList().stream()
                                .anyMatch(i -> i.getReason() == ItemReason.ITEM_REASON_NOT_CONFIRMED);
                        return GetOperationResponse.newBuilder()
                                .setOperation(
                                        isRestarted() && lapsed && before.contains(told.getOperationId())
                                                ? awaited(told).build()
                                                : told)
                                .build();
                    }
                });
    }
}
