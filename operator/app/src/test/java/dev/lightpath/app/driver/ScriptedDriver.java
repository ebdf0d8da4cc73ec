package dev.lightpath.app.driver;

import static java.util.Objects.requireNonNull;

import com.google.protobuf.Any;
import com.google.rpc.ErrorInfo;
import dev.lightpath.app.driver.state.ProtoCodec;
import dev.lightpath.proto.driver.v1alpha1.ApplyCircuitsRequest;
import dev.lightpath.proto.driver.v1alpha1.ApplyCircuitsResponse;
import dev.lightpath.proto.driver.v1alpha1.Availability;
import dev.lightpath.proto.driver.v1alpha1.Circuit;
import dev.lightpath.proto.driver.v1alpha1.CircuitKey;
import dev.lightpath.proto.driver.v1alpha1.CircuitServiceGrpc;
import dev.lightpath.proto.driver.v1alpha1.CircuitState;
import dev.lightpath.proto.driver.v1alpha1.CircuitsChanged;
import dev.lightpath.proto.driver.v1alpha1.Device;
import dev.lightpath.proto.driver.v1alpha1.DeviceCircuits;
import dev.lightpath.proto.driver.v1alpha1.DeviceInventory;
import dev.lightpath.proto.driver.v1alpha1.DeviceSnapshot;
import dev.lightpath.proto.driver.v1alpha1.GetCircuitsRequest;
import dev.lightpath.proto.driver.v1alpha1.GetCircuitsResponse;
import dev.lightpath.proto.driver.v1alpha1.GetDriverInfoRequest;
import dev.lightpath.proto.driver.v1alpha1.GetDriverInfoResponse;
import dev.lightpath.proto.driver.v1alpha1.GetInventoryRequest;
import dev.lightpath.proto.driver.v1alpha1.GetInventoryResponse;
import dev.lightpath.proto.driver.v1alpha1.GetOperationRequest;
import dev.lightpath.proto.driver.v1alpha1.GetOperationResponse;
import dev.lightpath.proto.driver.v1alpha1.Heartbeat;
import dev.lightpath.proto.driver.v1alpha1.IdentityServiceGrpc;
import dev.lightpath.proto.driver.v1alpha1.InventoryServiceGrpc;
import dev.lightpath.proto.driver.v1alpha1.ListDevicesRequest;
import dev.lightpath.proto.driver.v1alpha1.ListDevicesResponse;
import dev.lightpath.proto.driver.v1alpha1.Operation;
import dev.lightpath.proto.driver.v1alpha1.Outcome;
import dev.lightpath.proto.driver.v1alpha1.Port;
import dev.lightpath.proto.driver.v1alpha1.PortSide;
import dev.lightpath.proto.driver.v1alpha1.SelectablePath;
import dev.lightpath.proto.driver.v1alpha1.Synced;
import dev.lightpath.proto.driver.v1alpha1.TelemetryServiceGrpc;
import dev.lightpath.proto.driver.v1alpha1.WatchRequest;
import dev.lightpath.proto.driver.v1alpha1.WatchResponse;
import io.grpc.Grpc;
import io.grpc.InsecureServerCredentials;
import io.grpc.Server;
import io.grpc.ServerCredentials;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A driver on a real socket that does what a test tells it, for what no real driver does on demand: losing a message,
 * falling silent, answering late. Devices have circuits, and the ports of two modules.
 */
final class ScriptedDriver implements AutoCloseable {
    /** Answers a change: an operation, or a StatusRuntimeException to fail the call with. */
    interface Answer extends Function<ApplyCircuitsRequest, Operation> {}

    /** One stream that somebody reads. */
    final class Stream {
        private final StreamObserver<WatchResponse> reader;
        private long seq;

        private Stream(StreamObserver<WatchResponse> reader) {
            this.reader = reader;
        }

        synchronized void send(WatchResponse.Builder message) {
            if (((ServerCallStreamObserver<WatchResponse>) reader).isCancelled()) {
                return;
            }
            reader.onNext(message.setSeq(++seq).setBootId(bootId).build());
        }

