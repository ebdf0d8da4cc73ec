package dev.lightpath.driver;

import dev.lightpath.conformance.EmulatorFaults;
import dev.lightpath.driver.config.AdapterConfig;
import dev.lightpath.proto.emulator.v1alpha1.ChaosServiceGrpc;
import dev.lightpath.proto.emulator.v1alpha1.GetGroundTruthRequest;
import dev.lightpath.sim.Emulator;
import dev.lightpath.sim.scenario.Scenario;
import io.grpc.ManagedChannel;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** The adapter for vendors' programs on the emulated transceivers of a ring: one program offers those of all nodes. */
final class DeviceApiTransceiverConformanceTest {
    private static final String NODE = "n1";
    private static final int BUNDLES = 3;

    private Emulator emulator;
    private ManagedChannel emulated;
    private EmulatorFaults faults;
    private JudgedDriver judged;

    @BeforeEach
    void start(@TempDir Path state) throws Exception {
        emulator = Emulator.start(Scenario.parse("plant.yaml", """
                listen: 127.0.0.1:0
                seed: 7
                ring: {nodes: 8, reach: %d, gpusPerNode: 4}
                deviceApi:
                  - {devices: [n0, n1, n2, n3, n4, n5, n6, n7], listen: "127.0.0.1:0", quirks: [waits]}
                """.formatted(BUNDLES)));
        emulated = EmulatedPlant.channel(emulator.port());
        faults = new EmulatorFaults(EmulatedPlant.channel(emulator.port()), NODE, 0.07);
        judged = new JudgedDriver(
                state,
                new AdapterConfig.DeviceApi(
                        "127.0.0.1:" + emulator.deviceApi(NODE).port(), Optional.empty()),
                NODE,
                Optional.of(faults),
                this::leftBehind);
    }

    @AfterEach
    void stop() {
        if (judged != null) {
            judged.close();
        }
        faults.close();
        emulated.shutdownNow();
        emulator.close();
    }

    /** Light that is not as at rest, where each module loops back. */
    private List<String> leftBehind() {
        List<String> light = ChaosServiceGrpc.newBlockingStub(emulated)
                .withDeadlineAfter(30, TimeUnit.SECONDS)
                .getGroundTruth(
                        GetGroundTruthRequest.newBuilder().addDeviceIds(NODE).build())
                .getDevices(0)
                .getCircuitsList()
                .stream()
                .map(c -> c.getIngress() + "->" + c.getEgress())
                .toList();
        List<String> rest = IntStream.range(0, BUNDLES)
                .mapToObj(b -> "b" + b + ".common->b" + b + ".loop")
                .toList();
        return light.equals(rest) ? List.of() : light;
    }

    @TestFactory
    Stream<DynamicTest> conforms() {
        return judged.meetsAllBut(Set.of(
                "circuits/bytewise",
                "circuits/many",
                "conflict/update-replaces-both",
                "ports/egress-twice-in-a-request",
                "ports/both-ways-in-a-request",
                "ports/both-ways-in-use",
                "ports/itself",
                "ports/egress-in-use",
                "scope/names",
                "limits/batch",
                "limits/whole-batch"));
    }
}
