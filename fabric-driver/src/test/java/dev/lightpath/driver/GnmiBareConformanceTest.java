package dev.lightpath.driver;

import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Order;

/**
 * The gNMI adapter on an emulated switch that lets a circuit replace another, tells no states, and tells of nothing by
 * itself.
 */
@Order(2)
final class GnmiBareConformanceTest extends ManagedConformance {
    @Override
    ManagedPlant plant(Path directory) throws Exception {
        return new GnmiPlant(directory, 16, "bare-names, replaces, no-states, no-on-change");
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
                "ports/itself",
                "operations/tuning",
                "scope/names");
    }
}
