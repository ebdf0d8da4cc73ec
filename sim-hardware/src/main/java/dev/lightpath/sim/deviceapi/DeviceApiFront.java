package dev.lightpath.sim.deviceapi;

import dev.lightpath.sim.core.Hardware;
import dev.lightpath.sim.loop.HardwareLoop;
import dev.lightpath.sim.scenario.DeviceApiSpec;
import io.grpc.InsecureServerCredentials;
import io.grpc.Server;
import io.grpc.ServerCredentials;
import io.grpc.TlsServerCredentials;
import io.grpc.TlsServerCredentials.ClientAuth;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.protobuf.services.ProtoReflectionServiceV1;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** The program of some devices: a gRPC server of its own. */
public final class DeviceApiFront implements AutoCloseable {
    private static final int TICK_MILLIS = 100;
    private static final int MOST_BYTES = 64 << 20;

    private final Server server;
    private final ScheduledExecutorService ticks = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("device-api-ticks").daemon(true).factory());
    private final ExecutorService handlers = Executors.newVirtualThreadPerTaskExecutor();

    /** @throws IOException when it cannot listen there, or its TLS files cannot be used */
    public DeviceApiFront(DeviceApiSpec spec, Hardware hardware, HardwareLoop loop) throws IOException {
        Offered offered = new Offered(spec, hardware);
        Translation translation = new Translation(offered, hardware, loop);
        Streams streams = new Streams(offered, translation, loop);
        boolean listens = false;
        try {
            server = NettyServerBuilder.forAddress(
                            new InetSocketAddress(
                                    spec.listen().host(), spec.listen().port()),
                            credentials(spec))
                    .executor(handlers)
                    .maxInboundMessageSize(MOST_BYTES)
                    .addService(new DeviceCalls(offered, translation, streams, loop))
                    .addService(ProtoReflectionServiceV1.newInstance())
                    .build()
                    .start();
            listens = true;
        } catch (IllegalArgumentException e) {
            throw new IOException("certificate, key or ca are not in PEM");
        } finally {
            if (!listens) {
                ticks.shutdownNow();
                handlers.shutdownNow();
            }
        }
        loop.execute(() -> hardware.listen(streams));
        var unused = ticks.scheduleAtFixedRate(
                () -> loop.execute(streams::tick), TICK_MILLIS, TICK_MILLIS, TimeUnit.MILLISECONDS);
    }

    private static ServerCredentials credentials(DeviceApiSpec spec) throws IOException {
        if (spec.tls().isEmpty()) {
            return InsecureServerCredentials.create();
        }
        DeviceApiSpec.Identity files = spec.tls().get();
        return TlsServerCredentials.newBuilder()
                .keyManager(files.certificate().toFile(), files.key().toFile())
                .trustManager(files.ca().toFile())
                .clientAuth(ClientAuth.REQUIRE)
                .build();
    }

    /** The port it really listens at. */
    public int port() {
        return server.getPort();
    }

    @Override
    public void close() {
        ticks.shutdownNow();
        server.shutdownNow();
        try {
            server.awaitTermination(5, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        handlers.shutdownNow();
    }
}
