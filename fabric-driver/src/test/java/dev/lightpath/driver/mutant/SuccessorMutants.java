package dev.lightpath.driver.mutant;

import dev.lightpath.proto.driver.v1alpha1.ApplyCircuitsRequest;
import dev.lightpath.proto.driver.v1alpha1.ApplyCircuitsResponse;
import dev.lightpath.proto.driver.v1alpha1.CancelOperationRequest;
import dev.lightpath.proto.driver.v1alpha1.CancelOperationResponse;
import dev.lightpath.proto.driver.v1alpha1.ConfirmOperationRequest;
import dev.lightpath.proto.driver.v1alpha1.ConfirmOperationResponse;
import dev.lightpath.proto.driver.v1alpha1.Fencing;
import dev.lightpath.proto.driver.v1alpha1.GetOperationRequest;
import dev.lightpath.proto.driver.v1alpha1.Operation;
import dev.lightpath.proto.driver.v1alpha1.Outcome;
import io.grpc.StatusRuntimeException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/** A predecessor's operation that still runs or waits, asked for by somebody else. */
final class SuccessorMutants {
    private SuccessorMutants() {}

    /** Does for whoever knows its name what only the role and epoch may do that are the highest. */
    private abstract static class Familiar extends Mutant {
        private final Map<String, Fencing> known = new ConcurrentHashMap<>();

        Familiar(String bug) {
            super(bug, "confirmation/fenced");
        }

        @Override
        ApplyCircuitsResponse apply(ApplyCircuitsRequest request) {
            ApplyCircuitsResponse answer = super.apply(request);
            known.put(request.getOperationId(), request.getFencing());
            return answer;
        }

        final Fencing as(String operationId, Fencing asked, StatusRuntimeException refusal, String reason) {
            Fencing of = known.get(operationId);
            if (of == null || !Answers.isFor(refusal, reason)) {
                throw refusal;
            }
            return of;
        }

        final ConfirmOperationResponse confirm(ConfirmOperationRequest request, String reason) {
            try {
                return super.confirm(request);
            } catch (StatusRuntimeException e) {
                return super.confirm(request.toBuilder()
                        .setFencing(as(request.getOperationId(), request.getFencing(), e, reason))
                        .build());
            }
        }

        final CancelOperationResponse cancel(CancelOperationRequest request, String reason) {
            try {
                return super.cancel(request);
            } catch (StatusRuntimeException e) {
                return super.cancel(request.toBuilder()
                        .setFencing(as(request.getOperationId(), request.getFencing(), e, reason))
                        .build());
            }
        }
    }

    static List<Mutant> all() {
        return List.of(
                new Mutant(
                        "looks an id up when a change comes, and not in its turn",
                        "idempotency/successor-repeats-at-once") {
                    private final Set<String> done = ConcurrentHashMap.newKeySet();
                    private final Set<String> begun = ConcurrentHashMap.newKeySet();

                    @Override
                    ApplyCircuitsResponse apply(ApplyCircuitsRequest request) {
                        String id = request.getOperationId();
                        if (!isRestarted() && !done.contains(id) && !begun.add(id)) {
                            ApplyCircuitsResponse.Builder again = super.apply(request.toBuilder()
                                            .setOperationId(UUID.randomUUID().toString())
                                            .build())
                                    .toBuilder();
                            again.getOperationBuilder().setOperationId(id);
                            return again.build();
                        }
                        ApplyCircuitsResponse answer = super.apply(request);
                        done.add(id);
                        return answer;
                    }
                },
                new Mutant(
                        "looks for a running operation before it looks at the epoch",
                        "idempotency/successor-repeats-at-once") {
                    @Override
                    ApplyCircuitsResponse apply(ApplyCircuitsRequest request) {
                        try {
                            return super.apply(request);
                        } catch (StatusRuntimeException e) {
                            if (Answers.isFor(e, "STALE_EPOCH")) {
                                Operation running = running(request, e);
                                return ApplyCircuitsResponse.newBuilder()
                                        .setOperation(running)
                                        .setReplayed(true)
                                        .build();
                            }
                            throw e;
                        }
                    }

                    private Operation running(ApplyCircuitsRequest request, StatusRuntimeException refusal) {
                        Operation known;
                        try {
                            known = operation(GetOperationRequest.newBuilder()
                                            .setDeviceId(request.getDeviceId())
                                            .setRole(request.getFencing().getRole())
                                            .setOperationId(request.getOperationId())
                                            .build())
                                    .getOperation();
                        } catch (StatusRuntimeException unknown) {
                            throw refusal;
                        }
                        if (known.getOutcome() != Outcome.OUTCOME_IN_PROGRESS) {
                            throw refusal;
                        }
                        return known;
                    }
                },
                new Familiar("confirms what it knows for an epoch of the past") {
                    @Override
                    ConfirmOperationResponse confirm(ConfirmOperationRequest request) {
                        return confirm(request, "STALE_EPOCH");
                    }
                },
                new Familiar("cancels what it knows for an epoch of the past") {
                    @Override
                    CancelOperationResponse cancel(CancelOperationRequest request) {
                        return cancel(request, "STALE_EPOCH");
                    }
                },
                new Familiar("confirms what it knows for any role") {
                    @Override
                    ConfirmOperationResponse confirm(ConfirmOperationRequest request) {
                        return confirm(request, "FOREIGN_ROLE");
                    }
                },
                new Familiar("cancels what it knows for any role") {
                    @Override
                    CancelOperationResponse cancel(CancelOperationRequest request) {
                        return cancel(request, "FOREIGN_ROLE");
                    }
                });
    }
}
