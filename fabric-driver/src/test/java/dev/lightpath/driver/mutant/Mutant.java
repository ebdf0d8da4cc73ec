package dev.lightpath.driver.mutant;

import dev.lightpath.proto.driver.v1alpha1.ApplyCircuitsRequest;
import dev.lightpath.proto.driver.v1alpha1.ApplyCircuitsResponse;
import dev.lightpath.proto.driver.v1alpha1.CancelOperationRequest;
import dev.lightpath.proto.driver.v1alpha1.CancelOperationResponse;
import dev.lightpath.proto.driver.v1alpha1.CircuitServiceGrpc;
import dev.lightpath.proto.driver.v1alpha1.CircuitServiceGrpc.CircuitServiceBlockingStub;
import dev.lightpath.proto.driver.v1alpha1.ConfirmOperationRequest;
import dev.lightpath.proto.driver.v1alpha1.ConfirmOperationResponse;
import dev.lightpath.proto.driver.v1alpha1.DeviceScope;
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
import dev.lightpath.proto.driver.v1alpha1.ListFactoryLossRequest;
import dev.lightpath.proto.driver.v1alpha1.ListFactoryLossResponse;
import dev.lightpath.proto.driver.v1alpha1.PlanCircuitsRequest;
import dev.lightpath.proto.driver.v1alpha1.PlanCircuitsResponse;
import dev.lightpath.proto.driver.v1alpha1.ProbeResponse;
import dev.lightpath.proto.driver.v1alpha1.SetPortOverrideRequest;
import dev.lightpath.proto.driver.v1alpha1.SetPortOverrideResponse;
import dev.lightpath.proto.driver.v1alpha1.TransferScopeRequest;
import dev.lightpath.proto.driver.v1alpha1.TransferScopeResponse;
import dev.lightpath.proto.driver.v1alpha1.WatchRequest;
import dev.lightpath.proto.driver.v1alpha1.WatchResponse;
import io.grpc.ServerServiceDefinition;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.services.HealthStatusManager;
import io.grpc.protobuf.services.ProtoReflectionServiceV1;
import java.util.List;

/**
 * A driver with one planted bug: what the good driver behind it would be asked, and what is made of its answers. Each
 * method is honest; a bug overrides one or two. The same instance lives on when the driver restarts, like a bug does.
 */
abstract class Mutant {
    private final String bug;
    private final String requirement;
    private CircuitServiceBlockingStub circuits;
    private boolean restarted;

    /**
     * One bug.
     *
     * @param bug what is wrong with this driver
     * @param requirement name of the requirement that must find it
     */
    Mutant(String bug, String requirement) {
        this.bug = bug;
        this.requirement = requirement;
    }

    final String requirement() {
        return requirement;
    }

    final void behind(io.grpc.Channel driver, boolean again) {
        circuits = CircuitServiceGrpc.newBlockingStub(driver);
        restarted = again;
    }

    /** The digest that the good driver gives of a device, whoever asks for what part of it. */
    final String wholeDigest(String device) {
        return driver().getCircuits(GetCircuitsRequest.newBuilder()
                        .addDevices(DeviceScope.newBuilder().setDeviceId(device))
                        .build())
                .getDevices(0)
                .getObservedDigest();
    }

    /** The good driver. */
    final CircuitServiceBlockingStub driver() {
        return circuits;
    }

    /** True once the driver was restarted. */
    final boolean isRestarted() {
        return restarted;
    }

    ApplyCircuitsResponse apply(ApplyCircuitsRequest request) {
        return driver().applyCircuits(request);
    }

    PlanCircuitsResponse plan(PlanCircuitsRequest request) {
        return driver().planCircuits(request);
    }

    GetOperationResponse operation(GetOperationRequest request) {
        return driver().getOperation(request);
    }

    ConfirmOperationResponse confirm(ConfirmOperationRequest request) {
        return driver().confirmOperation(request);
    }

    CancelOperationResponse cancel(CancelOperationRequest request) {
        return driver().cancelOperation(request);
    }

    GetCircuitsResponse circuits(GetCircuitsRequest request) {
        return driver().getCircuits(request);
    }

    SetPortOverrideResponse override(SetPortOverrideRequest request) {
        return driver().setPortOverride(request);
    }

    TransferScopeResponse transfer(TransferScopeRequest request) {
        return driver().transferScope(request);
    }

    GetDriverInfoResponse info(GetDriverInfoRequest request, GetDriverInfoResponse answer) {
        return answer;
    }

    ListDevicesResponse devices(ListDevicesRequest request, ListDevicesResponse answer) {
        return answer;
    }

    GetCapabilitiesResponse capabilities(GetCapabilitiesRequest request, GetCapabilitiesResponse answer) {
        return answer;
    }

    GetInventoryResponse inventory(GetInventoryRequest request, GetInventoryResponse answer) {
        return answer;
    }

    ListFactoryLossResponse factoryLoss(ListFactoryLossRequest request, ListFactoryLossResponse answer) {
        return answer;
    }

    ProbeResponse probe(ProbeResponse answer) {
        return answer;
    }

    WatchRequest watch(WatchRequest request) {
        return request;
    }

    /** A client of a stream went away. */
    void left() {}

    /** What the client is told instead of this message. */
    List<WatchResponse> told(WatchResponse message) {
        return List.of(message);
    }

    /** What the client is refused with instead. */
    StatusRuntimeException refusal(StatusRuntimeException refusal) {
        return refusal;
    }

    /** False for calls that this driver does not have at all. */
    boolean isImplemented(String method) {
        return true;
    }

    /** Health and reflection. */
    List<ServerServiceDefinition> standardServices() {
        return List.of(
                new HealthStatusManager().getHealthService().bindService(),
                ProtoReflectionServiceV1.newInstance().bindService());
    }

    @Override
    public final String toString() {
        return bug;
    }
}
