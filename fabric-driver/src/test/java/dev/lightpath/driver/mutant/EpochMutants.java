package dev.lightpath.driver.mutant;

import com.google.protobuf.Timestamp;
import dev.lightpath.proto.driver.v1alpha1.ApplyCircuitsRequest;
import dev.lightpath.proto.driver.v1alpha1.ApplyCircuitsResponse;
import dev.lightpath.proto.driver.v1alpha1.ConfirmOperationRequest;
import dev.lightpath.proto.driver.v1alpha1.ConfirmOperationResponse;
import dev.lightpath.proto.driver.v1alpha1.Device;
import dev.lightpath.proto.driver.v1alpha1.GetCircuitsRequest;
import dev.lightpath.proto.driver.v1alpha1.GetCircuitsResponse;
import dev.lightpath.proto.driver.v1alpha1.GetDriverInfoRequest;
import dev.lightpath.proto.driver.v1alpha1.GetDriverInfoResponse;
import dev.lightpath.proto.driver.v1alpha1.GetOperationRequest;
import dev.lightpath.proto.driver.v1alpha1.GetOperationResponse;
import dev.lightpath.proto.driver.v1alpha1.ListDevicesRequest;
import dev.lightpath.proto.driver.v1alpha1.ListDevicesResponse;
import dev.lightpath.proto.driver.v1alpha1.PlanCircuitsRequest;
import dev.lightpath.proto.driver.v1alpha1.PlanCircuitsResponse;
import dev.lightpath.proto.driver.v1alpha1.SetPortOverrideRequest;
import dev.lightpath.proto.driver.v1alpha1.SetPortOverrideResponse;
import dev.lightpath.proto.driver.v1alpha1.TransferScopeRequest;
import dev.lightpath.proto.driver.v1alpha1.TransferScopeResponse;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/** Who writes, since when and where, gone wrong. */
final class EpochMutants {
    private EpochMutants() {}

