package dev.lightpath.driver.server;

import dev.lightpath.driver.adapter.DeviceSilentException;
import dev.lightpath.driver.config.Access;
import dev.lightpath.driver.contract.Fleet;
import dev.lightpath.driver.contract.view.Times;
import dev.lightpath.proto.driver.v1alpha1.GetCapabilitiesRequest;
import dev.lightpath.proto.driver.v1alpha1.GetCapabilitiesResponse;
import dev.lightpath.proto.driver.v1alpha1.GetDriverInfoRequest;
import dev.lightpath.proto.driver.v1alpha1.GetDriverInfoResponse;
import dev.lightpath.proto.driver.v1alpha1.IdentityServiceGrpc;
import dev.lightpath.proto.driver.v1alpha1.ProbeRequest;
import dev.lightpath.proto.driver.v1alpha1.ProbeResponse;
import io.grpc.stub.StreamObserver;
import java.time.Duration;
import java.util.function.Supplier;

/** Identity by gRPC. */
final class IdentityCalls extends IdentityServiceGrpc.IdentityServiceImplBase {
    private final Fleet fleet;
    private final Replies replies;
    private final Supplier<GetDriverInfoResponse> driver;

    IdentityCalls(Fleet fleet, Replies replies, Supplier<GetDriverInfoResponse> driver) {
        this.fleet = fleet;
        this.replies = replies;
        this.driver = driver;
    }

    @Override
    public void getDriverInfo(GetDriverInfoRequest request, StreamObserver<GetDriverInfoResponse> observer) {
        replies.answer(observer, () -> {
            if (!Caller.current().isKnown()) {
                Caller.current().require(Access.READER, "the driver");
            }
            return driver.get();
        });
    }

    @Override
    public void getCapabilities(GetCapabilitiesRequest request, StreamObserver<GetCapabilitiesResponse> observer) {
        replies.answer(observer, () -> {
            Caller.current().require(Access.READER, request.getDeviceId());
            return GetCapabilitiesResponse.newBuilder()
                    .setCapabilities(fleet.reached(request.getDeviceId())
                            .view()
                            .description()
                            .capabilities())
                    .build();
        });
    }

    @Override
    public void probe(ProbeRequest request, StreamObserver<ProbeResponse> observer) {
        replies.answer(observer, () -> {
            Caller.current().require(Access.READER, request.getDeviceId());
            long asked = System.nanoTime();
            try {
                fleet.device(request.getDeviceId()).probe();
                return ProbeResponse.newBuilder()
                        .setAnswered(true)
                        .setRoundTrip(Times.wire(Duration.ofNanos(System.nanoTime() - asked)))
                        .build();
            } catch (DeviceSilentException silent) {
                return ProbeResponse.newBuilder()
                        .setDetail(String.valueOf(silent.getMessage()))
                        .build();
            }
        });
    }
}
