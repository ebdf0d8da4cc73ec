package dev.lightpath.sim.gnmi;

import dev.lightpath.sim.core.Hardware;
import dev.lightpath.sim.loop.HardwareLoop;
import dev.lightpath.sim.managed.ManagedSwitch;
import dev.lightpath.sim.scenario.GnmiSpec;
import io.grpc.InsecureServerCredentials;
import io.grpc.Metadata;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerCredentials;
import io.grpc.ServerInterceptor;
import io.grpc.ServerInterceptors;
import io.grpc.Status;
import io.grpc.TlsServerCredentials;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The gNMI server of one switch. */
public final class GnmiFront implements AutoCloseable {
    private static final int MAX_MESSAGE_BYTES = 64 << 20;
    private static final Metadata.Key<String> USER = Metadata.Key.of("username", Metadata.ASCII_STRING_MARSHALLER);
    private static final Metadata.Key<String> PASSWORD = Metadata.Key.of("password", Metadata.ASCII_STRING_MARSHALLER);

    private final ManagedSwitch device;
    private final GnmiServer calls;
    private final Server server;
    private final ExecutorService handlers = Executors.newVirtualThreadPerTaskExecutor();
    private volatile @Nullable Database database;
    private volatile @Nullable GnmiServer told;
    private Object seen = "";

    /** @throws IOException when it cannot listen there, or its TLS files cannot be used */
    public GnmiFront(GnmiSpec spec, Hardware hardware, HardwareLoop loop) throws IOException {
        device = new ManagedSwitch(spec.device(), hardware, loop, new ManagedSwitch.Listener() {
            @Override
            public void looked() {
                look();
            }

            @Override
            public boolean hears() {
                return false;
            }

            @Override
            public void alarm(String port, boolean stands) {
                // a port that failed is told by its status
            }

            @Override
            public void over() {
                restart();
            }
        });
        Database mine = new Database(spec, device);
        calls = new GnmiServer(mine, device);
        boolean listens = false;
        try {
            server = NettyServerBuilder.forAddress(
                            new InetSocketAddress(
                                    spec.listen().host(), spec.listen().port()),
                            credentials(spec))
                    .executor(handlers)
                    .maxInboundMessageSize(MAX_MESSAGE_BYTES)
                    .addService(ServerInterceptors.intercept(calls, new Login(spec)))
                    .build()
                    .start();
            listens = true;
        } catch (IllegalArgumentException e) {
            throw new IOException("certificate or key are not in PEM");
        } finally {
            if (!listens) {
                device.close();
                handlers.shutdownNow();
            }
        }
        database = mine;
        told = calls;
    }

    private static ServerCredentials credentials(GnmiSpec spec) throws IOException {
        if (spec.tls().isEmpty()) {
            return InsecureServerCredentials.create();
        }
        GnmiSpec.Identity files = spec.tls().get();
        return TlsServerCredentials.create(
                files.certificate().toFile(), files.key().toFile());
    }

    /** Takes user and password from each call. */
    private record Login(GnmiSpec spec) implements ServerInterceptor {
        @Override
        public <Q, R> ServerCall.Listener<Q> interceptCall(
                ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
            if (spec.user().equals(headers.get(USER)) && spec.password().equals(headers.get(PASSWORD))) {
                return next.startCall(call, headers);
            }
            call.close(Status.UNAUTHENTICATED.withDescription("wrong user or password"), new Metadata());
            return new ServerCall.Listener<>() {};
        }
    }

    private void look() {
        Database now = database;
        GnmiServer to = told;
        if (now == null || to == null) {
            return;
        }
        now.look();
        Object state = List.of(
                now.circuits(),
                device.ports().stream().map(row -> row.port() + row.failed()).toList());
        if (!state.equals(seen)) {
            seen = state;
            to.changed();
        }
    }

    private void restart() {
        Database now = database;
        GnmiServer to = told;
        if (now != null && to != null) {
            now.restart();
            to.over();
        }
    }

    /** The port it really listens at. */
    public int port() {
        return server.getPort();
    }

    /** Sets since the start that asked for something. */
    public long sets() {
        return calls.sets();
    }

    @Override
    public void close() {
        device.close();
        server.shutdownNow();
        try {
            server.awaitTermination(5, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        handlers.shutdownNow();
    }
}
