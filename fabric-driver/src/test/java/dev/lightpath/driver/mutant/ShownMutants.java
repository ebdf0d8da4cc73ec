package dev.lightpath.driver.mutant;

import com.google.protobuf.Timestamp;
import dev.lightpath.proto.driver.v1alpha1.ApplyCircuitsRequest;
import dev.lightpath.proto.driver.v1alpha1.ApplyCircuitsResponse;
import dev.lightpath.proto.driver.v1alpha1.CircuitKey;
import dev.lightpath.proto.driver.v1alpha1.CircuitState;
import dev.lightpath.proto.driver.v1alpha1.DeviceInventory;
import dev.lightpath.proto.driver.v1alpha1.GetCapabilitiesRequest;
import dev.lightpath.proto.driver.v1alpha1.GetCapabilitiesResponse;
import dev.lightpath.proto.driver.v1alpha1.GetCircuitsRequest;
import dev.lightpath.proto.driver.v1alpha1.GetCircuitsResponse;
import dev.lightpath.proto.driver.v1alpha1.GetDriverInfoRequest;
import dev.lightpath.proto.driver.v1alpha1.GetDriverInfoResponse;
import dev.lightpath.proto.driver.v1alpha1.GetInventoryRequest;
import dev.lightpath.proto.driver.v1alpha1.GetInventoryResponse;
import dev.lightpath.proto.driver.v1alpha1.GetOperationRequest;
import dev.lightpath.proto.driver.v1alpha1.GetOperationResponse;
import dev.lightpath.proto.driver.v1alpha1.ListDevicesRequest;
import dev.lightpath.proto.driver.v1alpha1.ListDevicesResponse;
import dev.lightpath.proto.driver.v1alpha1.Outcome;
import dev.lightpath.proto.driver.v1alpha1.PortOverride;
import dev.lightpath.proto.driver.v1alpha1.ProbeResponse;
import io.grpc.StatusRuntimeException;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** What is shown of a device, gone wrong. */
final class ShownMutants {
    private ShownMutants() {}

