package dev.lightpath.driver.mutant;

import dev.lightpath.proto.driver.v1alpha1.ApplyCircuitsRequest;
import dev.lightpath.proto.driver.v1alpha1.ApplyCircuitsResponse;
import dev.lightpath.proto.driver.v1alpha1.ConflictPolicy;
import dev.lightpath.proto.driver.v1alpha1.DeviceScope;
import dev.lightpath.proto.driver.v1alpha1.GetCircuitsRequest;
import dev.lightpath.proto.driver.v1alpha1.PlanCircuitsRequest;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/** Drivers that look first and act later, as if nobody came in between. */
final class RacingMutants {
    private static final long MOMENT_NANOS = 2_000_000;

    private RacingMutants() {}

    /** Lets a change wait that a good driver aborts. */
    private abstract static class Patient extends Mutant {
        Patient(String bug, String requirement) {
            super(bug, requirement);
        }

        final ApplyCircuitsResponse afterOthers(ApplyCircuitsRequest request) {
            while (true) {
                try {
                    return super.apply(request);
                } catch (StatusRuntimeException e) {
                    if (!Answers.isFor(e, "OPERATION_IN_FLIGHT")) {
                        throw e;
                    }
                    LockSupport.parkNanos(MOMENT_NANOS);
                }
            }
        }

        /** Under another id, so that it is one more operation. */
        final ApplyCircuitsResponse again(ApplyCircuitsRequest request) {
            ApplyCircuitsResponse.Builder answer =
                    afterOthers(request.toBuilder()
                                    .setOperationId(UUID.randomUUID().toString())
                                    .build())
                            .toBuilder();
            answer.getOperationBuilder().setOperationId(request.getOperationId());
            return answer.build();
        }
    }

    static List<Mutant> all() {
        return List.of(
                new Patient("remembers an operation when it is done", "idempotency/while-it-runs") {
                    private final Set<String> done = ConcurrentHashMap.newKeySet();
                    private final Set<String> begun = ConcurrentHashMap.newKeySet();

                    @Override
                    ApplyCircuitsResponse apply(ApplyCircuitsRequest request) {
                        String id = request.getOperationId();
                        if (!done.contains(id) && !begun.add(id)) {
                            return again(request);
                        }
                        ApplyCircuitsResponse answer = super.apply(request);
                        done.add(id);
                        return answer;
                    }
                },
                new Patient("writes an id down a moment after it looked for it", "idempotency/same-operation-at-once") {
                    private final Set<String> written = ConcurrentHashMap.newKeySet();
                    private final Set<String> taken = ConcurrentHashMap.newKeySet();

                    @Override
                    ApplyCircuitsResponse apply(ApplyCircuitsRequest request) {
                        String id = request.getOperationId();
                        boolean known = written.contains(id);
                        LockSupport.parkNanos(MOMENT_NANOS / 10);
                        written.add(id);
                        return known || taken.add(id) ? afterOthers(request) : again(request);
                    }
                },
                new Patient("compares states a moment before it changes them", "operations/one-state-at-once") {
                    @Override
                    ApplyCircuitsResponse apply(ApplyCircuitsRequest request) {
                        String expected = request.getExpectedObservedDigest();
                        String seen = driver().getCircuits(GetCircuitsRequest.newBuilder()
                                        .addDevices(DeviceScope.newBuilder()
                                                .setDeviceId(request.getDeviceId())
                                                .setScope(request.getScope()))
                                        .build())
                                .getDevices(0)
                                .getObservedDigest();
                        if (expected.isEmpty() || !expected.equals(seen)) {
                            return super.apply(request);
                        }
                        LockSupport.parkNanos(MOMENT_NANOS);
                        return afterOthers(request.toBuilder()
                                .clearExpectedObservedDigest()
                                .build());
                    }
                },
                new Patient("finds a port free a moment before it uses it", "operations/one-port-at-once") {
                    @Override
                    ApplyCircuitsResponse apply(ApplyCircuitsRequest request) {
                        if (request.getConnectsCount() == 0
                                || request.getConflictPolicy() != ConflictPolicy.CONFLICT_POLICY_UNSPECIFIED) {
                            return super.apply(request);
                        }
                        var unused = driver().planCircuits(PlanCircuitsRequest.newBuilder()
                                .setDeviceId(request.getDeviceId())
                                .setRole(request.getFencing().getRole())
                                .setScope(request.getScope())
                                .addAllDisconnects(request.getDisconnectsList())
                                .addAllConnects(request.getConnectsList())
                                .build());
                        LockSupport.parkNanos(MOMENT_NANOS);
                        return afterOthers(request.toBuilder()
                                .setConflictPolicy(ConflictPolicy.CONFLICT_POLICY_OVERWRITE)
                                .build());
                    }
                },
                new Mutant("compares states when a change comes, and not in its turn", "operations/judged-in-turn") {
                    private final AtomicInteger running = new AtomicInteger();
                    private volatile String before = "";

                    @Override
                    ApplyCircuitsResponse apply(ApplyCircuitsRequest request) {
                        if (running.getAndIncrement() == 0) {
                            before = driver().getCircuits(GetCircuitsRequest.newBuilder()
                                            .addDevices(DeviceScope.newBuilder()
                                                    .setDeviceId(request.getDeviceId())
                                                    .setScope(request.getScope()))
                                            .build())
                                    .getDevices(0)
                                    .getObservedDigest();
                        }
                        try {
                            return super.apply(
                                    request.getExpectedObservedDigest().equals(before)
                                            ? request.toBuilder()
                                                    .clearExpectedObservedDigest()
                                                    .build()
                                            : request);
                        } finally {
                            running.decrementAndGet();
                        }
                    }
                },
                new Mutant("remembers what it refused, and refuses it again", "operations/refused-may-be-repeated") {
                    private final ConcurrentHashMap<String, StatusRuntimeException> refused = new ConcurrentHashMap<>();

                    @Override
                    ApplyCircuitsResponse apply(ApplyCircuitsRequest request) {
                        StatusRuntimeException known = refused.get(request.getOperationId());
                        if (known != null) {
                            throw known;
                        }
                        try {
                            return super.apply(request);
                        } catch (StatusRuntimeException e) {
                            if (e.getStatus().getCode() == Status.Code.FAILED_PRECONDITION) {
                                refused.put(request.getOperationId(), e);
                            }
                            throw e;
                        }
                    }
                });
    }
}
