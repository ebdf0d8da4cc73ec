package dev.lightpath.driver;

import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.TestFactory;

/** By the older version, without bundles. */
@Order(1)
final class OpenFlowUnbundledConformanceTest extends OpenVSwitchConformance {
    @TestFactory
    Stream<DynamicTest> conforms() throws Exception {
        return judged("OpenFlow13").meetsAllBut(BEYOND_TWO_SIDES);
    }
}
