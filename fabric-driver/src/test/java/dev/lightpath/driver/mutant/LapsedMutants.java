package dev.lightpath.driver.mutant;

import dev.lightpath.proto.driver.v1alpha1.ApplyCircuitsRequest;
import dev.lightpath.proto.driver.v1alpha1.ApplyCircuitsResponse;
import dev.lightpath.proto.driver.v1alpha1.CancelOperationRequest;
import dev.lightpath.proto.driver.v1alpha1.CancelOperationResponse;
import dev.lightpath.proto.driver.v1alpha1.ConfirmOperationRequest;
import dev.lightpath.proto.driver.v1alpha1.ConfirmOperationResponse;
import io.grpc.StatusRuntimeException;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;

/** Timers that run on when nobody awaits a confirmation any more. */
final class LapsedMutants {
    private LapsedMutants() {}

    /** Breaks the circuits of an operation when the time for its confirmation is over. */
    private abstract static class Timed extends Mutant {
        private final Map<String, ApplyCircuitsRequest> pending = new ConcurrentHashMap<>();

        Timed(String bug) {
            super(bug, "confirmation/lapsed");
        }

        @Override
        ApplyCircuitsResponse apply(ApplyCircuitsRequest request) {
            if (request.hasRollbackAfter()) {
                pending.put(request.getOperationId(), request);
            }
            return super.apply(request);
        }

        final void forgetToStop(String operationId) {
            ApplyCircuitsRequest made = pending.remove(operationId);
            if (made == null || made.getRollbackAfter().getSeconds() > 60) {
                return;
            }
            Thread.startVirtualThread(() -> {
                LockSupport.parkNanos(made.getRollbackAfter().getSeconds() * 1_000_000_000L
                        + made.getRollbackAfter().getNanos());
                try {
                    var unused = super.apply(made.toBuilder()
                            .setOperationId(made.getOperationId() + "-undone")
                            .clearRollbackAfter()
                            .clearConnects()
                            .clearDisconnects()
                            .addAllDisconnects(made.getConnectsList())
                            .addAllConnects(made.getDisconnectsList())
                            .build());
                } catch (StatusRuntimeException tooLate) {
                    // the run is over
                }
            });
        }
    }

    static List<Mutant> all() {
        return List.of(
                new Timed("puts back in time what was confirmed") {
                    @Override
                    ConfirmOperationResponse confirm(ConfirmOperationRequest request) {
                        ConfirmOperationResponse confirmed = super.confirm(request);
                        forgetToStop(request.getOperationId());
                        return confirmed;
                    }
                },
                new Timed("puts back once more in time what was cancelled") {
                    @Override
                    CancelOperationResponse cancel(CancelOperationRequest request) {
                        CancelOperationResponse cancelled = super.cancel(request);
                        forgetToStop(request.getOperationId());
                        return cancelled;
                    }
                },
                new Mutant(
                        "breaks again in time what a higher epoch rolled back",
                        "confirmation/lapsed-of-a-lower-epoch") {
                    private ApplyCircuitsRequest pending = ApplyCircuitsRequest.getDefaultInstance();

                    @Override
                    ApplyCircuitsResponse apply(ApplyCircuitsRequest request) {
                        ApplyCircuitsRequest before = pending;
                        pending = ApplyCircuitsRequest.getDefaultInstance();
                        if (request.hasRollbackAfter()) {
                            pending = request;
                        } else if (before.getFencing().getEpoch()
                                        < request.getFencing().getEpoch()
                                && before.getRollbackAfter().getSeconds() < 60
                                && before.hasRollbackAfter()) {
                            Thread.startVirtualThread(() -> undo(before, request));
                        }
                        return super.apply(request);
                    }

                    private void undo(ApplyCircuitsRequest made, ApplyCircuitsRequest later) {
                        LockSupport.parkNanos(made.getRollbackAfter().getSeconds() * 1_000_000_000L);
                        try {
                            var unused = super.apply(made.toBuilder()
                                    .setFencing(later.getFencing())
                                    .setOperationId(UUID.randomUUID().toString())
                                    .clearRollbackAfter()
                                    .clearConnects()
                                    .clearDisconnects()
                                    .addAllDisconnects(made.getConnectsList())
                                    .addAllConnects(made.getDisconnectsList())
                                    .build());
                        } catch (StatusRuntimeException tooLate) {
                            // the run is over
                        }
                    }
                });
    }
}
