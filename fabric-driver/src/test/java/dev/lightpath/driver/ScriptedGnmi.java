package dev.lightpath.driver;

import com.github.gnmi.proto.CapabilityRequest;
import com.github.gnmi.proto.CapabilityResponse;
import com.github.gnmi.proto.GetRequest;
import com.github.gnmi.proto.GetResponse;
import com.github.gnmi.proto.ModelData;
import com.github.gnmi.proto.Notification;
import com.github.gnmi.proto.Path;
import com.github.gnmi.proto.PathElem;
import com.github.gnmi.proto.SetRequest;
import com.github.gnmi.proto.SetResponse;
import com.github.gnmi.proto.SubscribeRequest;
import com.github.gnmi.proto.SubscribeResponse;
import com.github.gnmi.proto.TypedValue;
import com.github.gnmi.proto.Update;
import com.github.gnmi.proto.gNMIGrpc;
import com.google.protobuf.ByteString;
import io.grpc.Server;
import io.grpc.Status;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;

/** A gNMI server that answers as a test wants it, well or badly, and takes every change without doing it. */
final class ScriptedGnmi extends gNMIGrpc.gNMIImplBase implements AutoCloseable {
    static final String CONFIG_PORTS = "sonic-ocs:sonic-ocs/OCS_PORT";
    static final String CONFIG_CIRCUITS = "sonic-ocs:sonic-ocs/OCS_CROSS_CONNECT";
    static final String PORTS = "sonic-ocs-states:sonic-ocs-states/OCS_PORT";
    static final String CIRCUITS = "sonic-ocs-states:sonic-ocs-states/OCS_CROSS_CONNECT";

    private final Map<String, ByteString> answers = new ConcurrentHashMap<>();
    private final Map<String, String> models = new ConcurrentHashMap<>();
    private final AtomicInteger streams = new AtomicInteger();
    private final Server server;

    ScriptedGnmi() throws IOException {
        server = NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .addService(this)
                .build()
                .start();
        says(CONFIG_PORTS, "{}");
        says(CONFIG_CIRCUITS, "{}");
        says(PORTS, """
                {"OCS_PORT_LIST":[{"simplex_port_id":"1A","status":"blocked"},{"simplex_port_id":"1B","status":"blocked"}]}
                """);
        says(CIRCUITS, "{}");
    }

    void says(String path, String json) {
        says(path, ByteString.copyFromUtf8(json));
    }

    void says(String path, ByteString json) {
        answers.put(path, json);
    }

    /** It has no such path. */
    void knowsNot(String path) {
        answers.remove(path);
    }

    /** Says that it has a module, and of which version. */
    void has(String module, String version) {
        models.put(module, version);
    }

    int port() {
        return server.getPort();
    }

    /** Streams that were opened. */
    int streams() {
        return streams.get();
    }

    @Override
    public void capabilities(CapabilityRequest request, StreamObserver<CapabilityResponse> out) {
        CapabilityResponse.Builder can = CapabilityResponse.newBuilder();
        if (answers.containsKey(PORTS)) {
            models.putIfAbsent("sonic-ocs-states", "");
        }
        models.forEach((name, version) ->
                can.addSupportedModels(ModelData.newBuilder().setName(name).setVersion(version)));
        out.onNext(can.build());
        out.onCompleted();
    }

    @Override
    public void get(GetRequest request, StreamObserver<GetResponse> out) {
        Path path = request.getPath(0);
        String name = path.getElemList().stream().map(PathElem::getName).collect(Collectors.joining("/"));
        ByteString json = answers.get(name);
        if (json == null) {
            out.onError(Status.NOT_FOUND.asRuntimeException());
            return;
        }
        out.onNext(GetResponse.newBuilder()
                .addNotification(Notification.newBuilder()
                        .addUpdate(Update.newBuilder()
                                .setPath(path)
                                .setVal(TypedValue.newBuilder().setJsonIetfVal(json))))
                .build());
        out.onCompleted();
    }

    @Override
    public void set(SetRequest request, StreamObserver<SetResponse> out) {
        out.onNext(SetResponse.getDefaultInstance());
        out.onCompleted();
    }

    @Override
    public StreamObserver<SubscribeRequest> subscribe(StreamObserver<SubscribeResponse> out) {
        streams.incrementAndGet();
        out.onNext(SubscribeResponse.newBuilder().setSyncResponse(true).build());
        out.onCompleted();
        return new StreamObserver<>() {
            @Override
            public void onNext(SubscribeRequest request) {}

            @Override
            public void onError(Throwable gone) {}

            @Override
            public void onCompleted() {}
        };
    }

    @Override
    public void close() {
        server.shutdownNow();
    }
}
