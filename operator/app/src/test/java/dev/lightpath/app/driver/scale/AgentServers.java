package dev.lightpath.app.driver.scale;

import dev.lightpath.proto.driver.v1alpha1.Availability;
import dev.lightpath.proto.driver.v1alpha1.Circuit;
import dev.lightpath.proto.driver.v1alpha1.CircuitKey;
import dev.lightpath.proto.driver.v1alpha1.CircuitState;
import dev.lightpath.proto.driver.v1alpha1.CircuitsChanged;
import dev.lightpath.proto.driver.v1alpha1.Device;
import dev.lightpath.proto.driver.v1alpha1.DeviceInventory;
import dev.lightpath.proto.driver.v1alpha1.DeviceSnapshot;
import dev.lightpath.proto.driver.v1alpha1.GetDriverInfoRequest;
import dev.lightpath.proto.driver.v1alpha1.GetDriverInfoResponse;
import dev.lightpath.proto.driver.v1alpha1.GetInventoryRequest;
import dev.lightpath.proto.driver.v1alpha1.GetInventoryResponse;
import dev.lightpath.proto.driver.v1alpha1.Heartbeat;
import dev.lightpath.proto.driver.v1alpha1.IdentityServiceGrpc;
import dev.lightpath.proto.driver.v1alpha1.InventoryServiceGrpc;
import dev.lightpath.proto.driver.v1alpha1.ListDevicesRequest;
import dev.lightpath.proto.driver.v1alpha1.ListDevicesResponse;
import dev.lightpath.proto.driver.v1alpha1.Port;
import dev.lightpath.proto.driver.v1alpha1.PortSide;
import dev.lightpath.proto.driver.v1alpha1.SelectablePath;
import dev.lightpath.proto.driver.v1alpha1.Synced;
import dev.lightpath.proto.driver.v1alpha1.TelemetryServiceGrpc;
import dev.lightpath.proto.driver.v1alpha1.WatchRequest;
import dev.lightpath.proto.driver.v1alpha1.WatchResponse;
import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.Grpc;
import io.grpc.InsecureServerCredentials;
import io.grpc.Metadata;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerCredentials;
import io.grpc.ServerInterceptor;
import io.grpc.TlsServerCredentials;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * A process that answers as the agents of many nodes: one port, and an address of 127.0.0.0/8 for each node. Each line
 * of its input is the number of a node, whose circuits it then tells to have changed.
 */
final class AgentServers {
    private static final Context.Key<String> NODE = Context.key("node");

    private final Map<String, Stream> streams = new ConcurrentHashMap<>();
    private final ScheduledExecutorService beats = Executors.newSingleThreadScheduledExecutor();

    private AgentServers() {}

    /** The address of a node by its number. */
    static String address(int node) {
        return "127." + (1 + (node >> 16)) + "." + (node >> 8 & 255) + "." + (node & 255);
    }

    private static String node(InetSocketAddress local) {
        byte[] address = local.getAddress().getAddress();
        return "n" + (((address[1] & 0xFF) - 1) << 16 | (address[2] & 0xFF) << 8 | address[3] & 0xFF);
    }

    /** Names the node whose address was called. */
    private static final class ByAddress implements ServerInterceptor {
        @Override
        public <Q, A> ServerCall.Listener<Q> interceptCall(
                ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
            InetSocketAddress local = (InetSocketAddress) call.getAttributes().get(Grpc.TRANSPORT_ATTR_LOCAL_ADDR);
            return Contexts.interceptCall(Context.current().withValue(NODE, node(local)), call, headers, next);
        }
    }

    private static final class Stream {
        private final StreamObserver<WatchResponse> reader;
        private long seq;

        Stream(StreamObserver<WatchResponse> reader) {
            this.reader = reader;
        }

        synchronized void send(WatchResponse.Builder message) {
            if (!((ServerCallStreamObserver<WatchResponse>) reader).isCancelled()) {
                reader.onNext(message.setSeq(++seq).setBootId("boot-1").build());
            }
        }
    }

    private static List<Circuit> circuits(String end) {
        return List.of(circuit("b0", end), circuit("b1", "loop"));
    }

    private static Circuit circuit(String bundle, String end) {
        return Circuit.newBuilder()
                .setKey(CircuitKey.newBuilder().setIngress(bundle + ".common").setEgress(bundle + "." + end))
                .setState(CircuitState.CIRCUIT_STATE_CONNECTED)
                .build();
    }

