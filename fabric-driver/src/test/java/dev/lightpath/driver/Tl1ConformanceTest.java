package dev.lightpath.driver;

import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Order;

/** The TL1 adapter on an emulated switch of two sides. */
@Order(2)
final class Tl1ConformanceTest extends ManagedConformance {
    @Override
    ManagedPlant plant(Path directory) throws Exception {
        return new Tl1Plant(directory, "ports: 32, twoSided: true", "");
    }

    @Override
    Set<String> left() {
        return Set.of(
                "circuits/bytewise",
                "conflict/power-on-position",
                "inventory/factory-loss",
                "limits/batch",
                "ports/both-ways-in-a-request",
                "ports/both-ways-in-use",
                "ports/itself");
    }
}
