package dev.lightpath.driver;

import dev.lightpath.conformance.bench.Faults;
import java.util.Set;
import org.junit.jupiter.api.Order;

/** The CMIS adapter on the emulated modules of a node. */
@Order(2)
final class CmisConformanceTest extends TransceiverConformance {
    @Override
    TransceiverPlant plant() {
        return new CmisPlant("");
    }

    @Override
    Faults told(Faults emulated) {
        return new SerialFaults(emulated);
    }

    @Override
    Set<String> left() {
        return left("inventory/factory-loss");
    }
}
