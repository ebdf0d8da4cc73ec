package dev.lightpath.driver.server;

import dev.lightpath.driver.config.Access;
import dev.lightpath.driver.contract.Fleet;
import dev.lightpath.driver.contract.view.ContractException;
import dev.lightpath.driver.http.Meters;
import dev.lightpath.proto.driver.v1alpha1.DeviceScope;
import dev.lightpath.proto.driver.v1alpha1.TelemetryServiceGrpc;
import dev.lightpath.proto.driver.v1alpha1.WatchRequest;
import dev.lightpath.proto.driver.v1alpha1.WatchResponse;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.time.Clock;
import java.util.concurrent.ExecutorService;

/** Telemetry by gRPC. */
final class TelemetryCalls extends TelemetryServiceGrpc.TelemetryServiceImplBase {
    private final Fleet fleet;
    private final ChangeFeed feed;
    private final Meters meters;
    private final ExecutorService workers;
    private final String bootId;
    private final Clock clock;
    private final int watchBuffer;

    TelemetryCalls(
            Fleet fleet,
            ChangeFeed feed,
            Meters meters,
            ExecutorService workers,
            String bootId,
            Clock clock,
            int watchBuffer) {
        this.fleet = fleet;
        this.feed = feed;
        this.meters = meters;
        this.workers = workers;
        this.bootId = bootId;
        this.clock = clock;
        this.watchBuffer = watchBuffer;
    }

    @Override
    public void watch(WatchRequest request, StreamObserver<WatchResponse> observer) {
        Caller caller = Caller.current();
        try {
            for (DeviceScope each : request.getDevicesList()) {
                caller.require(Access.READER, each.getDeviceId());
            }
            if (!caller.isKnown()) {
                caller.require(Access.READER, "any device");
            }
        } catch (ContractException refused) {
            meters.refused(refused.reason());
            observer.onError(Replies.status(refused));
            return;
        }
        WatchScope scope = WatchScope.of(request, id -> caller.may(Access.READER, id));
        WatchStream stream = new WatchStream(
                fleet,
                scope,
                caller,
                (ServerCallStreamObserver<WatchResponse>) observer,
                bootId,
                clock,
                meters,
                watchBuffer);
        feed.add(stream);
        meters.streamOpened();
        workers.execute(() -> {
            try {
                stream.run();
            } finally {
                feed.remove(stream);
                meters.streamClosed();
            }
        });
    }
}
