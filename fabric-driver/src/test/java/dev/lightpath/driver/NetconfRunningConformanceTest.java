package dev.lightpath.driver;

import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Order;

/** The NETCONF adapter on an emulated switch of one side, by base 1.0, running, the list `pairs` and polls. */
@Order(2)
final class NetconfRunningConformanceTest extends ManagedConformance {
    @Override
    ManagedPlant plant(Path directory) throws Exception {
        return new NetconfPlant(
                directory,
                "ports: 32",
                "base: \"1.0\", datastore: running, notifications: false, revision: 2017-01-01");
    }

    @Override
    Set<String> left() {
        return Set.of("inventory/factory-loss", "ports/wrong-side", "conflict/power-on-position", "limits/batch");
    }
}
