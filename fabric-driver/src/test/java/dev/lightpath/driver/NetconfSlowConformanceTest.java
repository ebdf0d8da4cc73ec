package dev.lightpath.driver;

import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Order;

/** The NETCONF adapter on a switch that answers slowly. */
@Order(2)
final class NetconfSlowConformanceTest extends SlowAnswersConformance {
    @Override
    ManagedPlant plant(Path directory) throws Exception {
        return new NetconfPlant(
                directory, "ports: 32, twoSided: true", "base: \"1.1\", datastore: candidate, quirks: [slow-answers]");
    }

    @Override
    Set<String> left() {
        return new NetconfCandidateConformanceTest().left();
    }
}