    static List<Mutant> all() {
        return List.of(
                new Mutant("names the first holder it knew", "fencing/lower-epoch") {
                    @Override
                    StatusRuntimeException refusal(StatusRuntimeException refusal) {
                        return Answers.isFor(refusal, "STALE_EPOCH")
                                ? ofHolder(refusal, "lightpath-driver-conformance")
                                : refusal;
                    }
                },
                new Mutant("compares states before epochs", "fencing/lower-epoch") {
                    @Override
                    ApplyCircuitsResponse apply(ApplyCircuitsRequest request) {
                        try {
                            return super.apply(request);
                        } catch (StatusRuntimeException e) {
                            if (Answers.isFor(e, "STALE_EPOCH")
                                    && !request.getExpectedObservedDigest().isEmpty()) {
                                throw Answers.refused(Status.Code.FAILED_PRECONDITION, "DIGEST_DIFFERS");
                            }
                            throw e;
                        }
                    }
                },
                new Mutant("says that who repeats an operation has asked for it", "fencing/repetition") {
                    @Override
                    ApplyCircuitsResponse apply(ApplyCircuitsRequest request) {
                        ApplyCircuitsResponse.Builder told = super.apply(request).toBuilder();
                        if (told.getReplayed()) {
                            told.getOperationBuilder().setFencing(request.getFencing());
                        }
                        return told.build();
                    }
                },
                new Mutant("refuses a stale override without saying the epoch", "fencing/every-write") {
                    @Override
                    SetPortOverrideResponse override(SetPortOverrideRequest request) {
                        try {
                            return super.override(request);
                        } catch (StatusRuntimeException e) {
                            if (Answers.isFor(e, "STALE_EPOCH")) {
                                throw Answers.refused(Status.Code.PERMISSION_DENIED, "STALE_EPOCH");
                            }
                            throw e;
                        }
                    }
                },
                new Mutant("validates for any role", "fencing/validation-raises-nothing") {
                    @Override
                    ApplyCircuitsResponse apply(ApplyCircuitsRequest request) {
                        try {
                            return super.apply(request);
                        } catch (StatusRuntimeException e) {
                            if (Answers.isFor(e, "FOREIGN_ROLE") && request.getValidateOnly()) {
                                return Answers.applied(request);
                            }
                            throw e;
                        }
                    }
                },
                new Mutant("plans for the holder alone", "fencing/reads-are-free") {
                    @Override
                    PlanCircuitsResponse plan(PlanCircuitsRequest request) {
                        if (request.getRole().endsWith("-other")) {
                            throw Answers.refused(Status.Code.PERMISSION_DENIED, "FOREIGN_ROLE");
                        }
                        return super.plan(request);
                    }
                },
                new Mutant("takes nobody for whoever holds the device", "roles/transfer-from-another") {
                    @Override
                    TransferScopeResponse transfer(TransferScopeRequest request) {
                        return super.transfer(
                                request.getFromRole().isEmpty()
                                        ? request.toBuilder()
                                                .setFromRole("lightpath-conformance")
                                                .build()
                                        : request);
                    }
                },
                new Mutant("has started once and for all", "crash/identity") {
                    private Timestamp first = Timestamp.getDefaultInstance();

                    @Override
                    GetDriverInfoResponse info(GetDriverInfoRequest request, GetDriverInfoResponse answer) {
                        first = first.getSeconds() == 0 ? answer.getStartedAt() : first;
                        return answer.toBuilder().setStartedAt(first).build();
                    }
                },
                new Mutant("forgets the name of a holder when it restarts", "crash/old-epoch") {
                    @Override
                    StatusRuntimeException refusal(StatusRuntimeException refusal) {
                        return isRestarted() && Answers.isFor(refusal, "STALE_EPOCH") ? ofHolder(refusal, "") : refusal;
                    }
                },
                new Mutant(
                        "forgets the epoch of a confirmation of nothing when it restarts", "crash/epoch-of-a-refusal") {
                    private long confirming;

                    @Override
                    ConfirmOperationResponse confirm(ConfirmOperationRequest request) {
                        confirming = request.getFencing().getEpoch();
                        return super.confirm(request);
                    }

                    @Override
                    GetCircuitsResponse circuits(GetCircuitsRequest request) {
                        GetCircuitsResponse.Builder told = super.circuits(request).toBuilder();
                        told.getDevicesBuilderList().stream()
                                .filter(d -> d.getHighestEpoch() == confirming)
                                .forEach(d -> d.setHighestEpoch(confirming - 1));
                        return told.build();
                    }
                },
                new Mutant("remembers a transfer when the new role writes", "crash/transfer") {
                    private String before = "";

                    @Override
                    TransferScopeResponse transfer(TransferScopeRequest request) {
                        before = request.getFromRole();
                        return super.transfer(request);
                    }

                    @Override
                    ApplyCircuitsResponse apply(ApplyCircuitsRequest request) {
                        before = "";
                        return super.apply(request);
                    }

                    @Override
                    GetCircuitsResponse circuits(GetCircuitsRequest request) {
                        GetCircuitsResponse.Builder told = super.circuits(request).toBuilder();
                        if (isRestarted() && !before.isEmpty()) {
                            told.getDevicesBuilderList().forEach(d -> d.setHoldingRole(before));
                        }
                        return told.build();
                    }
                },
                new Mutant("keeps an epoch as a floating-point number", "crash/wide-epochs") {
                    @Override
                    GetCircuitsResponse circuits(GetCircuitsRequest request) {
                        GetCircuitsResponse.Builder told = super.circuits(request).toBuilder();
                        if (isRestarted()) {
                            told.getDevicesBuilderList().forEach(d -> d.setHighestEpoch(d.getHighestEpoch() & -2048));
                        }
                        return told.build();
                    }
                },
                new Mutant("takes an override of no epoch for a stale one", "limits/fencing") {
                    @Override
                    SetPortOverrideResponse override(SetPortOverrideRequest request) {
                        if (request.getFencing().getEpoch() == 0) {
                            throw Answers.refused(Status.Code.PERMISSION_DENIED, "STALE_EPOCH");
                        }
                        return super.override(request);
                    }
                },
                new Mutant("raises an epoch when the change no longer waits", "operations/waiting-epoch-counts") {
                    private final ReentrantLock turn = new ReentrantLock();
                    private volatile long running;

                    @Override
                    ApplyCircuitsResponse apply(ApplyCircuitsRequest request) {
                        long epoch = request.getFencing().getEpoch();
                        if (!turn.tryLock()) {
                            if (epoch <= running) {
                                throw Answers.refused(Status.Code.ABORTED, "OPERATION_IN_FLIGHT");
                            }
                            turn.lock();
                        }
                        try {
                            running = epoch;
                            return super.apply(request);
                        } finally {
                            turn.unlock();
                        }
                    }
                },
                new Mutant("compares epochs when a change comes, and not when its turn does", "operations/overtaken") {
                    private final ReentrantLock turn = new ReentrantLock(true);
                    private volatile long running;
                    private volatile long waiting;

                    @Override
                    ApplyCircuitsResponse apply(ApplyCircuitsRequest request) {
                        long epoch = request.getFencing().getEpoch();
                        if (turn.tryLock()) {
                            return inTurn(request, epoch);
                        }
                        if (epoch < waiting) {
                            throw Answers.refused(
                                    Status.Code.PERMISSION_DENIED,
                                    "STALE_EPOCH",
                                    Map.of("stored_epoch", Long.toString(waiting), "stored_holder", ""));
                        }
                        if (epoch <= running) {
                            return super.apply(request);
                        }
                        waiting = epoch;
                        turn.lock();
                        return inTurn(request, waiting);
                    }

                    private ApplyCircuitsResponse inTurn(ApplyCircuitsRequest request, long as) {
                        try {
                            running = request.getFencing().getEpoch();
                            ApplyCircuitsRequest.Builder asked = request.toBuilder();
                            asked.getFencingBuilder().setEpoch(as);
                            ApplyCircuitsResponse.Builder told = super.apply(asked.build()).toBuilder();
                            if (as != running) {
                                told.getOperationBuilder().setFencing(request.getFencing());
                            }
                            return told.build();
                        } finally {
                            turn.unlock();
                        }
                    }
                },
                new Mutant("looks an operation up on all devices", "neighbours/operations") {
                    @Override
                    GetOperationResponse operation(GetOperationRequest request) {
                        try {
                            return super.operation(request);
                        } catch (StatusRuntimeException e) {
                            if (Answers.isFor(e, "NO_SUCH_OPERATION")) {
                                return super.operation(
                                        request.toBuilder().setDeviceId("ocs-1").build());
                            }
                            throw e;
                        }
                    }
                },
                new Mutant("keeps one epoch for all devices", "neighbours/epochs") {
                    @Override
                    ListDevicesResponse devices(ListDevicesRequest request, ListDevicesResponse answer) {
                        Optional<Device> written = answer.getDevicesList().stream()
                                .filter(d -> !d.getHoldingRole().isEmpty())
                                .findFirst();
                        ListDevicesResponse.Builder same = answer.toBuilder();
                        written.ifPresent(w -> same.getDevicesBuilderList()
                                .forEach(d ->
                                        d.setHoldingRole(w.getHoldingRole()).setHighestEpoch(w.getHighestEpoch())));
                        return same.build();
                    }
                });
    }

    /** The same refusal of a stale epoch, but for who wrote the stored one. */
    private static StatusRuntimeException ofHolder(StatusRuntimeException refusal, String holder) {
        return Answers.refused(
                Status.Code.PERMISSION_DENIED,
                "STALE_EPOCH",
                Map.of("stored_epoch", Answers.detail(refusal, "stored_epoch"), "stored_holder", holder));
    }
}
