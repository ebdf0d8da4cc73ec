package dev.lightpath.conformance;

import dev.lightpath.conformance.bench.Endpoint;
import dev.lightpath.proto.driver.v1alpha1.GetCapabilitiesRequest;
import dev.lightpath.proto.driver.v1alpha1.IdentityServiceGrpc;
import io.grpc.ManagedChannel;
import io.grpc.StatusRuntimeException;
import java.util.concurrent.TimeUnit;

/** How long one move of a device usually takes, by its own figures; what is wrong with the device is told later. */
final class UsualMove {
    private static final double LEAST_MILLIS = 0.01;

    private UsualMove() {}

    static double millis(Endpoint endpoint, String deviceId) {
        ManagedChannel channel = endpoint.connect(0);
        try {
            var time = IdentityServiceGrpc.newBlockingStub(channel)
                    .withDeadlineAfter(10, TimeUnit.SECONDS)
                    .getCapabilities(GetCapabilitiesRequest.newBuilder()
                            .setDeviceId(deviceId)
                            .build())
                    .getCapabilities()
                    .getTypicalSwitchTime();
            return Math.max(LEAST_MILLIS, time.getSeconds() * 1000.0 + time.getNanos() / 1e6);
        } catch (StatusRuntimeException unusable) {
            return 1;
        } finally {
            channel.shutdownNow();
        }
    }
}
