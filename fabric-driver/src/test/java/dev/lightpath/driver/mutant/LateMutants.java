package dev.lightpath.driver.mutant;

import dev.lightpath.proto.driver.v1alpha1.ApplyCircuitsRequest;
import dev.lightpath.proto.driver.v1alpha1.ApplyCircuitsResponse;
import dev.lightpath.proto.driver.v1alpha1.GetCircuitsRequest;
import dev.lightpath.proto.driver.v1alpha1.GetCircuitsResponse;
import dev.lightpath.proto.driver.v1alpha1.GetOperationRequest;
import dev.lightpath.proto.driver.v1alpha1.GetOperationResponse;
import dev.lightpath.proto.driver.v1alpha1.Outcome;
import io.grpc.Status;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Drivers that do something only when somebody waits for it, or know only what they once read. */
final class LateMutants {
    private static final long FRESH_NANOS = 3_000_000_000L;

    private LateMutants() {}

    static List<Mutant> all() {
        return List.of(
                new Mutant("writes an operation down when it answers", "operations/deadline") {
                    private final Set<String> answered = ConcurrentHashMap.newKeySet();

                    @Override
                    ApplyCircuitsResponse apply(ApplyCircuitsRequest request) {
                        ApplyCircuitsResponse answer = super.apply(request);
                        if (!MutantServer.isCallerGone()) {
                            answered.add(request.getOperationId());
                        }
                        return answer;
                    }

                    @Override
                    GetOperationResponse operation(GetOperationRequest request) {
                        if (!answered.contains(request.getOperationId())) {
                            throw Answers.refused(Status.Code.NOT_FOUND, "NO_SUCH_OPERATION");
                        }
                        return super.operation(request);
                    }
                },
                new Mutant("leaves an operation whose caller went away where it is", "operations/deadline") {
                    private final Set<String> left = ConcurrentHashMap.newKeySet();

                    @Override
                    ApplyCircuitsResponse apply(ApplyCircuitsRequest request) {
                        left.remove(request.getOperationId());
                        ApplyCircuitsResponse answer = super.apply(request);
                        if (MutantServer.isCallerGone()) {
                            left.add(request.getOperationId());
                        }
                        return answer;
                    }

                    @Override
                    GetOperationResponse operation(GetOperationRequest request) {
                        GetOperationResponse.Builder told = super.operation(request).toBuilder();
                        if (left.contains(request.getOperationId())) {
                            told.getOperationBuilder()
                                    .setOutcome(Outcome.OUTCOME_IN_PROGRESS)
                                    .clearObservedDigest()
                                    .clearFinishedAt();
                        }
                        return told.build();
                    }
                },
                new Mutant("reads what it wrote itself, and else some seconds later", "foreign/read-now") {
                    private final Map<GetCircuitsRequest, GetCircuitsResponse> known = new ConcurrentHashMap<>();
                    private volatile long readNanos;

                    @Override
                    ApplyCircuitsResponse apply(ApplyCircuitsRequest request) {
                        try {
                            return super.apply(request);
                        } finally {
                            known.clear();
                        }
                    }

                    @Override
                    GetCircuitsResponse circuits(GetCircuitsRequest request) {
                        long now = System.nanoTime();
                        if (now - readNanos > FRESH_NANOS) {
                            known.clear();
                            readNanos = now;
                        }
                        return known.computeIfAbsent(request, r -> super.circuits(r));
                    }
                });
    }
}
