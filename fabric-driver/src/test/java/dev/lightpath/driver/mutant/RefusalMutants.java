package dev.lightpath.driver.mutant;

import dev.lightpath.proto.driver.v1alpha1.ApplyCircuitsRequest;
import dev.lightpath.proto.driver.v1alpha1.ApplyCircuitsResponse;
import dev.lightpath.proto.driver.v1alpha1.GetCircuitsRequest;
import dev.lightpath.proto.driver.v1alpha1.GetCircuitsResponse;
import dev.lightpath.proto.driver.v1alpha1.GetOperationRequest;
import io.grpc.StatusRuntimeException;
import java.util.List;
import java.util.stream.Stream;

/** Drivers that look at a change before they look at who sends it. */
final class RefusalMutants {
    private static final List<String> REASONS =
            List.of("PORT_IN_USE", "NO_SUCH_CIRCUIT", "BATCH_TOO_LARGE", "PORT_OUT_OF_SERVICE");

    private RefusalMutants() {}

    /** What is only checked raises no epoch. */
    private static Mutant checking(String reason) {
        return new Mutant("raises no epoch by what it refuses with " + reason, "fencing/every-refusal-raises") {
            @Override
            ApplyCircuitsResponse apply(ApplyCircuitsRequest request) {
                if (!request.getValidateOnly() && !isKnown(request)) {
                    try {
                        var unused = super.apply(
                                request.toBuilder().setValidateOnly(true).build());
                    } catch (StatusRuntimeException e) {
                        if (Answers.isFor(e, reason)) {
                            throw e;
                        }
                    }
                }
                return super.apply(request);
            }

            private boolean isKnown(ApplyCircuitsRequest request) {
                try {
                    var unused = operation(GetOperationRequest.newBuilder()
                            .setDeviceId(request.getDeviceId())
                            .setRole(request.getFencing().getRole())
                            .setOperationId(request.getOperationId())
                            .build());
                    return true;
                } catch (StatusRuntimeException unknown) {
                    return false;
                }
            }
        };
    }

    private static Mutant forgetting(String reason) {
        return new Mutant("writes down no epoch of what it refuses with " + reason, "crash/epoch-of-every-refusal") {
            private volatile long written;
            private volatile long refused;

            @Override
            ApplyCircuitsResponse apply(ApplyCircuitsRequest request) {
                try {
                    ApplyCircuitsResponse answer = super.apply(request);
                    written = request.getFencing().getEpoch();
                    return answer;
                } catch (StatusRuntimeException e) {
                    if (Answers.isFor(e, reason)) {
                        refused = request.getFencing().getEpoch();
                    }
                    throw e;
                }
            }

            @Override
            GetCircuitsResponse circuits(GetCircuitsRequest request) {
                GetCircuitsResponse.Builder told = super.circuits(request).toBuilder();
                told.getDevicesBuilderList().stream()
                        .filter(d -> isRestarted() && refused > written && d.getHighestEpoch() == refused)
                        .forEach(d -> d.setHighestEpoch(written));
                return told.build();
            }
        };
    }

    static List<Mutant> all() {
        return Stream.concat(
                        REASONS.stream().map(RefusalMutants::checking),
                        REASONS.stream().map(RefusalMutants::forgetting))
                .toList();
    }
}
