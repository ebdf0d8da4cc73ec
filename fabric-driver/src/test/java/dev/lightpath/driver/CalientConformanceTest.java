package dev.lightpath.driver;

import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Order;

/** The TL1 adapter on an emulated switch with the commands of Calient, which answers before its mirrors stand still. */
@Order(2)
final class CalientConformanceTest extends ManagedConformance {
    @Override
    ManagedPlant plant(Path directory) throws Exception {
        return new CalientPlant(directory, 32, "");
    }

    @Override
    Set<String> left() {
        return CalientTerminalConformanceTest.LEFT;
    }
}