    private void watch(WatchRequest request, StreamObserver<WatchResponse> reader) {
        String node = NODE.get();
        Stream stream = new Stream(reader);
        ((ServerCallStreamObserver<WatchResponse>) reader).setOnCancelHandler(() -> streams.remove(node, stream));
        stream.send(WatchResponse.newBuilder()
                .setSnapshot(DeviceSnapshot.newBuilder()
                        .setDeviceId(node)
                        .setAvailability(Availability.AVAILABILITY_PRESENT)
                        .setObservedDigest("0")
                        .setInventoryRevision("1")
                        .addAllCircuits(circuits("loop"))));
        stream.send(WatchResponse.newBuilder().setSynced(Synced.newBuilder().setDeviceCount(1)));
        streams.put(node, stream);
        long every = Math.max(1, request.getHeartbeatInterval().getSeconds());
        var unused = beats.scheduleWithFixedDelay(
                () -> {
                    if (streams.get(node) == stream) {
                        stream.send(WatchResponse.newBuilder().setHeartbeat(Heartbeat.getDefaultInstance()));
                    }
                },
                every,
                every,
                TimeUnit.SECONDS);
    }

    /** As an agent has them: it shows its certificate, and takes the operator's alone. */
    private static ServerCredentials secured(File certificate, File privateKey) throws IOException {
        return TlsServerCredentials.newBuilder()
                .keyManager(certificate, privateKey)
                .trustManager(certificate)
                .clientAuth(TlsServerCredentials.ClientAuth.REQUIRE)
                .build();
    }

    private Server start(int port, ServerCredentials credentials) throws IOException {
        return Grpc.newServerBuilderForPort(port, credentials)
                .intercept(new ByAddress())
                .permitKeepAliveTime(1, TimeUnit.SECONDS)
                .addService(new IdentityServiceGrpc.IdentityServiceImplBase() {
                    @Override
                    public void getDriverInfo(
                            GetDriverInfoRequest request, StreamObserver<GetDriverInfoResponse> reply) {
                        reply.onNext(GetDriverInfoResponse.newBuilder()
                                .setName("agent")
                                .setVersion("1")
                                .addContractVersions("lightpath.driver.v1alpha1")
                                .setInstanceId("i-" + NODE.get())
                                .setBootId("boot-1")
                                .build());
                        reply.onCompleted();
                    }
                })
                .addService(new InventoryServiceGrpc.InventoryServiceImplBase() {
                    @Override
                    public void listDevices(ListDevicesRequest request, StreamObserver<ListDevicesResponse> reply) {
                        reply.onNext(ListDevicesResponse.newBuilder()
                                .addDevices(Device.newBuilder().setDeviceId(NODE.get()))
                                .build());
                        reply.onCompleted();
                    }

                    @Override
                    public void getInventory(GetInventoryRequest request, StreamObserver<GetInventoryResponse> reply) {
                        reply.onNext(GetInventoryResponse.newBuilder()
                                .addDevices(inventory(NODE.get()))
                                .build());
                        reply.onCompleted();
                    }
                })
                .addService(new TelemetryServiceGrpc.TelemetryServiceImplBase() {
                    @Override
                    public void watch(WatchRequest request, StreamObserver<WatchResponse> reader) {
                        AgentServers.this.watch(request, reader);
                    }
                })
                .build()
                .start();
    }

    private static DeviceInventory inventory(String node) {
        DeviceInventory.Builder inventory =
                DeviceInventory.newBuilder().setDeviceId(node).setInventoryRevision("1");
        for (String bundle : List.of("b0", "b1")) {
            inventory.addPorts(Port.newBuilder().setName(bundle + ".common").setSide(PortSide.PORT_SIDE_COMMON));
            for (String end : List.of("loop", "path1", "path2")) {
                inventory.addPorts(Port.newBuilder()
                        .setName(bundle + "." + end)
                        .setSide(end.equals("loop") ? PortSide.PORT_SIDE_LOOP : PortSide.PORT_SIDE_LINE));
                inventory.addPaths(SelectablePath.newBuilder()
                        .setCommonPort(bundle + ".common")
                        .setLinePort(bundle + "." + end));
            }
        }
        return inventory.build();
    }

    /** @param arguments files of a certificate and of its key, for mutual TLS; none for plaintext. Says its port */
    public static void main(String[] arguments) throws Exception {
        AgentServers agents = new AgentServers();
        Server server = agents.start(
                0,
                arguments.length == 0
                        ? InsecureServerCredentials.create()
                        : secured(new File(arguments[0]), new File(arguments[1])));
        System.out.println(server.getPort());
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            String node = "n" + line.strip();
            Stream stream = agents.streams.get(node);
            if (stream != null) {
                stream.send(WatchResponse.newBuilder()
                        .setCircuitsChanged(CircuitsChanged.newBuilder()
                                .setDeviceId(node)
                                .setObservedDigest(Long.toString(System.nanoTime()))
                                .addAllChanged(circuits("path1"))));
            }
        }
        server.shutdownNow();
        System.exit(0);
    }
}
