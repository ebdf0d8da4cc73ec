package dev.lightpath.conformance.requirement.device;

import static dev.lightpath.conformance.bench.Expect.equal;
import static dev.lightpath.conformance.bench.Expect.that;

import dev.lightpath.conformance.bench.Bench;
import dev.lightpath.conformance.bench.Refusal;
import dev.lightpath.conformance.bench.Unmet;
import dev.lightpath.conformance.requirement.NoSuchDevice;
import dev.lightpath.conformance.requirement.Requirement;
import dev.lightpath.proto.driver.v1alpha1.Availability;
import dev.lightpath.proto.driver.v1alpha1.BatchAtomicity;
import dev.lightpath.proto.driver.v1alpha1.BreakBehaviour;
import dev.lightpath.proto.driver.v1alpha1.Capabilities;
import dev.lightpath.proto.driver.v1alpha1.Device;
import dev.lightpath.proto.driver.v1alpha1.Duplexity;
import dev.lightpath.proto.driver.v1alpha1.GetCapabilitiesRequest;
import dev.lightpath.proto.driver.v1alpha1.GetDriverInfoRequest;
import dev.lightpath.proto.driver.v1alpha1.MoveConcurrency;
import dev.lightpath.proto.driver.v1alpha1.ProbeRequest;
import dev.lightpath.proto.driver.v1alpha1.ReadBack;
import dev.lightpath.proto.driver.v1alpha1.Sidedness;
import dev.lightpath.proto.driver.v1alpha1.StreamKind;
import io.grpc.CallOptions;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.health.v1.HealthGrpc;
import io.grpc.reflection.v1.ServerReflectionGrpc;
import io.grpc.reflection.v1.ServerReflectionRequest;
import io.grpc.reflection.v1.ServerReflectionResponse;
import io.grpc.reflection.v1.ServiceResponse;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.StreamObserver;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/** Who the driver is. */
public final class Identity {
    private static final String CONTRACT = "lightpath.driver.v1alpha1";
    private static final int MOST_ALIKE = 16;
    private static final List<String> REFLECTION_VERSIONS = List.of("grpc.reflection.v1", "grpc.reflection.v1alpha");

    private Identity() {}

    public static List<Requirement> all() {
        return List.of(
                new Requirement(
                        "identity/driver-info",
                        "IdentityService.GetDriverInfo",
                        "The driver says what it is, which contract it speaks, and names its state and this run",
                        Identity::driverInfo),
                new Requirement(
                        "identity/capabilities",
                        "IdentityService.GetCapabilities",
                        "A device's capabilities are complete and fit its inventory",
                        Identity::capabilities),
                new Requirement(
                        "identity/same-capabilities",
                        "Device.capabilities_id",
                        "Devices of one capabilities_id have the same capabilities but for their domains",
                        Identity::sameCapabilities),
                new Requirement(
                        "identity/unknown-device",
                        "ERROR_REASON_NO_SUCH_DEVICE",
                        "A device the driver does not have is NOT_FOUND",
                        Identity::unknownDevice),
                new Requirement(
                        "identity/probe",
                        "IdentityService.Probe",
                        "A present device gives a sign of life, with its round trip",
                        Identity::probe),
                new Requirement(
                        "identity/health",
                        "grpc.health.v1",
                        "The standard health service says SERVING",
                        Identity::health),
                new Requirement(
                        "identity/reflection",
                        "gRPC reflection",
                        "Reflection lists the four services of the contract, and has the files that describe them",
                        Identity::reflection));
    }

    private static void driverInfo(Bench bench) {
        var info = bench.calls().identity().getDriverInfo(GetDriverInfoRequest.getDefaultInstance());
        that(!info.getName().isEmpty(), "a name", info);
        that(info.getContractVersionsList().contains(CONTRACT), "contract_versions to have " + CONTRACT, info);
        that(!info.getInstanceId().isEmpty(), "an instance_id", info);
        that(!info.getBootId().isEmpty(), "a boot_id", info);
        that(info.hasStartedAt(), "started_at", info);
        that(info.getDeviceCount() >= 1, "a device_count of at least 1", info);
        equal(
                "driver, asked again,",
                info,
                bench.calls().identity().getDriverInfo(GetDriverInfoRequest.getDefaultInstance()));
        List<Device> listed = Inventory.devices(bench);
        int served = Inventory.served(listed).size();
        that(
                info.getDeviceCount() >= served,
                "device_count of at least the " + served + " that ListDevices shows",
                info.getDeviceCount());
        that(
                bench.terms().certified() || info.getDeviceCount() <= listed.size(),
                "device_count of at most the " + listed.size() + " that ListDevices shows to whoever may see all",
                info.getDeviceCount());
    }

    private static void capabilities(Bench bench) {
        Capabilities can = bench.device().capabilities();
        that(can.getSidedness() != Sidedness.SIDEDNESS_UNSPECIFIED, "sidedness", can);
        that(can.getDuplexity() != Duplexity.DUPLEXITY_UNSPECIFIED, "duplexity", can);
        that(can.getReadBack() != ReadBack.READ_BACK_UNSPECIFIED, "read_back", can);
        that(can.getMoveConcurrency() != MoveConcurrency.MOVE_CONCURRENCY_UNSPECIFIED, "move_concurrency", can);
        that(can.getBatchAtomicity() != BatchAtomicity.BATCH_ATOMICITY_UNSPECIFIED, "batch_atomicity", can);
        that(can.getBreakBehaviour() != BreakBehaviour.BREAK_BEHAVIOUR_UNSPECIFIED, "break_behaviour", can);
        that(
                !can.getStreamKindsList().contains(StreamKind.STREAM_KIND_UNSPECIFIED),
                "stream_kinds without UNSPECIFIED, which is never sent",
                can);
        that(can.getMaxBatch() >= 1, "max_batch of at least 1", can);
        that(
                can.getMaxPorts() >= bench.device().inventory().getPortsCount(),
                "max_ports of at least the " + bench.device().inventory().getPortsCount() + " ports there are",
                can.getMaxPorts());
        if (can.hasTypicalSwitchTime() && can.hasMaxSwitchTime()) {
            that(
                    length(can.getTypicalSwitchTime()).compareTo(length(can.getMaxSwitchTime())) <= 0,
                    "typical_switch_time no longer than max_switch_time",
                    can);
        }
    }

