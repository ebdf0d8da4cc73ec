package dev.lightpath.driver;

import dev.lightpath.conformance.bench.Faults;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Order;

/**
 * The adapter for vendors' programs on an emulated switch of two sides, whose program can do all that the API offers.
 */
@Order(2)
final class DeviceApiConformanceTest extends ManagedConformance {
    @Override
    ManagedPlant plant(Path directory) throws Exception {
        return new DeviceApiPlant(directory, "ports: 32, twoSided: true", "");
    }

    @Override
    Faults told(Faults emulated) {
        return emulated;
    }

    @Override
    Set<String> left() {
        return Set.of(
                "circuits/bytewise",
                "conflict/power-on-position",
                "limits/batch",
                "ports/both-ways-in-a-request",
                "ports/both-ways-in-use",
                "ports/itself");
    }
}
