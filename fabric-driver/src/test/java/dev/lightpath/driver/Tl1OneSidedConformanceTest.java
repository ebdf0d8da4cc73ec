package dev.lightpath.driver;

import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Order;

/**
 * The TL1 adapter on an emulated switch of one side that lets a new circuit replace another, and answers in blocks on a
 * terminal.
 */
@Order(2)
final class Tl1OneSidedConformanceTest extends ManagedConformance {
    @Override
    ManagedPlant plant(Path directory) throws Exception {
        return new Tl1Plant(directory, "ports: 32", "replaces, blocks, terminal");
    }

    @Override
    Set<String> left() {
        return Set.of("conflict/power-on-position", "inventory/factory-loss", "limits/batch", "ports/wrong-side");
    }
}
