package dev.lightpath.driver;

import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** The emulator's adapter meets every requirement of the conformance kit on a node's transceivers. */
@Order(2)
final class TransceiverConformanceTest {
    private JudgedDevice device;

    @BeforeEach
    void start(@TempDir Path state) throws Exception {
        device = new JudgedDevice(state, TransceiverPlant.NODE, TransceiverConformance.USUAL_SELECTION_MILLIS);
    }

    @AfterEach
    void stop() {
        device.close();
    }

    @TestFactory
    Stream<DynamicTest> conforms() {
        return device.meetsAllBut(TransceiverConformance.left("stream/attenuation"));
    }
}
