package dev.lightpath.driver.mutant;

import dev.lightpath.proto.driver.v1alpha1.ApplyCircuitsRequest;
import dev.lightpath.proto.driver.v1alpha1.ApplyCircuitsResponse;
import dev.lightpath.proto.driver.v1alpha1.CancelOperationRequest;
import dev.lightpath.proto.driver.v1alpha1.CancelOperationResponse;
import dev.lightpath.proto.driver.v1alpha1.ConfirmOperationRequest;
import dev.lightpath.proto.driver.v1alpha1.Fencing;
import dev.lightpath.proto.driver.v1alpha1.PortOverride;
import dev.lightpath.proto.driver.v1alpha1.SetPortOverrideRequest;
import dev.lightpath.proto.driver.v1alpha1.SetPortOverrideResponse;
import dev.lightpath.proto.driver.v1alpha1.TransferScopeRequest;
import dev.lightpath.proto.driver.v1alpha1.TransferScopeResponse;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

/** Epochs, roles, confirmations and overrides gone wrong. */
final class FencingMutants {
    private FencingMutants() {}

    /** Lets lower epochs through. */
    private abstract static class Epochless extends Mutant {
        private long highest;

        Epochless(String bug, String requirement) {
            super(bug, requirement);
        }

        abstract boolean lets(ApplyCircuitsRequest request);

        @Override
        ApplyCircuitsResponse apply(ApplyCircuitsRequest request) {
            highest = Math.max(highest, request.getFencing().getEpoch());
            ApplyCircuitsRequest.Builder raised = request.toBuilder();
            if (request.getFencing().getEpoch() != highest && lets(request)) {
                // an epoch has one holder, but a name that is empty is not compared
                raised.getFencingBuilder().setEpoch(highest).clearHolder();
            }
            return super.apply(raised.build());
        }
    }

