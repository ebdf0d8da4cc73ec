package dev.lightpath.driver;

import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * The emulator's adapter meets every requirement of the conformance kit on a switch of which any port reaches any
 * other.
 */
@Order(2)
final class OneSidedSwitchConformanceTest {
    private JudgedDevice device;

    @BeforeEach
    void start(@TempDir Path state) throws Exception {
        device = new JudgedDevice(state, "ocs-1", 15);
    }

    @AfterEach
    void stop() {
        device.close();
    }

    @TestFactory
    Stream<DynamicTest> conforms() {
        return device.meetsAllBut(Set.of(
                "ports/wrong-side",
                "conflict/power-on-position",
                "stream/receive-power",
                "stream/bit-errors",
                "stream/temperature"));
    }
}
