package dev.lightpath.driver;

import dev.lightpath.conformance.EmulatorFaults;
import dev.lightpath.conformance.bench.Endpoint;
import dev.lightpath.conformance.bench.Restart;
import dev.lightpath.conformance.bench.Terms;
import dev.lightpath.driver.config.DriverConfig;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.IntSupplier;

/** The conformance kit in front of an emulated plant. */
public final class EmulatedConformance {
    /** The number of changes ends it, not the time: on a busy machine a change takes long. */
    private static final Duration SLOW_CLIENT = Duration.ofMinutes(10);

    private EmulatedConformance() {}

    public static Endpoint endpoint(IntSupplier port) {
        return windowBytes -> {
            var builder =
                    NettyChannelBuilder.forAddress("127.0.0.1", port.getAsInt()).usePlaintext();
            return (windowBytes > 0 ? builder.flowControlWindow(windowBytes) : builder).build();
        };
    }

    public static EmulatorFaults faults(EmulatedPlant plant, String device, double usualMoveMillis) {
        return new EmulatorFaults(EmulatedPlant.channel(plant.emulatorPort()), device, usualMoveMillis);
    }

    static Terms terms(String device, Duration patience, EmulatedPlant plant, EmulatorFaults faults) {
        return terms(device, patience, 800, DriverConfig.DEFAULT_WATCH_BUFFER, plant::restartDriver, faults);
    }

    /** On these ports alone, or on any that is free. */
    public static Terms terms(
            String device, List<String> scratchPorts, Duration patience, Restart restart, EmulatorFaults faults) {
        return terms(device, scratchPorts, patience, 100, 90, restart, faults);
    }

    public static Terms terms(
            String device, Duration patience, int changes, int watchBuffer, Restart restart, EmulatorFaults faults) {
        return terms(device, List.of(), patience, changes, watchBuffer, restart, faults);
    }

    private static Terms terms(
            String device,
            List<String> scratchPorts,
            Duration patience,
            int changes,
            int watchBuffer,
            Restart restart,
            EmulatorFaults faults) {
        return new Terms(
                device,
                "lightpath-conformance",
                scratchPorts,
                Optional.empty(),
                false,
                false,
                patience,
                SLOW_CLIENT,
                changes,
                watchBuffer,
                Optional.of(restart),
                Optional.of(faults));
    }
}
