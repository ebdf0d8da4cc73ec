package dev.lightpath.driver;

import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Order;

/** The gNMI adapter on an emulated switch that speaks as SONiC does. */
@Order(2)
final class GnmiConformanceTest extends ManagedConformance {
    @Override
    ManagedPlant plant(Path directory) throws Exception {
        return new GnmiPlant(directory, 16, "");
    }

    @Override
    Set<String> left() {
        return Set.of(
                "circuits/bytewise",
                "conflict/power-on-position",
                "limits/batch",
                "ports/both-ways-in-a-request",
                "ports/both-ways-in-use",
                "ports/itself",
                "scope/names");
    }
}
