package dev.lightpath.driver.mutant;

import dev.lightpath.proto.driver.v1alpha1.ApplyCircuitsRequest;
import dev.lightpath.proto.driver.v1alpha1.ApplyCircuitsResponse;
import dev.lightpath.proto.driver.v1alpha1.Circuit;
import dev.lightpath.proto.driver.v1alpha1.ConflictPolicy;
import dev.lightpath.proto.driver.v1alpha1.GetCircuitsRequest;
import dev.lightpath.proto.driver.v1alpha1.GetCircuitsResponse;
import dev.lightpath.proto.driver.v1alpha1.GetOperationRequest;
import dev.lightpath.proto.driver.v1alpha1.GetOperationResponse;
import dev.lightpath.proto.driver.v1alpha1.ItemReason;
import dev.lightpath.proto.driver.v1alpha1.ItemResult;
import dev.lightpath.proto.driver.v1alpha1.PlanCircuitsRequest;
import dev.lightpath.proto.driver.v1alpha1.PlanCircuitsResponse;
import dev.lightpath.proto.driver.v1alpha1.PortOverride;
import dev.lightpath.proto.driver.v1alpha1.SetPortOverrideRequest;
import dev.lightpath.proto.driver.v1alpha1.SetPortOverrideResponse;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** Items, names and bounds gone wrong. */
final class OrderMutants {
    private OrderMutants() {}

