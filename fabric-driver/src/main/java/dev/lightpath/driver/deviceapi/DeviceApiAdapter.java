package dev.lightpath.driver.deviceapi;

import dev.lightpath.driver.adapter.Adapter;
import dev.lightpath.driver.adapter.AdapterListener;
import dev.lightpath.driver.adapter.DeviceSilentException;
import dev.lightpath.driver.adapter.Move;
import dev.lightpath.driver.adapter.MoveAnswer;
import dev.lightpath.driver.adapter.NativeCircuit;
import dev.lightpath.driver.config.AdapterConfig;
import dev.lightpath.proto.device.v1alpha1.Circuit;
import dev.lightpath.proto.device.v1alpha1.DeviceServiceGrpc;
import dev.lightpath.proto.device.v1alpha1.DeviceServiceGrpc.DeviceServiceBlockingStub;
import dev.lightpath.proto.device.v1alpha1.ListFactoryLossRequest;
import dev.lightpath.proto.device.v1alpha1.MoveItem;
import dev.lightpath.proto.device.v1alpha1.MoveRequest;
import dev.lightpath.proto.device.v1alpha1.ProbeRequest;
import dev.lightpath.proto.device.v1alpha1.ReadRequest;
import dev.lightpath.proto.device.v1alpha1.SetShutterRequest;
import dev.lightpath.proto.driver.v1alpha1.CircuitSource;
import dev.lightpath.proto.driver.v1alpha1.FactoryLoss;
import io.grpc.ManagedChannel;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Devices of one program. All of them share one channel and one stream. */
public final class DeviceApiAdapter implements Adapter {
    private static final Duration CALL = Duration.ofSeconds(3);
    private static final int MOST_BYTES = 64 << 20;

    private final String endpoint;
    private final ScheduledExecutorService timers = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("device-api").factory());
    private final ManagedChannel channel;
    private final DeviceServiceBlockingStub calls;
    private @Nullable DeviceStream stream;

    /** @throws IOException with one line, when the TLS files cannot be used */
    public DeviceApiAdapter(AdapterConfig.DeviceApi config) throws IOException {
        this.endpoint = config.endpoint();
        NettyChannelBuilder builder = NettyChannelBuilder.forTarget(
                        "dns:///" + endpoint, Credentials.of(config.tls(), timers))
                // a repeated move would be a second one
                .disableRetry()
                .maxInboundMessageSize(MOST_BYTES);
        config.tls().flatMap(AdapterConfig.ClientTls::serverName).ifPresent(builder::overrideAuthority);
        this.channel = builder.build();
        this.calls = DeviceServiceGrpc.newBlockingStub(channel);
    }

    @Override
    public String kind() {
        return AdapterConfig.DeviceApi.KIND;
    }

    @Override
    public String where() {
        return kind() + " " + endpoint;
    }

    @Override
    public synchronized CompletableFuture<Set<String>> start(AdapterListener listener) {
        if (stream != null) {
            throw new IllegalStateException("started twice");
        }
        stream = new DeviceStream(endpoint, channel, listener);
        return stream.start();
    }

    @Override
    public synchronized void again(String deviceId) {
        if (stream != null) {
            stream.again();
        }
    }

    @Override
    public List<NativeCircuit> read(String deviceId, CircuitSource source) throws DeviceSilentException {
        var request =
                ReadRequest.newBuilder().setDeviceId(deviceId).setSource(source).build();
        List<Circuit> circuits = ask(CALL, stub -> stub.read(request)).getCircuitsList();
        Optional<KnownDevice> described = described(deviceId);
        try {
            return described.isPresent() ? described.get().circuits(circuits) : Translation.circuits(circuits);
        } catch (UnusableException wrong) {
            throw new DeviceSilentException(DeviceStream.UNUSABLE + wrong.getMessage());
        }
    }

    private synchronized Optional<KnownDevice> described(String deviceId) {
        return stream == null ? Optional.empty() : stream.device(deviceId);
    }

    @Override
    public List<MoveAnswer> move(String deviceId, List<Move> moves, Duration within) throws DeviceSilentException {
        MoveRequest.Builder request = MoveRequest.newBuilder().setDeviceId(deviceId);
        for (Move move : moves) {
            request.addMoves(
                    switch (move) {
                        case Move.Break(var pair) -> MoveItem.newBuilder().setDisconnect(pair.toKey());
                        case Move.Make(var pair) -> MoveItem.newBuilder().setConnect(pair.toKey());
                    });
        }
        var answers = ask(within, stub -> stub.move(request.build())).getAnswersList();
        if (answers.size() != moves.size()) {
            throw new DeviceSilentException("answered " + answers.size() + " of " + moves.size() + " moves");
        }
        return answers.stream().map(Translation::answer).toList();
    }

    @Override
    public void shutter(String deviceId, String port, boolean closed) throws DeviceSilentException {
        var request = SetShutterRequest.newBuilder()
                .setDeviceId(deviceId)
                .setPort(port)
                .setClosed(closed)
                .build();
        var unused = ask(CALL, stub -> stub.setShutter(request));
    }

    @Override
    public void probe(String deviceId) throws DeviceSilentException {
        var request = ProbeRequest.newBuilder().setDeviceId(deviceId).build();
        var unused = ask(CALL, stub -> stub.probe(request));
    }

    @Override
    public List<FactoryLoss> factoryLoss(String deviceId) throws DeviceSilentException {
        var request = ListFactoryLossRequest.newBuilder().setDeviceId(deviceId).build();
        return ask(CALL, stub -> stub.listFactoryLoss(request)).getEntriesList();
    }

    private <T> T ask(Duration within, Function<DeviceServiceBlockingStub, T> call) throws DeviceSilentException {
        try {
            return call.apply(calls.withDeadlineAfter(within.toMillis(), TimeUnit.MILLISECONDS));
        } catch (StatusRuntimeException e) {
            throw new DeviceSilentException(Translation.line(e.getStatus()));
        }
    }

    @Override
    public synchronized void close() {
        if (stream != null) {
            stream.close();
        }
        channel.shutdownNow();
        timers.shutdownNow();
    }
}
