package dev.lightpath.driver.mutant;

import dev.lightpath.proto.driver.v1alpha1.ApplyCircuitsRequest;
import dev.lightpath.proto.driver.v1alpha1.ApplyCircuitsResponse;
import dev.lightpath.proto.driver.v1alpha1.ConflictPolicy;
import dev.lightpath.proto.driver.v1alpha1.PlanCircuitsRequest;
import io.grpc.StatusRuntimeException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Ports that others take, found free too early. */
final class BesideMutants {
    private BesideMutants() {}

    static List<Mutant> all() {
        return List.of(
                new Mutant(
                        "finds ports free when a change comes, and not in its turn",
                        "operations/one-port-of-two-epochs") {
                    private final Map<String, Boolean> found = new ConcurrentHashMap<>();

                    @Override
                    ApplyCircuitsResponse apply(ApplyCircuitsRequest request) {
                        if (request.getConflictPolicy() != ConflictPolicy.CONFLICT_POLICY_UNSPECIFIED
                                || request.getConnectsCount() == 0
                                || request.getValidateOnly()) {
                            return super.apply(request);
                        }
                        boolean free = found.computeIfAbsent(request.getOperationId(), id -> isFree(request));
                        return super.apply(
                                free
                                        ? request.toBuilder()
                                                .setConflictPolicy(ConflictPolicy.CONFLICT_POLICY_UPDATE)
                                                .build()
                                        : request);
                    }

                    private boolean isFree(ApplyCircuitsRequest request) {
                        try {
                            var unused = driver().planCircuits(PlanCircuitsRequest.newBuilder()
                                    .setDeviceId(request.getDeviceId())
                                    .setRole(request.getFencing().getRole())
                                    .setScope(request.getScope())
                                    .addAllDisconnects(request.getDisconnectsList())
                                    .addAllConnects(request.getConnectsList())
                                    .build());
                            return true;
                        } catch (StatusRuntimeException inUse) {
                            return false;
                        }
                    }
                });
    }
}
