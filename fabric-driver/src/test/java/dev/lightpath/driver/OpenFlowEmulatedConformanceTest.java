package dev.lightpath.driver;

import java.nio.file.Path;
import java.util.Set;

/** The OpenFlow adapter on an emulated switch with bundles, where faults can be injected. */
final class OpenFlowEmulatedConformanceTest extends ManagedConformance {
    static final Set<String> LEFT = Set.of(
            "circuits/bytewise",
            "conflict/power-on-position",
            "inventory/factory-loss",
            "limits/batch",
            // the one connection is silent until the mirrors stand still
            "operations/tuning",
            "ports/both-ways-in-a-request",
            "ports/both-ways-in-use",
            "ports/itself");

    @Override
    ManagedPlant plant(Path directory) throws Exception {
        return OpenFlowPlant.of(directory, 16, "1.4", "");
    }

    @Override
    Set<String> left() {
        return LEFT;
    }
}
