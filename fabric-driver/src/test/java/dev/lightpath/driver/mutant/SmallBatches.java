package dev.lightpath.driver.mutant;

import dev.lightpath.proto.driver.v1alpha1.ApplyCircuitsRequest;
import dev.lightpath.proto.driver.v1alpha1.ApplyCircuitsResponse;
import dev.lightpath.proto.driver.v1alpha1.GetCapabilitiesRequest;
import dev.lightpath.proto.driver.v1alpha1.GetCapabilitiesResponse;
import io.grpc.Status;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** Correct drivers that take few items at once. */
final class SmallBatches {
    private SmallBatches() {}

    static List<OtherDriver> all() {
        return List.of(
                OtherDriver.of(
                                of(1),
                                "circuits/apply-and-read-back",
                                "circuits/digest",
                                "circuits/ownership",
                                "circuits/bytewise",
                                "circuits/already-so",
                                "idempotency/other-content",
                                "fencing/every-refusal-raises",
                                "stream/named-devices",
                                "circuits/all-at-once",
                                "ports/egress-in-use",
                                "idempotency/same-operation-twice",
                                "limits/batch",
                                "limits/whole-batch",
                                "scope/reading",
                                "stream/changes-as-it-begins",
                                "crash/operations-of-both-roles",
                                "crash/fence-of-the-second-role",
                                "crash/light-stays")
                        .without(
                                "circuits/swap",
                                "circuits/items",
                                "circuits/many",
                                "ports/egress-twice-in-a-request",
                                "crash/operation-under-way"),
                OtherDriver.of(
                                of(2),
                                "circuits/apply-and-read-back",
                                "circuits/all-at-once",
                                "idempotency/same-operation-twice",
                                "scope/reading",
                                "crash/light-stays")
                        .of("n1", 0.07)
                        .without("circuits/items", "ports/ingress-twice-in-a-request", "partial/best-effort"));
    }

    private static Mutant of(int most) {
        return new Mutant("takes " + most + " items at once", "") {
            @Override
            GetCapabilitiesResponse capabilities(GetCapabilitiesRequest request, GetCapabilitiesResponse answer) {
                GetCapabilitiesResponse.Builder other = answer.toBuilder();
                other.getCapabilitiesBuilder().setMaxBatch(most);
                return other.build();
            }

            @Override
            ApplyCircuitsResponse apply(ApplyCircuitsRequest request) {
                if (request.getConnectsCount() + request.getDisconnectsCount() > most) {
                    var fenced = super.apply(request.toBuilder()
                            .setOperationId(UUID.randomUUID().toString())
                            .clearConnects()
                            .clearDisconnects()
                            .build());
                    throw Answers.refused(
                            Status.Code.RESOURCE_EXHAUSTED,
                            "BATCH_TOO_LARGE",
                            Map.of("max_batch", Integer.toString(most)));
                }
                return super.apply(request);
            }
        };
    }
}
