package dev.lightpath.conformance;

import dev.lightpath.conformance.bench.Endpoint;
import dev.lightpath.proto.driver.v1alpha1.GetCapabilitiesRequest;
import dev.lightpath.proto.driver.v1alpha1.IdentityServiceGrpc;
import io.grpc.ManagedChannel;
import io.grpc.StatusRuntimeException;
import java.util.OptionalDouble;
import java.util.concurrent.TimeUnit;

/** How long one move of a device usually takes, by its own figures. */
final class UsualMove {
    private static final double LEAST_MILLIS = 0.01;

    private UsualMove() {}

    /** Empty where the driver does not say: what is wrong there is told later. */
    static OptionalDouble millis(Endpoint endpoint, String deviceId) {
        ManagedChannel channel = endpoint.connect(0);
        try {
            var time = IdentityServiceGrpc.newBlockingStub(channel)
                    .withDeadlineAfter(10, TimeUnit.SECONDS)
                    .getCapabilities(GetCapabilitiesRequest.newBuilder()
                            .setDeviceId(deviceId)
                            .build())
                    .getCapabilities()
                    .getTypicalSwitchTime();
            return OptionalDouble.of(Math.max(LEAST_MILLIS, time.getSeconds() * 1000.0 + time.getNanos() / 1e6));
        } catch (StatusRuntimeException unusable) {
            return OptionalDouble.empty();
        } finally {
            channel.shutdownNow();
        }
    }
}
