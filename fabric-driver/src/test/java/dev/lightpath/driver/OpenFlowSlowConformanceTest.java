package dev.lightpath.driver;

import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Order;

/** The OpenFlow adapter on a switch that answers slowly. */
@Order(2)
final class OpenFlowSlowConformanceTest extends SlowAnswersConformance {
    @Override
    ManagedPlant plant(Path directory) throws Exception {
        return OpenFlowPlant.of(directory, 16, "1.4", "slow-answers");
    }

    @Override
    Set<String> left() {
        return OpenFlowEmulatedConformanceTest.LEFT;
    }
}
