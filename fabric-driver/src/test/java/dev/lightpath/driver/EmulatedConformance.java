package dev.lightpath.driver;

import dev.lightpath.conformance.EmulatorFaults;
import dev.lightpath.conformance.bench.Endpoint;
import dev.lightpath.conformance.bench.Terms;
import dev.lightpath.driver.config.DriverConfig;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.IntSupplier;

/** The conformance kit in front of an emulated plant. */
final class EmulatedConformance {
    private EmulatedConformance() {}

    static Endpoint endpoint(IntSupplier port) {
        return windowBytes -> {
            var builder =
                    NettyChannelBuilder.forAddress("127.0.0.1", port.getAsInt()).usePlaintext();
            return (windowBytes > 0 ? builder.flowControlWindow(windowBytes) : builder).build();
        };
    }

    static EmulatorFaults faults(EmulatedPlant plant, String device, double usualMoveMillis) {
        return new EmulatorFaults(EmulatedPlant.channel(plant.emulatorPort()), device, usualMoveMillis);
    }

    static Terms terms(String device, Duration patience, EmulatedPlant plant, EmulatorFaults faults) {
        return new Terms(
                device,
                "lightpath-conformance",
                List.of(),
                Optional.empty(),
                false,
                false,
                patience,
                Duration.ofSeconds(60),
                800,
                DriverConfig.DEFAULT_WATCH_BUFFER,
                Optional.of(plant::restartDriver),
                Optional.of(faults));
    }
}
