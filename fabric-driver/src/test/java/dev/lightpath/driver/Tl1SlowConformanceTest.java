package dev.lightpath.driver;

import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Order;

/** The TL1 adapter on a switch that answers slowly. */
@Order(2)
final class Tl1SlowConformanceTest extends SlowAnswersConformance {
    @Override
    ManagedPlant plant(Path directory) throws Exception {
        return new Tl1Plant(directory, "ports: 32, twoSided: true", "slow-answers");
    }

    @Override
    Set<String> left() {
        return new Tl1ConformanceTest().left();
    }
}