    static List<Mutant> all() {
        return List.of(
                new Mutant("leaves open what no override says", "inventory/ports") {
                    @Override
                    GetInventoryResponse inventory(GetInventoryRequest request, GetInventoryResponse answer) {
                        GetInventoryResponse.Builder open = answer.toBuilder();
                        open.getDevicesBuilderList().stream()
                                .flatMap(d -> d.getPortsBuilderList().stream())
                                .filter(p -> p.getOverride() == PortOverride.PORT_OVERRIDE_NONE)
                                .forEach(p -> p.clearOverride());
                        return open.build();
                    }
                },
                new Mutant("gives inventories in the order asked for", "inventory/named-devices") {
                    @Override
                    GetInventoryResponse inventory(GetInventoryRequest request, GetInventoryResponse answer) {
                        List<String> asked = request.getDeviceIdsList();
                        List<DeviceInventory> ordered = answer.getDevicesList().stream()
                                .sorted(Comparator.comparing(d -> asked.indexOf(d.getDeviceId())))
                                .toList();
                        return answer.toBuilder()
                                .clearDevices()
                                .addAllDevices(ordered)
                                .build();
                    }
                },
                new Mutant("takes the scope of the first device for all", "inventory/named-devices") {
                    @Override
                    GetCircuitsResponse circuits(GetCircuitsRequest request) {
                        GetCircuitsRequest.Builder same = request.toBuilder();
                        same.getDevicesBuilderList().forEach(d -> {
                            if (request.getDevices(0).hasScope()) {
                                d.setScope(request.getDevices(0).getScope());
                            } else {
                                d.clearScope();
                            }
                        });
                        return super.circuits(same.build());
                    }
                },
                new Mutant("does not say how it moves", "identity/capabilities") {
                    @Override
                    GetCapabilitiesResponse capabilities(
                            GetCapabilitiesRequest request, GetCapabilitiesResponse answer) {
                        GetCapabilitiesResponse.Builder less = answer.toBuilder();
                        less.getCapabilitiesBuilder().clearMoveConcurrency();
                        return less.build();
                    }
                },
                new Mutant("does not say what it promises of a batch", "identity/capabilities") {
                    @Override
                    GetCapabilitiesResponse capabilities(
                            GetCapabilitiesRequest request, GetCapabilitiesResponse answer) {
                        GetCapabilitiesResponse.Builder less = answer.toBuilder();
                        less.getCapabilitiesBuilder().clearBatchAtomicity();
                        return less.build();
                    }
                },
                new Mutant("does not say what a port in use means", "identity/capabilities") {
                    @Override
                    GetCapabilitiesResponse capabilities(
                            GetCapabilitiesRequest request, GetCapabilitiesResponse answer) {
                        GetCapabilitiesResponse.Builder less = answer.toBuilder();
                        less.getCapabilitiesBuilder().clearBreakBehaviour();
                        return less.build();
                    }
                },
                new Mutant("explains a probe that was answered", "identity/probe") {
                    @Override
                    ProbeResponse probe(ProbeResponse answer) {
                        return answer.toBuilder().setDetail("fine").build();
                    }
                },
                new Mutant("counts devices that it does not list", "identity/driver-info") {
                    @Override
                    GetDriverInfoResponse info(GetDriverInfoRequest request, GetDriverInfoResponse answer) {
                        return answer.toBuilder()
                                .setDeviceCount(answer.getDeviceCount() + 5)
                                .build();
                    }
                },
                new Mutant("gives times of a probe nobody answered", "silence/told") {
                    @Override
                    ProbeResponse probe(ProbeResponse answer) {
                        ProbeResponse.Builder timed = answer.toBuilder();
                        timed.getRoundTripBuilder().setNanos(1);
                        return timed.build();
                    }
                },
                new Mutant("does not say why a probe went unanswered", "silence/told") {
                    @Override
                    ProbeResponse probe(ProbeResponse answer) {
                        return answer.toBuilder().clearDetail().build();
                    }
                },
                new Mutant("has devices that are silent as long as they were present", "silence/told") {
                    private Timestamp first = Timestamp.getDefaultInstance();

                    @Override
                    ListDevicesResponse devices(ListDevicesRequest request, ListDevicesResponse answer) {
                        ListDevicesResponse.Builder old = answer.toBuilder();
                        old.getDevicesBuilderList().stream()
                                .filter(d -> d.getDeviceId().equals("ocs-1"))
                                .forEach(d -> {
                                    first = first.getSeconds() == 0 ? d.getSince() : first;
                                    d.setSince(first);
                                });
                        return old.build();
                    }
                },
                new Mutant("has last read a silent device just now", "silence/last-read") {
                    private int reads;

                    @Override
                    GetCircuitsResponse circuits(GetCircuitsRequest request) {
                        GetCircuitsResponse.Builder told = super.circuits(request).toBuilder();
                        told.getDevicesBuilderList().stream()
                                .filter(d -> d.hasStaleSince())
                                .forEach(d -> d.getStaleSinceBuilder().setNanos(++reads));
                        return told.build();
                    }
                },
                new Mutant("makes an operation of a change it refused", "silence/nothing-started") {
                    @Override
                    GetOperationResponse operation(GetOperationRequest request) {
                        try {
                            return super.operation(request);
                        } catch (StatusRuntimeException e) {
                            if (Answers.isFor(e, "NO_SUCH_OPERATION")) {
                                return GetOperationResponse.getDefaultInstance();
                            }
                            throw e;
                        }
                    }
                },
                new Mutant("knows the digest of a silent device", "silence/in-the-middle") {
                    @Override
                    GetOperationResponse operation(GetOperationRequest request) {
                        GetOperationResponse.Builder told = super.operation(request).toBuilder();
                        if (told.getOperation().getOutcome() == Outcome.OUTCOME_UNKNOWN) {
                            told.getOperationBuilder()
                                    .setObservedDigest(told.getOperation().getBeforeDigest());
                        }
                        return told.build();
                    }
                },
                new Mutant("gives a digest of what is in progress", "operations/in-progress") {
                    @Override
                    GetOperationResponse operation(GetOperationRequest request) {
                        GetOperationResponse.Builder told = super.operation(request).toBuilder();
                        if (told.getOperation().getOutcome() == Outcome.OUTCOME_IN_PROGRESS) {
                            told.getOperationBuilder()
                                    .setObservedDigest(told.getOperation().getBeforeDigest());
                        }
                        return told.build();
                    }
                },
                new Mutant("says when what is in progress was finished", "operations/in-progress") {
                    @Override
                    GetOperationResponse operation(GetOperationRequest request) {
                        GetOperationResponse.Builder told = super.operation(request).toBuilder();
                        if (told.getOperation().getOutcome() == Outcome.OUTCOME_IN_PROGRESS) {
                            told.getOperationBuilder()
                                    .setFinishedAt(told.getOperation().getAdmittedAt());
                        }
                        return told.build();
                    }
                },
                new Mutant("shows what moves as connected", "operations/tuning") {
                    @Override
                    GetCircuitsResponse circuits(GetCircuitsRequest request) {
                        GetCircuitsResponse.Builder told = super.circuits(request).toBuilder();
                        told.getDevicesBuilderList().stream()
                                .flatMap(d -> d.getCircuitsBuilderList().stream())
                                .forEach(c -> c.setState(CircuitState.CIRCUIT_STATE_CONNECTED));
                        return told.build();
                    }
                },
                new Mutant("leaves out of a digest what moves", "operations/tuning") {
                    @Override
                    GetCircuitsResponse circuits(GetCircuitsRequest request) {
                        GetCircuitsResponse.Builder told = super.circuits(request).toBuilder();
                        told.getDevicesBuilderList().stream()
                                .filter(d -> d.getCircuitsList().stream()
                                        .anyMatch(c -> c.getState() == CircuitState.CIRCUIT_STATE_TUNING))
                                .forEach(d -> d.setObservedDigest("sha256:of the others"));
                        return told.build();
                    }
                },
                new Mutant("remembers who made a circuit that is gone", "foreign/told") {
                    private final Set<CircuitKey> made = new HashSet<>();

                    @Override
                    ApplyCircuitsResponse apply(ApplyCircuitsRequest request) {
                        made.addAll(request.getConnectsList());
                        return super.apply(request);
                    }

                    @Override
                    GetCircuitsResponse circuits(GetCircuitsRequest request) {
                        GetCircuitsResponse.Builder told = super.circuits(request).toBuilder();
                        told.getDevicesBuilderList().stream()
                                .flatMap(d -> d.getCircuitsBuilderList().stream())
                                .filter(c -> made.contains(c.getKey()))
                                .forEach(c -> c.setForeign(false).setRole("lightpath-conformance"));
                        return told.build();
                    }
                });
    }
}
