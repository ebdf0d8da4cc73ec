package dev.lightpath.driver;

import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Order;

/** The NETCONF adapter on an emulated switch of two sides, by base 1.1, candidate and notifications. */
@Order(1)
final class NetconfCandidateConformanceTest extends ManagedConformance {
    @Override
    ManagedPlant plant(Path directory) throws Exception {
        return new NetconfPlant(directory, "ports: 32, twoSided: true", "base: \"1.1\", datastore: candidate");
    }

    @Override
    Set<String> left() {
        return Set.of(
                "inventory/factory-loss",
                "circuits/bytewise",
                "conflict/power-on-position",
                "ports/both-ways-in-a-request",
                "ports/both-ways-in-use",
                "ports/itself",
                "limits/batch");
    }
}
