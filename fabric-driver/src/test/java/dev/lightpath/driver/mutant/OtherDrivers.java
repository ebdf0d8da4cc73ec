package dev.lightpath.driver.mutant;

import com.google.common.base.CaseFormat;
import dev.lightpath.proto.driver.v1alpha1.ApplyCircuitsRequest;
import dev.lightpath.proto.driver.v1alpha1.ApplyCircuitsResponse;
import dev.lightpath.proto.driver.v1alpha1.CircuitKey;
import dev.lightpath.proto.driver.v1alpha1.CircuitServiceGrpc;
import dev.lightpath.proto.driver.v1alpha1.CircuitSource;
import dev.lightpath.proto.driver.v1alpha1.Duplexity;
import dev.lightpath.proto.driver.v1alpha1.GetCapabilitiesRequest;
import dev.lightpath.proto.driver.v1alpha1.GetCapabilitiesResponse;
import dev.lightpath.proto.driver.v1alpha1.GetCircuitsRequest;
import dev.lightpath.proto.driver.v1alpha1.GetCircuitsResponse;
import dev.lightpath.proto.driver.v1alpha1.InventoryServiceGrpc;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Drivers of many kinds, all of them correct. */
final class OtherDrivers {
    private OtherDrivers() {}

    static List<OtherDriver> all() {
        return List.of(
                OtherDriver.of(
                        denying(),
                        "fencing/every-write",
                        "fencing/every-write-raises",
                        "roles/every-write",
                        "limits/fencing",
                        "limits/unknown-device",
                        "crash/epoch-of-a-refusal",
                        "circuits/source"),
                OtherDriver.of(
                        namingTheEgress(),
                        "scope/ports-outside",
                        "scope/half-outside",
                        "validate/finds-what-apply-would"),
                OtherDriver.of(
                        ofCamels(),
                        "limits/fencing",
                        "limits/operation-id",
                        "limits/rollback-after",
                        "roles/transfer-from-another"),
                OtherDriver.of(busy(), "operations/aborted-may-be-repeated"),
                OtherDriver.of(ofBothWays(), "circuits/bytewise", "circuits/digest", "circuits/apply-and-read-back"));
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

    private static Mutant namingTheEgress() {
        return new Mutant("names the egress where both ports are outside the scope", "") {
            @Override
            ApplyCircuitsResponse apply(ApplyCircuitsRequest request) {
                try {
                    return super.apply(request);
                } catch (StatusRuntimeException e) {
                    List<String> inside = request.getScope().getPortsList();
                    if (Answers.isFor(e, "OUTSIDE_SCOPE")
                            && request.getConnectsCount() == 1
                            && !inside.contains(request.getConnects(0).getEgress())) {
                        throw Answers.refused(
                                Status.Code.INVALID_ARGUMENT,
                                "OUTSIDE_SCOPE",
                                Map.of("port", request.getConnects(0).getEgress()));
                    }
                    throw e;
                }
            }
        };
    }

    /** The contract names a field and not the spelling of its name. */
    private static Mutant ofCamels() {
        return new Mutant("names fields as JSON does", "") {
            @Override
            StatusRuntimeException refusal(StatusRuntimeException refusal) {
                return Answers.isFor(refusal, "MALFORMED")
                        ? Answers.refused(
                                refusal.getStatus().getCode(),
                                "MALFORMED",
                                Map.of(
                                        "field",
                                        CaseFormat.LOWER_UNDERSCORE.to(
                                                CaseFormat.LOWER_CAMEL, Answers.detail(refusal, "field"))))
                        : refusal;
            }
        };
    }

    private static Mutant busy() {
        return new Mutant("is BUSY with one change while another comes", "") {
            @Override
            StatusRuntimeException refusal(StatusRuntimeException refusal) {
                return Answers.isFor(refusal, "OPERATION_IN_FLIGHT") ? Answers.busy(Duration.ofMillis(50)) : refusal;
            }
        };
    }

    /** Of a circuit that carries light both ways it shows the port of the lower number first. */
    private static Mutant ofBothWays() {
        return new Mutant("shows a circuit both of whose directions are one from its first port", "") {
            @Override
            GetCapabilitiesResponse capabilities(GetCapabilitiesRequest request, GetCapabilitiesResponse answer) {
                GetCapabilitiesResponse.Builder other = answer.toBuilder();
                other.getCapabilitiesBuilder().setDuplexity(Duplexity.DUPLEXITY_DUPLEX);
                return other.build();
            }

            @Override
            ApplyCircuitsResponse apply(ApplyCircuitsRequest request) {
                ApplyCircuitsRequest.Builder other = request.toBuilder();
                other.getConnectsBuilderList().forEach(this::turn);
                other.getDisconnectsBuilderList().forEach(this::turn);
                return super.apply(other.build());
            }

            private boolean isNumber(String port) {
                return port.matches("\\d+");
            }

            private void turn(CircuitKey.Builder key) {
                String ingress = key.getIngress();
                if (isNumber(ingress)
                        && isNumber(key.getEgress())
                        && Integer.parseInt(ingress) > Integer.parseInt(key.getEgress())) {
                    key.setIngress(key.getEgress()).setEgress(ingress);
                }
            }
        };
    }
}
