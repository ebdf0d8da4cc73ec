package dev.lightpath.driver;

import java.nio.file.Path;
import java.util.Set;

/** The TL1 adapter on an emulated switch with the commands of Calient, which answers before its mirrors stand still. */
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
