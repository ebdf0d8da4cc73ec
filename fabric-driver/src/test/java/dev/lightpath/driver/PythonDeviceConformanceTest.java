package dev.lightpath.driver;

import dev.lightpath.driver.config.AdapterConfig;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** The example in Python, a switch of 12 inputs and 12 outputs, behind the bundled driver. */
@Order(2)
final class PythonDeviceConformanceTest {
    private ExampleDevice device;
    private JudgedDriver judged;

    @BeforeEach
    void start(@TempDir Path state) throws Exception {
        device = ExampleDevice.of("python", "python3", "twosided", "two-1");
        judged = new JudgedDriver(
                state,
                new AdapterConfig.DeviceApi(device.endpoint(), Optional.empty()),
                device.id(),
                Optional.of(device),
                device::circuits);
    }

    @AfterEach
    void stop() {
        if (judged != null) {
            judged.close();
        }
        if (device != null) {
            device.close();
        }
    }

    @TestFactory
    Stream<DynamicTest> conforms() {
        return judged.meetsAllBut(Set.of(
                "inventory/factory-loss",
                "circuits/bytewise",
                "ports/both-ways-in-a-request",
                "ports/both-ways-in-use",
                "ports/itself",
                "conflict/power-on-position",
                "scope/names",
                "limits/batch"));
    }
}
