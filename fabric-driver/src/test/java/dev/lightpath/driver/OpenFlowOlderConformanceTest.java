package dev.lightpath.driver;

import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Order;

/** The same by OpenFlow 1.3, which has no bundles. */
@Order(2)
final class OpenFlowOlderConformanceTest extends ManagedConformance {
    @Override
    ManagedPlant plant(Path directory) throws Exception {
        return OpenFlowPlant.of(directory, 16, "1.3", "");
    }

    @Override
    Set<String> left() {
        return OpenFlowEmulatedConformanceTest.LEFT;
    }
}
