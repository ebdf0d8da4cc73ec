package dev.lightpath.driver;

import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** By the version with bundles. */
@Order(1)
final class OpenFlowConformanceTest extends OpenVSwitchConformance {
    private static final String VERSIONS = "OpenFlow13,OpenFlow14";

    @TestFactory
    Stream<DynamicTest> conforms() throws Exception {
        return judged(VERSIONS).meetsAllBut(BEYOND_TWO_SIDES);
    }

    @Test
    void missesTheFlowsOfASwitchThatWasKilled() throws Exception {
        judged(VERSIONS).missesWhatWentWith(this::restart);
    }
}
