package dev.lightpath.sim.wire;

import dev.lightpath.sim.core.Hardware;
import dev.lightpath.sim.loop.HardwareLoop;
import dev.lightpath.sim.scenario.Scenario.Endpoint;
import dev.lightpath.sim.scenario.Timeline;
import io.grpc.Server;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.protobuf.services.HealthStatusManager;
import io.grpc.protobuf.services.ProtoReflectionServiceV1;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** The gRPC server: both planes, health and reflection. */
public final class GrpcFront implements AutoCloseable {
    private static final int TICK_MILLIS = 100;
    private static final int MAX_MESSAGE_BYTES = 64 << 20;

    private final Server server;
    private final ScheduledExecutorService ticks;
    private final ExecutorService handlers;

    /**
     * Listens from now on.
     *
     * @param bootId name of this run of the process
     * @throws IOException when it cannot listen there
     */
    public GrpcFront(Endpoint at, Hardware hardware, HardwareLoop loop, Timeline timeline, String bootId)
            throws IOException {
        ticks = Executors.newSingleThreadScheduledExecutor(
                Thread.ofPlatform().name("ticks").daemon(true).factory());
        handlers = Executors.newFixedThreadPool(
                4, Thread.ofPlatform().name("grpc-", 0).daemon(true).factory());
        Codec codec = new Codec(hardware, loop);
        Calls calls = new Calls(hardware, loop, ticks);
        WatchHub hub = new WatchHub(hardware, loop, codec, calls, bootId);
        loop.execute(() -> hardware.listen(hub));
        HealthStatusManager health = new HealthStatusManager();
        try {
            server = NettyServerBuilder.forAddress(new InetSocketAddress(at.host(), at.port()))
                    .executor(handlers)
                    .maxInboundMessageSize(MAX_MESSAGE_BYTES)
                    .permitKeepAliveTime(1, TimeUnit.SECONDS)
                    .permitKeepAliveWithoutCalls(true)
                    .addService(new NativePlane(hardware, codec, calls, hub))
                    .addService(new ChaosPlane(hardware, loop, codec, calls, timeline, bootId))
                    .addService(health.getHealthService())
                    .addService(ProtoReflectionServiceV1.newInstance())
                    .build()
                    .start();
        } catch (IOException e) {
            ticks.shutdownNow();
            handlers.shutdownNow();
            throw e;
        }
        ticks.scheduleAtFixedRate(() -> loop.execute(hub::tick), TICK_MILLIS, TICK_MILLIS, TimeUnit.MILLISECONDS);
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