    static List<Mutant> all() {
        return List.of(
                new Epochless("lets any epoch write", "fencing/lower-epoch") {
                    @Override
                    boolean lets(ApplyCircuitsRequest request) {
                        return true;
                    }
                },
                new Epochless("forgets epochs when it restarts", "crash/old-epoch") {
                    @Override
                    boolean lets(ApplyCircuitsRequest request) {
                        return isRestarted();
                    }
                },
                new Epochless("does not fence validations", "fencing/validation-raises-nothing") {
                    @Override
                    boolean lets(ApplyCircuitsRequest request) {
                        return request.getValidateOnly();
                    }
                },
                new Mutant("raises no epoch by an empty change", "fencing/empty-change-raises") {
                    @Override
                    ApplyCircuitsResponse apply(ApplyCircuitsRequest request) {
                        return request.getConnectsCount() + request.getDisconnectsCount() == 0
                                ? Answers.applied(request)
                                : super.apply(request);
                    }
                },
                new Mutant("does not fence overrides", "fencing/every-write") {
                    @Override
                    SetPortOverrideResponse override(SetPortOverrideRequest request) {
                        SetPortOverrideRequest.Builder raised = request.toBuilder();
                        raised.getFencingBuilder().setEpoch(request.getFencing().getEpoch() + 1);
                        return super.override(raised.build());
                    }
                },
                new Mutant("does not fence cancellations", "fencing/every-write") {
                    @Override
                    CancelOperationResponse cancel(CancelOperationRequest request) {
                        CancelOperationRequest.Builder raised = request.toBuilder();
                        raised.getFencingBuilder().setEpoch(request.getFencing().getEpoch() + 1);
                        return super.cancel(raised.build());
                    }
                },
                new Mutant("checks the epoch of an override and forgets it", "fencing/every-write-raises") {
                    @Override
                    SetPortOverrideResponse override(SetPortOverrideRequest request) {
                        SetPortOverrideRequest.Builder lowered = request.toBuilder();
                        lowered.getFencingBuilder()
                                .setEpoch(request.getFencing().getEpoch() - 1);
                        return super.override(lowered.build());
                    }
                },
                new Mutant("takes any epoch above the stored one", "fencing/far-epoch") {
                    @Override
                    ApplyCircuitsResponse apply(ApplyCircuitsRequest request) {
                        try {
                            return super.apply(request);
                        } catch (StatusRuntimeException e) {
                            if (!Answers.isFor(e, "EPOCH_TOO_HIGH")) {
                                throw e;
                            }
                            var unused = super.transfer(TransferScopeRequest.newBuilder()
                                    .setDeviceId(request.getDeviceId())
                                    .setFromRole(request.getFencing().getRole())
                                    .setToRole(request.getFencing().getRole())
                                    .setHighestEpoch(request.getFencing().getEpoch())
                                    .build());
                            return super.apply(request);
                        }
                    }
                },
                new Mutant("sets no epoch by a transfer", "fencing/epoch-by-transfer") {
                    @Override
                    TransferScopeResponse transfer(TransferScopeRequest request) {
                        return super.transfer(
                                request.toBuilder().clearHighestEpoch().build());
                    }
                },
                new Mutant("keeps 32 bits of an epoch", "roles/wide-epochs") {
                    @Override
                    ApplyCircuitsResponse apply(ApplyCircuitsRequest request) {
                        ApplyCircuitsRequest.Builder cut = request.toBuilder();
                        cut.getFencingBuilder()
                                .setEpoch(Math.max(1, request.getFencing().getEpoch() & 0xffffffffL));
                        return super.apply(cut.build());
                    }
                },
                new Mutant("lets any role set overrides", "roles/every-write") {
                    private Fencing holder = Fencing.getDefaultInstance();

                    @Override
                    ApplyCircuitsResponse apply(ApplyCircuitsRequest request) {
                        holder = request.getFencing();
                        return super.apply(request);
                    }

                    @Override
                    SetPortOverrideResponse override(SetPortOverrideRequest request) {
                        return super.override(
                                request.toBuilder().setFencing(holder).build());
                    }
                },
                new Mutant("lets any role write", "roles/another-role") {
                    private String first = "";

                    @Override
                    ApplyCircuitsResponse apply(ApplyCircuitsRequest request) {
                        first = first.isEmpty() ? request.getFencing().getRole() : first;
                        ApplyCircuitsRequest.Builder renamed = request.toBuilder();
                        renamed.getFencingBuilder().setRole(first);
                        return super.apply(renamed.build());
                    }
                },
                new Mutant("counts epochs anew after a transfer", "roles/epochs-of-their-own") {
                    @Override
                    TransferScopeResponse transfer(TransferScopeRequest request) {
                        return super.transfer(request).toBuilder()
                                .setHighestEpoch(0)
                                .build();
                    }
                },
                new Mutant("gives a device away in the name of any role", "roles/transfer-from-another") {
                    private String holding = "lightpath-conformance";

                    @Override
                    TransferScopeResponse transfer(TransferScopeRequest request) {
                        TransferScopeResponse given = super.transfer(
                                request.toBuilder().setFromRole(holding).build());
                        holding = given.getHoldingRole();
                        return given;
                    }
                },
                new Mutant("never rolls back what is not confirmed", "confirmation/too-late") {
                    @Override
                    ApplyCircuitsResponse apply(ApplyCircuitsRequest request) {
                        return super.apply(
                                request.toBuilder().clearRollbackAfter().build());
                    }
                },
                new Mutant("forgets what awaits a confirmation when it restarts", "crash/unconfirmed") {
                    @Override
                    ApplyCircuitsResponse apply(ApplyCircuitsRequest request) {
                        ApplyCircuitsRequest.Builder later = request.toBuilder();
                        if (request.hasRollbackAfter()) {
                            later.getRollbackAfterBuilder().setSeconds(3600).setNanos(0);
                        }
                        return super.apply(later.build());
                    }
                },
                new Mutant("confirms what a lower epoch left unconfirmed", "confirmation/higher-epoch") {
                    private final List<ApplyCircuitsRequest> unconfirmed = new ArrayList<>();

                    @Override
                    ApplyCircuitsResponse apply(ApplyCircuitsRequest request) {
                        unconfirmed.forEach(waiting -> super.confirm(ConfirmOperationRequest.newBuilder()
                                .setDeviceId(waiting.getDeviceId())
                                .setFencing(waiting.getFencing())
                                .setOperationId(waiting.getOperationId())
                                .build()));
                        unconfirmed.clear();
                        if (request.hasRollbackAfter()) {
                            unconfirmed.add(request);
                        }
                        return super.apply(request);
                    }
                },
                new Mutant("refuses to cancel twice", "confirmation/cancel") {
                    private final Set<String> cancelled = new HashSet<>();

                    @Override
                    CancelOperationResponse cancel(CancelOperationRequest request) {
                        if (!cancelled.add(request.getOperationId())) {
                            throw Answers.refused(Status.Code.FAILED_PRECONDITION, "NOT_PENDING");
                        }
                        return super.cancel(request);
                    }
                },
                new Mutant("stores no override", "override/no-new-circuit") {
                    @Override
                    SetPortOverrideResponse override(SetPortOverrideRequest request) {
                        return SetPortOverrideResponse.newBuilder()
                                .setOverride(request.getOverride())
                                .build();
                    }
                },
                new Mutant("forgets overrides when it restarts", "crash/remembers-overrides") {
                    private final List<SetPortOverrideRequest> known = new ArrayList<>();

                    @Override
                    SetPortOverrideResponse override(SetPortOverrideRequest request) {
                        known.add(request);
                        return super.override(request);
                    }

                    @Override
                    ApplyCircuitsResponse apply(ApplyCircuitsRequest request) {
                        if (isRestarted()) {
                            known.forEach(o -> super.override(o.toBuilder()
                                    .setFencing(request.getFencing())
                                    .setOverride(PortOverride.PORT_OVERRIDE_NONE)
                                    .build()));
                        }
                        return super.apply(request);
                    }
                },
                new Mutant("aborts a higher epoch instead of waiting", "operations/higher-epoch-waits") {
                    private final AtomicInteger running = new AtomicInteger();

                    @Override
                    ApplyCircuitsResponse apply(ApplyCircuitsRequest request) {
                        try {
                            if (running.incrementAndGet() > 1) {
                                throw Answers.refused(Status.Code.ABORTED, "OPERATION_IN_FLIGHT");
                            }
                            return super.apply(request);
                        } finally {
                            running.decrementAndGet();
                        }
                    }
                });
    }
}
