package dev.lightpath.driver;

import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** The example in Go, a switch of 16 ports, each of which may meet any other, behind the bundled driver. */
final class GoDeviceConformanceTest {
    private JudgedExample device;

    @BeforeEach
    void start(@TempDir Path state) throws Exception {
        device = new JudgedExample(state, ExampleDevice.of("go", "go", "anyswitch", "any-1"));
    }

    @AfterEach
    void stop() {
        if (device != null) {
            device.close();
        }
    }

    @TestFactory
    Stream<DynamicTest> conforms() {
        return device.meetsAllBut(Set.of("inventory/factory-loss", "ports/wrong-side", "conflict/power-on-position"));
    }
}
