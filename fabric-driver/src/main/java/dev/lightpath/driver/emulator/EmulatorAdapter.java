package dev.lightpath.driver.emulator;

import dev.lightpath.driver.adapter.Adapter;
import dev.lightpath.driver.adapter.AdapterListener;
import dev.lightpath.driver.adapter.DeviceSilentException;
import dev.lightpath.driver.adapter.Move;
import dev.lightpath.driver.adapter.MoveAnswer;
import dev.lightpath.driver.adapter.NativeCircuit;
import dev.lightpath.driver.config.AdapterConfig;
import dev.lightpath.proto.driver.v1alpha1.CircuitSource;
import dev.lightpath.proto.driver.v1alpha1.FactoryLoss;
import dev.lightpath.proto.emulator.v1alpha1.DeviceServiceGrpc;
import dev.lightpath.proto.emulator.v1alpha1.DeviceServiceGrpc.DeviceServiceBlockingStub;
import dev.lightpath.proto.emulator.v1alpha1.GetConnectionsRequest;
import dev.lightpath.proto.emulator.v1alpha1.ListFactoryLossRequest;
import dev.lightpath.proto.emulator.v1alpha1.PortPair;
import dev.lightpath.proto.emulator.v1alpha1.ReplyWhen;
import dev.lightpath.proto.emulator.v1alpha1.SetConnectionsRequest;
import io.grpc.ManagedChannel;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Devices of an emulator process. All of them share one channel and one stream. */
public final class EmulatorAdapter implements Adapter {
    static final String KIND = AdapterConfig.Emulator.KIND;
    private static final Duration CALL = Duration.ofSeconds(3);

    private final ManagedChannel channel;
    private final DeviceServiceBlockingStub calls;
    private @Nullable EmulatorStream stream;

    /** @param endpoint host:port */
    public EmulatorAdapter(String endpoint) {
        this.channel = NettyChannelBuilder.forTarget("dns:///" + endpoint)
                .usePlaintext()
                .maxInboundMessageSize(64 << 20)
                .keepAliveTime(10, TimeUnit.SECONDS)
                .keepAliveTimeout(5, TimeUnit.SECONDS)
                .build();
        this.calls = DeviceServiceGrpc.newBlockingStub(channel);
    }

    @Override
    public String kind() {
        return KIND;
    }

    @Override
    public synchronized CompletableFuture<Set<String>> start(AdapterListener listener) {
        if (stream != null) {
            throw new IllegalStateException("started twice");
        }
        stream = new EmulatorStream(channel, listener);
        return stream.start();
    }

    @Override
    public synchronized void again(String deviceId) {
        if (stream != null) {
            stream.again(deviceId);
        }
    }

    @Override
    public List<NativeCircuit> read(String deviceId, CircuitSource source) throws DeviceSilentException {
        var request = GetConnectionsRequest.newBuilder().setDeviceId(deviceId).build();
        return Translation.circuits(
                ask(CALL, stub -> stub.getConnections(request)).getConnectionsList());
    }

    @Override
    public List<MoveAnswer> move(String deviceId, List<Move> moves, Duration within) throws DeviceSilentException {
        SetConnectionsRequest.Builder request =
                SetConnectionsRequest.newBuilder().setDeviceId(deviceId).setReplyWhen(ReplyWhen.REPLY_WHEN_SETTLED);
        for (Move move : moves) {
            PortPair pair = PortPair.newBuilder()
                    .setIngress(move.pair().ingress())
                    .setEgress(move.pair().egress())
                    .build();
            switch (move) {
                case Move.Break unused -> request.addDisconnects(pair);
                case Move.Make unused -> request.addConnects(pair);
            }
        }
        var response = ask(within, stub -> stub.setConnections(request.build()));
        Deque<MoveAnswer> breaks = new ArrayDeque<>();
        response.getDisconnectsList().forEach(r -> breaks.add(Translation.answer(r)));
        Deque<MoveAnswer> makes = new ArrayDeque<>();
        response.getConnectsList().forEach(r -> makes.add(Translation.answer(r)));
        List<MoveAnswer> answers = new ArrayList<>();
        for (Move move : moves) {
            MoveAnswer answer = switch (move) {
                case Move.Break unused -> breaks.poll();
                case Move.Make unused -> makes.poll();
            };
            if (answer == null) {
                throw new DeviceSilentException("answered " + answers.size() + " of " + moves.size() + " moves");
            }
            answers.add(answer);
        }
        return answers;
    }

    @Override
    public void shutter(String deviceId, String port, boolean closed) {
        throw new UnsupportedOperationException("emulated devices have no shutters");
    }

    @Override
    public void probe(String deviceId) throws DeviceSilentException {
        var unused = read(deviceId, CircuitSource.CIRCUIT_SOURCE_HARDWARE);
    }

    @Override
    public List<FactoryLoss> factoryLoss(String deviceId) throws DeviceSilentException {
        List<FactoryLoss> all = new ArrayList<>();
        String token = "";
        do {
            var request = ListFactoryLossRequest.newBuilder()
                    .setDeviceId(deviceId)
                    .setPageSize(10_000)
                    .setPageToken(token)
                    .build();
            var page = ask(CALL, stub -> stub.listFactoryLoss(request));
            page.getEntriesList().forEach(entry -> all.add(Translation.loss(entry)));
            token = page.getNextPageToken();
        } while (!token.isEmpty());
        return all;
    }

    private <T> T ask(Duration within, Function<DeviceServiceBlockingStub, T> call) throws DeviceSilentException {
        try {
            return call.apply(calls.withDeadlineAfter(within.toMillis(), TimeUnit.MILLISECONDS));
        } catch (StatusRuntimeException e) {
            throw new DeviceSilentException(
                    e.getStatus().getCode() + ": " + e.getStatus().getDescription());
        }
    }

    @Override
    public synchronized void close() {
        if (stream != null) {
            stream.close();
        }
        channel.shutdownNow();
    }
}
