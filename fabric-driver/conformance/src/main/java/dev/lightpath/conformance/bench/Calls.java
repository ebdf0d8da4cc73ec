package dev.lightpath.conformance.bench;

import dev.lightpath.proto.driver.v1alpha1.CircuitServiceGrpc;
import dev.lightpath.proto.driver.v1alpha1.CircuitServiceGrpc.CircuitServiceBlockingStub;
import dev.lightpath.proto.driver.v1alpha1.CircuitServiceGrpc.CircuitServiceFutureStub;
import dev.lightpath.proto.driver.v1alpha1.IdentityServiceGrpc;
import dev.lightpath.proto.driver.v1alpha1.IdentityServiceGrpc.IdentityServiceBlockingStub;
import dev.lightpath.proto.driver.v1alpha1.InventoryServiceGrpc;
import dev.lightpath.proto.driver.v1alpha1.InventoryServiceGrpc.InventoryServiceBlockingStub;
import io.grpc.ManagedChannel;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** The driver's services over the present channel. */
public final class Calls implements AutoCloseable {
    private final Endpoint endpoint;
    private volatile long deadlineMillis;
    private volatile ManagedChannel channel;

    Calls(Endpoint endpoint, Duration deadline) {
        this.endpoint = endpoint;
        this.deadlineMillis = deadline.toMillis();
        this.channel = endpoint.connect(0);
    }

    /** No call ends sooner than this from now on. */
    void waitAtLeast(Duration least) {
        deadlineMillis = Math.max(deadlineMillis, least.toMillis());
    }

    void reconnect() {
        channel.shutdownNow();
        channel = endpoint.connect(0);
    }

    public ManagedChannel channel() {
        return channel;
    }

    /** A further channel, to be closed by the caller. */
    public ManagedChannel channel(int windowBytes) {
        return endpoint.connect(windowBytes);
    }

    public IdentityServiceBlockingStub identity() {
        return IdentityServiceGrpc.newBlockingStub(channel).withDeadlineAfter(deadlineMillis, TimeUnit.MILLISECONDS);
    }

    public InventoryServiceBlockingStub inventory() {
        return InventoryServiceGrpc.newBlockingStub(channel).withDeadlineAfter(deadlineMillis, TimeUnit.MILLISECONDS);
    }

    public CircuitServiceBlockingStub circuits() {
        return CircuitServiceGrpc.newBlockingStub(channel).withDeadlineAfter(deadlineMillis, TimeUnit.MILLISECONDS);
    }

    /** For calls that are left alone. */
    public CircuitServiceFutureStub circuitsLater() {
        return CircuitServiceGrpc.newFutureStub(channel).withDeadlineAfter(deadlineMillis, TimeUnit.MILLISECONDS);
    }

    @Override
    public void close() {
        channel.shutdownNow();
    }
}
