package dev.lightpath.driver.mutant;

import dev.lightpath.proto.driver.v1alpha1.CircuitServiceGrpc;
import dev.lightpath.proto.driver.v1alpha1.CircuitSource;
import dev.lightpath.proto.driver.v1alpha1.GetCapabilitiesRequest;
import dev.lightpath.proto.driver.v1alpha1.GetCapabilitiesResponse;
import dev.lightpath.proto.driver.v1alpha1.GetCircuitsRequest;
import dev.lightpath.proto.driver.v1alpha1.GetCircuitsResponse;
import dev.lightpath.proto.driver.v1alpha1.InventoryServiceGrpc;
import io.grpc.Status;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Drivers of many kinds, all of them correct. */
final class OtherDrivers {
    private OtherDrivers() {}

    static List<OtherDriver> all() {
        return List.of(OtherDriver.of(
                denying(),
                "fencing/every-write",
                "fencing/every-write-raises",
                "roles/every-write",
                "limits/fencing",
                "limits/unknown-device",
                "crash/epoch-of-a-refusal",
                "circuits/source"));
    }

    private static Mutant denying() {
        return new Mutant("has neither confirmations nor loss tables nor a configuration to read", "") {
            private static final Set<String> DENIED = Set.of(
                    CircuitServiceGrpc.getConfirmOperationMethod().getFullMethodName(),
                    CircuitServiceGrpc.getCancelOperationMethod().getFullMethodName(),
                    InventoryServiceGrpc.getListFactoryLossMethod().getFullMethodName());

            @Override
            GetCapabilitiesResponse capabilities(GetCapabilitiesRequest request, GetCapabilitiesResponse answer) {
                GetCapabilitiesResponse.Builder other = answer.toBuilder();
                other.getCapabilitiesBuilder().clearConfirmedCommit().clearInsertionLossData();
                return other.build();
            }

            @Override
            boolean isImplemented(String method) {
                return !DENIED.contains(method);
            }

            @Override
            GetCircuitsResponse circuits(GetCircuitsRequest request) {
                if (request.getSource() == CircuitSource.CIRCUIT_SOURCE_CONFIG) {
                    throw Answers.refused(
                            Status.Code.FAILED_PRECONDITION, "NOT_SUPPORTED", Map.of("capability", "read_back"));
                }
                return super.circuits(request);
            }
        };
    }
}
