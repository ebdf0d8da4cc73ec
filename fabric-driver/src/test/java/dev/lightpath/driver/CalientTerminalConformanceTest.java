package dev.lightpath.driver;

import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Order;

/**
 * The same on a terminal that answers in blocks, and only when all stands still, and lets a new circuit replace
 * another.
 */
@Order(2)
final class CalientTerminalConformanceTest extends ManagedConformance {
    static final Set<String> LEFT = Set.of(
            "circuits/bytewise",
            "conflict/power-on-position",
            "inventory/factory-loss",
            "limits/batch",
            "ports/both-ways-in-a-request",
            "ports/both-ways-in-use",
            "ports/itself",
            "ports/wrong-side",
            "scope/names");

    @Override
    ManagedPlant plant(Path directory) throws Exception {
        return new CalientPlant(directory, 32, "replaces, blocks, terminal, waits");
    }

    @Override
    Set<String> left() {
        return LEFT;
    }
}
