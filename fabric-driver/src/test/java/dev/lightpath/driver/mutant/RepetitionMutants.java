package dev.lightpath.driver.mutant;

import dev.lightpath.proto.driver.v1alpha1.ApplyCircuitsRequest;
import dev.lightpath.proto.driver.v1alpha1.ApplyCircuitsResponse;
import dev.lightpath.proto.driver.v1alpha1.ConflictPolicy;
import dev.lightpath.proto.driver.v1alpha1.DeviceScope;
import dev.lightpath.proto.driver.v1alpha1.GetCircuitsRequest;
import dev.lightpath.proto.driver.v1alpha1.GetCircuitsResponse;
import dev.lightpath.proto.driver.v1alpha1.Outcome;
import dev.lightpath.proto.driver.v1alpha1.TransferScopeRequest;
import dev.lightpath.proto.driver.v1alpha1.TransferScopeResponse;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;

/** Repetitions, epochs of the same number and other roles gone wrong. */
final class RepetitionMutants {
    private RepetitionMutants() {}

    static List<Mutant> all() {
        return List.of(
                new Mutant(
                        "compares the expected digest before it looks for the operation",
                        "idempotency/repetition-of-the-past") {
                    @Override
                    ApplyCircuitsResponse apply(ApplyCircuitsRequest request) {
                        String shown = driver().getCircuits(GetCircuitsRequest.newBuilder()
                                        .addDevices(DeviceScope.newBuilder()
                                                .setDeviceId(request.getDeviceId())
                                                .setScope(request.getScope()))
                                        .build())
                                .getDevices(0)
                                .getObservedDigest();
                        if (!request.getExpectedObservedDigest().isEmpty()
                                && !request.getExpectedObservedDigest().equals(shown)) {
                            throw Answers.refused(Status.Code.FAILED_PRECONDITION, "DIGEST_DIFFERS");
                        }
                        return super.apply(request);
                    }
                },
                new Mutant("says replayed of everything", "idempotency/same-operation-twice") {
                    @Override
                    ApplyCircuitsResponse apply(ApplyCircuitsRequest request) {
                        return super.apply(request).toBuilder()
                                .setReplayed(true)
                                .build();
                    }
                },
                new Mutant("carries out both of two equal requests at once", "idempotency/same-operation-at-once") {
                    private final Map<String, Integer> asked = new ConcurrentHashMap<>();

                    @Override
                    ApplyCircuitsResponse apply(ApplyCircuitsRequest request) {
                        if (asked.merge(request.getOperationId(), 1, Integer::sum) != 2) {
                            return super.apply(request);
                        }
                        while (true) {
                            try {
                                return super.apply(request.toBuilder()
                                        .setOperationId(UUID.randomUUID().toString())
                                        .build());
                            } catch (StatusRuntimeException e) {
                                if (!Answers.isFor(e, "OPERATION_IN_FLIGHT")) {
                                    throw e;
                                }
                                LockSupport.parkNanos(5_000_000);
                            }
                        }
                    }
                },
                new Mutant("does not count the generation as content", "idempotency/other-content") {
                    @Override
                    ApplyCircuitsResponse apply(ApplyCircuitsRequest request) {
                        return super.apply(
                                request.toBuilder().clearDesiredGeneration().build());
                    }
                },
                new Mutant("does not count the expected digest as content", "idempotency/other-content") {
                    @Override
                    ApplyCircuitsResponse apply(ApplyCircuitsRequest request) {
                        return super.apply(request.toBuilder()
                                .clearExpectedObservedDigest()
                                .build());
                    }
                },
                new Mutant("does not look at the holder", "fencing/one-holder") {
                    @Override
                    ApplyCircuitsResponse apply(ApplyCircuitsRequest request) {
                        ApplyCircuitsRequest.Builder nameless = request.toBuilder();
                        nameless.getFencingBuilder().setHolder("somebody");
                        return super.apply(nameless.build());
                    }
                },
                new Mutant("answers repetitions before it looks at the epoch", "fencing/repetition") {
                    private final Map<String, ApplyCircuitsResponse> known = new ConcurrentHashMap<>();

                    @Override
                    ApplyCircuitsResponse apply(ApplyCircuitsRequest request) {
                        ApplyCircuitsResponse before = known.get(key(request));
                        if (before != null) {
                            return before.toBuilder().setReplayed(true).build();
                        }
                        ApplyCircuitsResponse answer = super.apply(request);
                        known.put(key(request), answer);
                        return answer;
                    }

                    private static String key(ApplyCircuitsRequest request) {
                        return request.getFencing().getRole() + " " + request.getOperationId();
                    }
                },
                new Mutant("does not read the scope of an empty change", "fencing/empty-change-raises") {
                    @Override
                    ApplyCircuitsResponse apply(ApplyCircuitsRequest request) {
                        ApplyCircuitsResponse.Builder answer = super.apply(request).toBuilder();
                        if (answer.getOperation().getItemsCount() == 0) {
                            answer.getOperationBuilder().clearObservedDigest();
                        }
                        return answer.build();
                    }
                },
                new Mutant("compares no digest for an empty change", "compare-and-set/other-state") {
                    @Override
                    ApplyCircuitsResponse apply(ApplyCircuitsRequest request) {
                        return super.apply(
                                request.getConnectsCount() + request.getDisconnectsCount() == 0
                                        ? request.toBuilder()
                                                .clearExpectedObservedDigest()
                                                .build()
                                        : request);
                    }
                },
                new Mutant("takes another role's operation id for its own", "roles/ids-of-their-own") {
                    private final Map<String, ApplyCircuitsResponse> known = new ConcurrentHashMap<>();

                    @Override
                    ApplyCircuitsResponse apply(ApplyCircuitsRequest request) {
                        ApplyCircuitsResponse before = known.get(request.getOperationId());
                        if (before != null
                                && !before.getOperation()
                                        .getFencing()
                                        .getRole()
                                        .equals(request.getFencing().getRole())) {
                            fenced(request);
                            return before.toBuilder().setReplayed(true).build();
                        }
                        ApplyCircuitsResponse answer = super.apply(request);
                        known.put(request.getOperationId(), answer);
                        return answer;
                    }

                    private void fenced(ApplyCircuitsRequest request) {
                        var unused = driver().applyCircuits(ApplyCircuitsRequest.newBuilder()
                                .setDeviceId(request.getDeviceId())
                                .setFencing(request.getFencing())
                                .setOperationId(request.getOperationId())
                                .setScope(request.getScope())
                                .setValidateOnly(true)
                                .build());
                    }
                },
                new Mutant("breaks other roles' circuits by UPDATE", "roles/update-spares-others") {
                    @Override
                    ApplyCircuitsResponse apply(ApplyCircuitsRequest request) {
                        return super.apply(
                                request.getConflictPolicy() == ConflictPolicy.CONFLICT_POLICY_UPDATE
                                        ? request.toBuilder()
                                                .setConflictPolicy(ConflictPolicy.CONFLICT_POLICY_OVERWRITE)
                                                .build()
                                        : request);
                    }
                },
                new Mutant("gives the circuits away with the device", "roles/transfer") {
                    @Override
                    GetCircuitsResponse circuits(GetCircuitsRequest request) {
                        GetCircuitsResponse.Builder answer = super.circuits(request).toBuilder();
                        answer.getDevicesBuilderList()
                                .forEach(d -> d.getCircuitsBuilderList().forEach(c -> c.setRole(d.getHoldingRole())));
                        return answer.build();
                    }
                },
                new Mutant("gives a device to nobody", "roles/transfer-from-another") {
                    @Override
                    TransferScopeResponse transfer(TransferScopeRequest request) {
                        return request.getToRole().isEmpty()
                                ? TransferScopeResponse.getDefaultInstance()
                                : super.transfer(request);
                    }
                },
                new Mutant("forgets the epoch of a refused change when it restarts", "crash/epoch-of-a-refusal") {
                    private long carriedOut;

                    @Override
                    ApplyCircuitsResponse apply(ApplyCircuitsRequest request) {
                        ApplyCircuitsResponse answer = super.apply(request);
                        carriedOut = request.getFencing().getEpoch();
                        return answer;
                    }

                    @Override
                    GetCircuitsResponse circuits(GetCircuitsRequest request) {
                        GetCircuitsResponse.Builder answer = super.circuits(request).toBuilder();
                        if (isRestarted()) {
                            answer.getDevicesBuilderList().forEach(d -> d.setHighestEpoch(carriedOut));
                        }
                        return answer.build();
                    }
                },
                new Mutant("forgets a transfer when it restarts", "crash/transfer") {
                    private String before = "";

                    @Override
                    TransferScopeResponse transfer(TransferScopeRequest request) {
                        before = request.getFromRole();
                        return super.transfer(request);
                    }

                    @Override
                    GetCircuitsResponse circuits(GetCircuitsRequest request) {
                        GetCircuitsResponse.Builder answer = super.circuits(request).toBuilder();
                        if (isRestarted()) {
                            answer.getDevicesBuilderList().forEach(d -> d.setHoldingRole(before));
                        }
                        return answer.build();
                    }
                },
                new Mutant("tries an operation again that failed in part", "partial/same-operation-twice") {
                    private final Map<String, Outcome> ended = new ConcurrentHashMap<>();

                    @Override
                    ApplyCircuitsResponse apply(ApplyCircuitsRequest request) {
                        boolean failed = ended.get(request.getOperationId()) == Outcome.OUTCOME_PARTIAL;
                        ApplyCircuitsResponse answer = super.apply(
                                failed
                                        ? request.toBuilder()
                                                .setOperationId(
                                                        UUID.randomUUID().toString())
                                                .build()
                                        : request);
                        ended.put(
                                request.getOperationId(), answer.getOperation().getOutcome());
                        return answer;
                    }
                });
    }
}