        synchronized void skip() {
            seq++;
        }

        void beat() {
            send(WatchResponse.newBuilder().setHeartbeat(Heartbeat.getDefaultInstance()));
        }

        private void list() {
            circuits.forEach((device, keys) -> send(WatchResponse.newBuilder().setSnapshot(snapshot(device))));
            send(WatchResponse.newBuilder().setSynced(Synced.newBuilder().setDeviceCount(circuits.size())));
        }
    }

    final Map<String, List<CircuitKey>> circuits = new ConcurrentSkipListMap<>();
    final List<ApplyCircuitsRequest> asked = new CopyOnWriteArrayList<>();
    final List<GetOperationRequest> resolved = new CopyOnWriteArrayList<>();
    final List<Stream> streams = new CopyOnWriteArrayList<>();
    final List<String> unread = new CopyOnWriteArrayList<>();
    volatile String bootId = "boot-1";
    volatile String instanceId = "instance-1";
    volatile String contract = DriverLink.CONTRACT;
    volatile String holdingRole = "";
    volatile long highestEpoch;
    volatile String highestEpochHolder = "";
    volatile long highestGeneration;
    volatile String nextPageToken = "";
    /** Whether each page of circuits has a device of its own that nobody asked for, and is not the last. */
    volatile boolean invents;

    private final AtomicInteger invented = new AtomicInteger();
    volatile Answer answer = this::carryOut;
    volatile Function<GetOperationRequest, Operation> memory = request -> {
        throw failure(Status.NOT_FOUND, "NO_SUCH_OPERATION", Map.of());
    };
    volatile boolean listing = true;
    /** Of devices whose inventory is not the usual one. */
    final Map<String, DeviceInventory> inventories = new ConcurrentSkipListMap<>();

    final List<String> withheld = new CopyOnWriteArrayList<>();

    private final ServerCredentials credentials;
    private Server server;
    private int port;
    private @Nullable Thread pulse;

    ScriptedDriver() {
        this(InsecureServerCredentials.create());
    }

    ScriptedDriver(ServerCredentials credentials) {
        this.credentials = credentials;
        server = start();
        port = server.getPort();
    }

    int port() {
        return port;
    }

    /** Keeps all streams from being silent, until the driver is closed. */
    void beatEvery(Duration pause) {
        pulse = Thread.ofVirtual().start(() -> {
            while (!Thread.currentThread().isInterrupted()) {
                streams.forEach(Stream::beat);
                LockSupport.parkNanos(pause.toNanos());
            }
        });
    }

    String address() {
        return "localhost:" + port;
    }

