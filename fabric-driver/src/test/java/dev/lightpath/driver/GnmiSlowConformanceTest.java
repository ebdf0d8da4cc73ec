package dev.lightpath.driver;

import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Order;

/** The gNMI adapter on a switch that answers slowly. */
@Order(2)
final class GnmiSlowConformanceTest extends SlowAnswersConformance {
    @Override
    ManagedPlant plant(Path directory) throws Exception {
        return new GnmiPlant(directory, 16, "slow-answers");
    }

    @Override
    Set<String> left() {
        return new GnmiConformanceTest().left();
    }
}