    private static Duration length(com.google.protobuf.Duration duration) {
        return Duration.ofSeconds(duration.getSeconds(), duration.getNanos());
    }

    private static void sameCapabilities(Bench bench) {
        Capabilities mine =
                bench.device().capabilities().toBuilder().clearDomains().build();
        List<String> alike = Inventory.devices(bench).stream()
                .filter(d -> d.getAvailability() == Availability.AVAILABILITY_PRESENT)
                .filter(d ->
                        d.getCapabilitiesId().equals(bench.device().device().getCapabilitiesId()))
                .map(Device::getDeviceId)
                .limit(MOST_ALIKE)
                .toList();
        for (String id : alike) {
            Capabilities theirs = bench.calls()
                    .identity()
                    .getCapabilities(
                            GetCapabilitiesRequest.newBuilder().setDeviceId(id).build())
                    .getCapabilities();
            equal(
                    "capabilities of " + id + ", whose capabilities_id is that of " + bench.deviceId(),
                    mine,
                    theirs.toBuilder().clearDomains().build());
        }
    }

    private static void unknownDevice(Bench bench) {
        NoSuchDevice.refuses(bench, "GetCapabilities", () -> {
            var unused = bench.calls()
                    .identity()
                    .getCapabilities(GetCapabilitiesRequest.newBuilder()
                            .setDeviceId(NoSuchDevice.NAME)
                            .build());
        });
    }

    private static void probe(Bench bench) {
        var answer = bench.calls()
                .identity()
                .probe(ProbeRequest.newBuilder().setDeviceId(bench.deviceId()).build());
        that(
                answer.getAnswered()
                        && answer.hasRoundTrip()
                        && answer.getDetail().isEmpty(),
                "answered, with a round_trip and without a detail",
                answer);
    }

    private static void health(Bench bench) {
        var refusal = Refusal.ofCall(() -> equal(
                "health",
                ServingStatus.SERVING,
                HealthGrpc.newBlockingStub(bench.calls().channel())
                        .withDeadlineAfter(bench.terms().patience().toMillis(), TimeUnit.MILLISECONDS)
                        .check(HealthCheckRequest.getDefaultInstance())
                        .getStatus()));
        refusal.ifPresent(r -> {
            throw new Unmet("grpc.health.v1 to answer", r.toString());
        });
    }

    /** By either version: what many servers still offer is v1alpha, whose messages are those of v1. */
    private static void reflection(Bench bench) throws InterruptedException {
        List<String> wanted = List.of(
                CONTRACT + ".IdentityService",
                CONTRACT + ".InventoryService",
                CONTRACT + ".CircuitService",
                CONTRACT + ".TelemetryService");
        List<String> seen = new ArrayList<>();
        for (String version : REFLECTION_VERSIONS) {
            try {
                List<String> listed =
                        reflected(bench, version, r -> r.setListServices(""))
                                .getListServicesResponse()
                                .getServiceList()
                                .stream()
                                .map(ServiceResponse::getName)
                                .toList();
                List<String> undescribed = new ArrayList<>();
                for (String service : wanted) {
                    if (reflected(bench, version, r -> r.setFileContainingSymbol(service))
                                    .getFileDescriptorResponse()
                                    .getFileDescriptorProtoCount()
                            == 0) {
                        undescribed.add(service);
                    }
                }
                if (listed.containsAll(wanted) && undescribed.isEmpty()) {
                    return;
                }
                seen.add(version + " lists " + listed + ", without files for " + undescribed);
            } catch (ExecutionException | TimeoutException none) {
                seen.add(version + ": " + none.getMessage());
            }
        }
        throw new Unmet("reflection to list " + wanted, String.join("; ", seen));
    }

    private static ServerReflectionResponse reflected(
            Bench bench, String version, Consumer<ServerReflectionRequest.Builder> question)
            throws InterruptedException, ExecutionException, TimeoutException {
        CompletableFuture<ServerReflectionResponse> answer = new CompletableFuture<>();
        var method = ServerReflectionGrpc.getServerReflectionInfoMethod().toBuilder()
                .setFullMethodName(version + ".ServerReflection/ServerReflectionInfo")
                .build();
        var requests = ClientCalls.asyncBidiStreamingCall(
                bench.calls().channel().newCall(method, CallOptions.DEFAULT), new StreamObserver<>() {
                    @Override
                    public void onNext(ServerReflectionResponse response) {
                        answer.complete(response);
                    }

                    @Override
                    public void onError(Throwable why) {
                        answer.completeExceptionally(why);
                    }

                    @Override
                    public void onCompleted() {
                        answer.complete(ServerReflectionResponse.getDefaultInstance());
                    }
                });
        ServerReflectionRequest.Builder request = ServerReflectionRequest.newBuilder();
        question.accept(request);
        requests.onNext(request.build());
        requests.onCompleted();
        return answer.get(bench.terms().patience().toMillis(), TimeUnit.MILLISECONDS);
    }
}