    private Server start() {
        try {
            return Grpc.newServerBuilderForPort(port, credentials)
                    .addService(new Identity())
                    .addService(new Circuits())
                    .addService(new Inventories())
                    .addService(new Telemetry())
                    .build()
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void stop() throws InterruptedException {
        server.shutdownNow().awaitTermination();
        streams.clear();
    }

    void restart(String nextBootId) {
        bootId = nextBootId;
        server = start();
    }

    Stream stream() {
        return streams.getLast();
    }

    void light(String device, String ingress, String egress) {
        circuits.computeIfAbsent(device, name -> new CopyOnWriteArrayList<>()).add(key(ingress, egress));
    }

    /** The circuits of a device; changing the list changes the light. */
    List<CircuitKey> lit(String device) {
        return requireNonNull(circuits.get(device), device);
    }

    static CircuitKey key(String ingress, String egress) {
        return CircuitKey.newBuilder().setIngress(ingress).setEgress(egress).build();
    }

    static StatusRuntimeException failure(Status status, String reason, Map<String, String> details) {
        return StatusProto.toStatusRuntimeException(com.google.rpc.Status.newBuilder()
                .setCode(status.getCode().value())
                .setMessage(Objects.requireNonNullElse(status.getDescription(), "scripted"))
                .addDetails(Any.pack(ErrorInfo.newBuilder()
                        .setDomain("lightpath.dev")
                        .setReason(reason)
                        .putAllMetadata(details)
                        .build()))
                .build());
    }

    /** Does what is asked, tells the stream, answers APPLIED. */
    Operation carryOut(ApplyCircuitsRequest request) {
        List<CircuitKey> keys = lit(request.getDeviceId());
        keys.removeAll(request.getDisconnectsList());
        keys.addAll(request.getConnectsList());
        CircuitsChanged.Builder changed = CircuitsChanged.newBuilder()
                .setDeviceId(request.getDeviceId())
                .addAllRemoved(request.getDisconnectsList())
                .setObservedDigest(ProtoCodec.digest(keys));
        request.getConnectsList().forEach(made -> changed.addChanged(circuit(made)));
        streams.forEach(stream -> stream.send(WatchResponse.newBuilder().setCircuitsChanged(changed)));
        return operation(request, Outcome.OUTCOME_APPLIED);
    }

    Operation operation(ApplyCircuitsRequest request, Outcome outcome) {
        return Operation.newBuilder()
                .setDeviceId(request.getDeviceId())
                .setOperationId(request.getOperationId())
                .setFencing(request.getFencing())
                .setOutcome(outcome)
                .setObservedDigest(ProtoCodec.digest(lit(request.getDeviceId())))
                .build();
    }

    DeviceSnapshot snapshot(String device) {
        if (unread.contains(device)) {
            return DeviceSnapshot.newBuilder()
                    .setDeviceId(device)
                    .setAvailability(Availability.AVAILABILITY_SILENT)
                    .setObservedDigest(ProtoCodec.digest(List.of()))
                    .build();
        }
        List<CircuitKey> keys = lit(device);
        DeviceSnapshot.Builder snapshot = DeviceSnapshot.newBuilder()
                .setDeviceId(device)
                .setAvailability(Availability.AVAILABILITY_PRESENT)
                .setObservedDigest(ProtoCodec.digest(keys))
                .setInventoryRevision(inventory(device).getInventoryRevision())
                .setHoldingRole(holdingRole)
                .setHighestEpoch(highestEpoch)
                .setHighestEpochHolder(highestEpochHolder)
                .setHighestGeneration(highestGeneration);
        keys.forEach(key -> snapshot.addCircuits(circuit(key)));
        return snapshot.build();
    }

    DeviceInventory inventory(String device) {
        return inventories.getOrDefault(device, modules(device, "1", 2));
    }

    /** What a device of so many modules lists. */
    static DeviceInventory modules(String device, String revision, int modules) {
        DeviceInventory.Builder inventory =
                DeviceInventory.newBuilder().setDeviceId(device).setInventoryRevision(revision);
        for (int module = 0; module < modules; module++) {
            String common = "b" + module + ".common";
            inventory.addPorts(Port.newBuilder().setName(common).setSide(PortSide.PORT_SIDE_COMMON));
            for (String end : List.of("loop", "path1", "path2")) {
                String port = "b" + module + "." + end;
                inventory.addPorts(Port.newBuilder()
                        .setName(port)
                        .setSide(end.equals("loop") ? PortSide.PORT_SIDE_LOOP : PortSide.PORT_SIDE_LINE));
                inventory.addPaths(
                        SelectablePath.newBuilder().setCommonPort(common).setLinePort(port));
            }
        }
        return inventory.build();
    }

    static Circuit circuit(CircuitKey key) {
        return Circuit.newBuilder()
                .setKey(key)
                .setState(CircuitState.CIRCUIT_STATE_CONNECTED)
                .build();
    }

    @Override
    public void close() throws InterruptedException {
        if (pulse != null) {
            pulse.interrupt();
            pulse.join();
        }
        server.shutdownNow().awaitTermination();
    }

    private final class Identity extends IdentityServiceGrpc.IdentityServiceImplBase {
        @Override
        public void getDriverInfo(GetDriverInfoRequest request, StreamObserver<GetDriverInfoResponse> reply) {
            reply.onNext(GetDriverInfoResponse.newBuilder()
                    .setName("scripted")
                    .setVersion("1")
                    .addContractVersions(contract)
                    .setInstanceId(instanceId)
                    .setBootId(bootId)
                    .build());
            reply.onCompleted();
        }
    }

    private final class Inventories extends InventoryServiceGrpc.InventoryServiceImplBase {
        @Override
        public void listDevices(ListDevicesRequest request, StreamObserver<ListDevicesResponse> reply) {
            ListDevicesResponse.Builder listed = ListDevicesResponse.newBuilder();
            request.getDeviceIdsList()
                    .forEach(device -> listed.addDevices(
                            Device.newBuilder().setDeviceId(device).setVendor("acme")));
            reply.onNext(listed.build());
            reply.onCompleted();
        }

        @Override
        public void getInventory(GetInventoryRequest request, StreamObserver<GetInventoryResponse> reply) {
            if (request.getDeviceIdsList().stream().anyMatch(withheld::contains)) {
                reply.onError(
                        Status.PERMISSION_DENIED.withDescription("not for you").asRuntimeException());
                return;
            }
            GetInventoryResponse.Builder listed = GetInventoryResponse.newBuilder();
            request.getDeviceIdsList().forEach(device -> listed.addDevices(inventory(device)));
            reply.onNext(listed.build());
            reply.onCompleted();
        }
    }

    private final class Telemetry extends TelemetryServiceGrpc.TelemetryServiceImplBase {
        @Override
        public void watch(WatchRequest request, StreamObserver<WatchResponse> reader) {
            Stream stream = new Stream(reader);
            ((ServerCallStreamObserver<WatchResponse>) reader).setOnCancelHandler(() -> streams.remove(stream));
            if (listing) {
                stream.list();
            } else {
                stream.beat();
            }
            streams.add(stream);
        }
    }

    private final class Circuits extends CircuitServiceGrpc.CircuitServiceImplBase {
        @Override
        public void applyCircuits(ApplyCircuitsRequest request, StreamObserver<ApplyCircuitsResponse> reply) {
            asked.add(request);
            try {
                reply.onNext(ApplyCircuitsResponse.newBuilder()
                        .setOperation(answer.apply(request))
                        .build());
                reply.onCompleted();
            } catch (StatusRuntimeException failure) {
                reply.onError(failure);
            }
        }

        @Override
        public void getOperation(GetOperationRequest request, StreamObserver<GetOperationResponse> reply) {
            resolved.add(request);
            try {
                reply.onNext(GetOperationResponse.newBuilder()
                        .setOperation(memory.apply(request))
                        .build());
                reply.onCompleted();
            } catch (StatusRuntimeException failure) {
                reply.onError(failure);
            }
        }

        @Override
        public void getCircuits(GetCircuitsRequest request, StreamObserver<GetCircuitsResponse> reply) {
            GetCircuitsResponse.Builder circuitsNow = GetCircuitsResponse.newBuilder();
            request.getDevicesList().forEach(scope -> {
                List<CircuitKey> keys = lit(scope.getDeviceId());
                DeviceCircuits.Builder device = DeviceCircuits.newBuilder()
                        .setDeviceId(scope.getDeviceId())
                        .setObservedDigest(ProtoCodec.digest(keys))
                        .setHoldingRole(holdingRole)
                        .setHighestEpoch(highestEpoch);
                keys.forEach(key -> device.addCircuits(circuit(key)));
                circuitsNow.addDevices(device);
            });
            if (invents) {
                String name = "invented-" + invented.incrementAndGet();
                circuitsNow.addDevices(DeviceCircuits.newBuilder().setDeviceId(name));
                circuitsNow.setNextPageToken(name);
            } else {
                circuitsNow.setNextPageToken(nextPageToken);
            }
            reply.onNext(circuitsNow.build());
            reply.onCompleted();
        }
    }
}
