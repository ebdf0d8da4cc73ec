package dev.lightpath.driver.mutant;

import com.google.protobuf.Timestamp;
import dev.lightpath.proto.driver.v1alpha1.ApplyCircuitsRequest;
import dev.lightpath.proto.driver.v1alpha1.ApplyCircuitsResponse;
import dev.lightpath.proto.driver.v1alpha1.CircuitSource;
import dev.lightpath.proto.driver.v1alpha1.GetCircuitsRequest;
import dev.lightpath.proto.driver.v1alpha1.GetCircuitsResponse;
import dev.lightpath.proto.driver.v1alpha1.GetDriverInfoRequest;
import dev.lightpath.proto.driver.v1alpha1.GetDriverInfoResponse;
import dev.lightpath.proto.driver.v1alpha1.GetInventoryRequest;
import dev.lightpath.proto.driver.v1alpha1.GetInventoryResponse;
import dev.lightpath.proto.driver.v1alpha1.ItemAction;
import dev.lightpath.proto.driver.v1alpha1.ItemReason;
import dev.lightpath.proto.driver.v1alpha1.ListDevicesRequest;
import dev.lightpath.proto.driver.v1alpha1.ListDevicesResponse;
import dev.lightpath.proto.driver.v1alpha1.ListFactoryLossRequest;
import dev.lightpath.proto.driver.v1alpha1.ListFactoryLossResponse;
import io.grpc.ServerServiceDefinition;
import io.grpc.reflection.v1.ListServiceResponse;
import io.grpc.reflection.v1.ServerReflectionGrpc;
import io.grpc.reflection.v1.ServerReflectionRequest;
import io.grpc.reflection.v1.ServerReflectionResponse;
import io.grpc.reflection.v1.ServiceResponse;
import io.grpc.stub.StreamObserver;
import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Times, counts and tables that are not what they are said to be. */
final class AccountMutants {
    private AccountMutants() {}

    private static Mutant answering(String bug, String requirement, Consumer<ApplyCircuitsResponse.Builder> instead) {
        return new Mutant(bug, requirement) {
            @Override
            ApplyCircuitsResponse apply(ApplyCircuitsRequest request) {
                ApplyCircuitsResponse.Builder answer = super.apply(request).toBuilder();
                instead.accept(answer);
                return answer.build();
            }
        };
    }

    private static Mutant reading(String bug, String requirement, Consumer<GetCircuitsResponse.Builder> instead) {
        return new Mutant(bug, requirement) {
            @Override
            GetCircuitsResponse circuits(GetCircuitsRequest request) {
                GetCircuitsResponse.Builder answer = super.circuits(request).toBuilder();
                instead.accept(answer);
                return answer.build();
            }
        };
    }

    private static Timestamp now() {
        Instant now = Instant.now();
        return Timestamp.newBuilder()
                .setSeconds(now.getEpochSecond())
                .setNanos(now.getNano())
                .build();
    }

    /** Reflection that knows names and no files. */
    private static final class Names extends ServerReflectionGrpc.ServerReflectionImplBase {
        @Override
        public StreamObserver<ServerReflectionRequest> serverReflectionInfo(
                StreamObserver<ServerReflectionResponse> client) {
            return new StreamObserver<>() {
                @Override
                public void onNext(ServerReflectionRequest request) {
                    ListServiceResponse.Builder names = ListServiceResponse.newBuilder();
                    Stream.of("Identity", "Inventory", "Circuit", "Telemetry")
                            .map(n -> "lightpath.driver.v1alpha1." + n + "Service")
                            .forEach(n -> names.addService(
                                    ServiceResponse.newBuilder().setName(n)));
                    client.onNext(ServerReflectionResponse.newBuilder()
                            .setListServicesResponse(names)
                            .build());
                }

                @Override
                public void onError(Throwable why) {
                    client.onCompleted();
                }

                @Override
                public void onCompleted() {
                    client.onCompleted();
                }
            };
        }
    }