    static List<Mutant> all() {
        return List.of(
                new Mutant("orders items by name", "circuits/items") {
                    @Override
                    ApplyCircuitsResponse apply(ApplyCircuitsRequest request) {
                        ApplyCircuitsResponse.Builder told = super.apply(request).toBuilder();
                        List<ItemResult> sorted = told.getOperation().getItemsList().stream()
                                .sorted(Comparator.comparing(ItemResult::getActionValue)
                                        .thenComparing(i -> i.getKey().getIngress()))
                                .toList();
                        told.getOperationBuilder().clearItems().addAllItems(sorted);
                        return told.build();
                    }
                },
                new Mutant("keeps 32 bits of a generation", "circuits/items") {
                    @Override
                    ApplyCircuitsResponse apply(ApplyCircuitsRequest request) {
                        return super.apply(request.toBuilder()
                                .setDesiredGeneration(request.getDesiredGeneration() & 0xffffffffL)
                                .build());
                    }
                },
                new Mutant("tells no generation", "circuits/items") {
                    @Override
                    GetCircuitsResponse circuits(GetCircuitsRequest request) {
                        GetCircuitsResponse.Builder told = super.circuits(request).toBuilder();
                        told.getDevicesBuilderList().forEach(d -> d.clearHighestGeneration());
                        return told.build();
                    }
                },
                new Mutant("says when it asked a device that it did not ask", "circuits/already-so") {
                    @Override
                    ApplyCircuitsResponse apply(ApplyCircuitsRequest request) {
                        ApplyCircuitsResponse.Builder told = super.apply(request).toBuilder();
                        told.getOperationBuilder().getItemsBuilderList().stream()
                                .filter(i -> i.getReason() == ItemReason.ITEM_REASON_ALREADY)
                                .forEach(i -> i.setStartedAt(told.getOperation().getAdmittedAt()));
                        return told.build();
                    }
                },
                new Mutant("orders circuits by number", "circuits/bytewise") {
                    @Override
                    GetCircuitsResponse circuits(GetCircuitsRequest request) {
                        GetCircuitsResponse.Builder told = super.circuits(request).toBuilder();
                        told.getDevicesBuilderList().stream()
                                .filter(d -> d.getDeviceId().startsWith("ocs"))
                                .forEach(d -> {
                                    List<Circuit> sorted = d.getCircuitsList().stream()
                                            .sorted(Comparator.comparing(c ->
                                                    Integer.parseInt(c.getKey().getIngress())))
                                            .toList();
                                    d.clearCircuits().addAllCircuits(sorted);
                                });
                        return told.build();
                    }
                },
                new Mutant("counts the bytes of an operation id", "limits/operation-id") {
                    @Override
                    ApplyCircuitsResponse apply(ApplyCircuitsRequest request) {
                        if (request.getOperationId().getBytes(StandardCharsets.UTF_8).length > 128) {
                            throw Answers.refused(Status.Code.INVALID_ARGUMENT, "MALFORMED");
                        }
                        return super.apply(request);
                    }
                },
                new Mutant("does not tell small letters from capitals", "operations/unknown") {
                    @Override
                    GetOperationResponse operation(GetOperationRequest request) {
                        return super.operation(request.toBuilder()
                                .setOperationId(request.getOperationId().toLowerCase(Locale.ROOT))
                                .build());
                    }
                },
                new Mutant("counts the bytes of a reason", "override/unspecified") {
                    @Override
                    SetPortOverrideResponse override(SetPortOverrideRequest request) {
                        if (request.getReason().getBytes(StandardCharsets.UTF_8).length > 256
                                && request.getReason().length() <= 256) {
                            throw Answers.refused(Status.Code.INVALID_ARGUMENT, "MALFORMED");
                        }
                        return super.override(request);
                    }
                },
                new Mutant("takes 256 characters for too many", "override/unspecified") {
                    @Override
                    SetPortOverrideResponse override(SetPortOverrideRequest request) {
                        if (request.getReason().length() == 256) {
                            throw Answers.refused(Status.Code.INVALID_ARGUMENT, "MALFORMED");
                        }
                        return super.override(request);
                    }
                },
                new Mutant("stores what it refuses", "override/shutter") {
                    @Override
                    SetPortOverrideResponse override(SetPortOverrideRequest request) {
                        if (request.getOverride() == PortOverride.PORT_OVERRIDE_SHUTTERED) {
                            var unused = super.override(request.toBuilder()
                                    .setOverride(PortOverride.PORT_OVERRIDE_OUT_OF_SERVICE)
                                    .build());
                        }
                        return super.override(request);
                    }
                },
                new Mutant("refuses a circuit that is there at a port out of service", "override/light-stays") {
                    private final Set<String> out = new HashSet<>();

                    @Override
                    SetPortOverrideResponse override(SetPortOverrideRequest request) {
                        out.add(request.getPort());
                        return super.override(request);
                    }

                    @Override
                    ApplyCircuitsResponse apply(ApplyCircuitsRequest request) {
                        if (request.getConnectsList().stream().anyMatch(k -> out.contains(k.getEgress()))) {
                            throw Answers.refused(Status.Code.FAILED_PRECONDITION, "PORT_OUT_OF_SERVICE");
                        }
                        return super.apply(request);
                    }
                },
                new Mutant("forgets that a port is back in service when it restarts", "crash/remembers-overrides") {
                    private boolean lifted;

                    @Override
                    SetPortOverrideResponse override(SetPortOverrideRequest request) {
                        lifted = request.getOverride() == PortOverride.PORT_OVERRIDE_NONE;
                        return super.override(request);
                    }

                    @Override
                    ApplyCircuitsResponse apply(ApplyCircuitsRequest request) {
                        if (lifted) {
                            throw Answers.refused(Status.Code.FAILED_PRECONDITION, "PORT_OUT_OF_SERVICE");
                        }
                        return super.apply(request);
                    }
                },
                new Mutant("names the egress where an ingress is used twice", "ports/ingress-twice-in-a-request") {
                    @Override
                    StatusRuntimeException refusal(StatusRuntimeException refusal) {
                        return Answers.isFor(refusal, "PORT_USED_TWICE")
                                ? Answers.refused(Status.Code.INVALID_ARGUMENT, "PORT_USED_TWICE", Map.of("port", "32"))
                                : refusal;
                    }
                },
                new Mutant("names the egress where an ingress is in use", "ports/ingress-in-use") {
                    @Override
                    StatusRuntimeException refusal(StatusRuntimeException refusal) {
                        return Answers.isFor(refusal, "PORT_IN_USE")
                                ? Answers.refused(
                                        Status.Code.FAILED_PRECONDITION,
                                        "PORT_IN_USE",
                                        Map.of("port", Answers.detail(refusal, "egress")))
                                : refusal;
                    }
                },
                new Mutant("breaks what has the ingress and not what has the egress", "conflict/update-replaces-both") {
                    @Override
                    ApplyCircuitsResponse apply(ApplyCircuitsRequest request) {
                        ApplyCircuitsResponse.Builder told = super.apply(request).toBuilder();
                        List<ItemResult> implied = told.getOperation().getItemsList().stream()
                                .filter(ItemResult::getImplied)
                                .toList();
                        if (implied.size() > 1) {
                            List<ItemResult> fewer =
                                    new ArrayList<>(told.getOperation().getItemsList());
                            fewer.remove(implied.getLast());
                            told.getOperationBuilder().clearItems().addAllItems(fewer);
                        }
                        return told.build();
                    }
                },
                new Mutant("puts first what the policy adds", "conflict/implied-last") {
                    @Override
                    ApplyCircuitsResponse apply(ApplyCircuitsRequest request) {
                        ApplyCircuitsResponse.Builder told = super.apply(request).toBuilder();
                        List<ItemResult> sorted = told.getOperation().getItemsList().stream()
                                .sorted(Comparator.comparing(i -> !i.getImplied()))
                                .toList();
                        told.getOperationBuilder().clearItems().addAllItems(sorted);
                        return told.build();
                    }
                },
                new Mutant("validates ports used twice", "validate/finds-what-apply-would") {
                    @Override
                    ApplyCircuitsResponse apply(ApplyCircuitsRequest request) {
                        try {
                            return super.apply(request);
                        } catch (StatusRuntimeException e) {
                            if (Answers.isFor(e, "PORT_USED_TWICE") && request.getValidateOnly()) {
                                return Answers.applied(request);
                            }
                            throw e;
                        }
                    }
                },
                new Mutant("validates circuits at ports out of service", "validate/finds-what-apply-would") {
                    @Override
                    ApplyCircuitsResponse apply(ApplyCircuitsRequest request) {
                        try {
                            return super.apply(request);
                        } catch (StatusRuntimeException e) {
                            if (Answers.isFor(e, "PORT_OUT_OF_SERVICE") && request.getValidateOnly()) {
                                return Answers.applied(request);
                            }
                            throw e;
                        }
                    }
                },
                new Mutant("plans to use a port twice", "plan/refuses") {
                    @Override
                    PlanCircuitsResponse plan(PlanCircuitsRequest request) {
                        try {
                            return super.plan(request);
                        } catch (StatusRuntimeException e) {
                            if (Answers.isFor(e, "PORT_USED_TWICE")) {
                                return PlanCircuitsResponse.getDefaultInstance();
                            }
                            throw e;
                        }
                    }
                },
                new Mutant("plans to disconnect what is not there", "plan/refuses") {
                    @Override
                    PlanCircuitsResponse plan(PlanCircuitsRequest request) {
                        try {
                            return super.plan(request);
                        } catch (StatusRuntimeException e) {
                            if (Answers.isFor(e, "NO_SUCH_CIRCUIT")) {
                                return PlanCircuitsResponse.getDefaultInstance();
                            }
                            throw e;
                        }
                    }
                },
                new Mutant("plans to break by UPDATE whatever is there", "plan/refuses") {
                    @Override
                    PlanCircuitsResponse plan(PlanCircuitsRequest request) {
                        return super.plan(
                                request.getConflictPolicy() == ConflictPolicy.CONFLICT_POLICY_UPDATE
                                        ? request.toBuilder()
                                                .setConflictPolicy(ConflictPolicy.CONFLICT_POLICY_OVERWRITE)
                                                .build()
                                        : request);
                    }
                });
    }
}