    static List<Mutant> all() {
        return List.of(
                answering("counts time in milliseconds", "circuits/items", answer -> {
                    var operation = answer.getOperationBuilder();
                    operation
                            .getFinishedAtBuilder()
                            .setSeconds(operation.getFinishedAt().getSeconds() * 1000);
                }),
                answering(
                        "says that it started items after it finished them",
                        "circuits/items",
                        answer -> answer.getOperationBuilder().getItemsBuilderList().stream()
                                .filter(i -> i.hasFinishedAt())
                                .forEach(i -> i.setStartedAt(Timestamp.newBuilder()
                                        .setSeconds(i.getFinishedAt().getSeconds() + 1)))),
                answering("says that it made before it broke", "circuits/swap", answer -> {
                    var items = answer.getOperationBuilder().getItemsBuilderList();
                    items.stream()
                            .filter(i -> i.getAction() == ItemAction.ITEM_ACTION_DISCONNECT && i.hasFinishedAt())
                            .forEach(i -> i.setFinishedAt(items.getLast().getFinishedAt()));
                }),
                answering(
                        "does not say what was already so",
                        "circuits/already-so",
                        answer -> answer.getOperationBuilder().getItemsBuilderList().stream()
                                .filter(i -> i.getReason() == ItemReason.ITEM_REASON_ALREADY)
                                .forEach(i -> i.clearReason())),
                new Mutant("gives the digest before of the whole device", "scope/others-stay") {
                    @Override
                    ApplyCircuitsResponse apply(ApplyCircuitsRequest request) {
                        String whole = wholeDigest(request.getDeviceId());
                        ApplyCircuitsResponse.Builder answer = super.apply(request).toBuilder();
                        answer.getOperationBuilder().setBeforeDigest(whole);
                        return answer.build();
                    }
                },
                reading(
                        "sees every circuit for the first time whenever it reads",
                        "circuits/ownership",
                        answer -> answer.getDevicesBuilderList()
                                .forEach(d -> d.getCircuitsBuilderList().forEach(c -> c.setSince(now())))),
                reading("loses a device of each page of circuits", "circuits/read-all", answer -> {
                    if (!answer.getNextPageToken().isEmpty()) {
                        answer.removeDevices(answer.getDevicesCount() - 1);
                    }
                }),
                reading(
                        "gives foreign circuits to whoever holds the device",
                        "foreign/told",
                        answer -> answer.getDevicesBuilderList()
                                .forEach(d -> d.getCircuitsBuilderList().stream()
                                        .filter(c -> c.getForeign())
                                        .forEach(c -> c.setRole(d.getHoldingRole())))),
                new Mutant("reads the configuration unless asked for the hardware", "circuits/source") {
                    @Override
                    GetCircuitsResponse circuits(GetCircuitsRequest request) {
                        return super.circuits(
                                request.getSource() == CircuitSource.CIRCUIT_SOURCE_UNSPECIFIED
                                        ? request.toBuilder()
                                                .setSource(CircuitSource.CIRCUIT_SOURCE_CONFIG)
                                                .build()
                                        : request);
                    }
                },
                new Mutant("says that every device has just appeared", "inventory/device") {
                    @Override
                    ListDevicesResponse devices(ListDevicesRequest request, ListDevicesResponse answer) {
                        ListDevicesResponse.Builder young = answer.toBuilder();
                        young.getDevicesBuilderList().forEach(d -> d.setSince(now()));
                        return young.build();
                    }
                },
                new Mutant("counts a device less than it lists", "identity/driver-info") {
                    @Override
                    GetDriverInfoResponse info(GetDriverInfoRequest request, GetDriverInfoResponse answer) {
                        return answer.toBuilder()
                                .setDeviceCount(answer.getDeviceCount() - 1)
                                .build();
                    }
                },
                new Mutant("has always just started", "identity/driver-info") {
                    @Override
                    GetDriverInfoResponse info(GetDriverInfoRequest request, GetDriverInfoResponse answer) {
                        return answer.toBuilder().setStartedAt(now()).build();
                    }
                },
                new Mutant("has one capabilities_id for devices that differ", "identity/same-capabilities") {
                    @Override
                    ListDevicesResponse devices(ListDevicesRequest request, ListDevicesResponse answer) {
                        ListDevicesResponse.Builder alike = answer.toBuilder();
                        alike.getDevicesBuilderList().forEach(d -> d.setCapabilitiesId("one for all"));
                        return alike.build();
                    }
                },
                new Mutant("reflects names without files", "identity/reflection") {
                    @Override
                    List<ServerServiceDefinition> standardServices() {
                        return List.of(new Names().bindService());
                    }
                },
                new Mutant("loses an inventory of each page", "inventory/pages") {
                    @Override
                    GetInventoryResponse inventory(GetInventoryRequest request, GetInventoryResponse answer) {
                        return answer.getNextPageToken().isEmpty()
                                ? answer
                                : answer.toBuilder()
                                        .removeDevices(answer.getDevicesCount() - 1)
                                        .build();
                    }
                },
                new Mutant("says for ever that there are more inventories", "inventory/pages") {
                    @Override
                    GetInventoryResponse inventory(GetInventoryRequest request, GetInventoryResponse answer) {
                        return answer.getNextPageToken().isEmpty() && request.getDeviceIdsCount() == 0
                                ? answer.toBuilder().setNextPageToken("~").build()
                                : answer;
                    }
                },
                reading("says for ever that there are more circuits", "circuits/read-all", answer -> {
                    if (answer.getNextPageToken().isEmpty()) {
                        answer.setNextPageToken("~");
                    }
                }),
                new Mutant("loses the end of its loss table when paged", "inventory/factory-loss") {
                    @Override
                    ListFactoryLossResponse factoryLoss(
                            ListFactoryLossRequest request, ListFactoryLossResponse answer) {
                        return request.getPageToken().isEmpty()
                                        || !answer.getNextPageToken().isEmpty()
                                ? answer
                                : answer.toBuilder()
                                        .removeEntries(answer.getEntriesCount() - 1)
                                        .build();
                    }
                });
    }
}
