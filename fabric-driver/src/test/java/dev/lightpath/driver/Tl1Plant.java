package dev.lightpath.driver;

import dev.lightpath.driver.config.AdapterConfig;
import dev.lightpath.driver.config.AdapterConfig.Tl1Device;
import dev.lightpath.proto.emulator.v1alpha1.ChaosServiceGrpc;
import dev.lightpath.proto.emulator.v1alpha1.GetGroundTruthRequest;
import dev.lightpath.sim.Emulator;
import dev.lightpath.sim.scenario.Scenario;
import io.grpc.ManagedChannel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** An emulated switch that speaks TL1, and the way to it. */
public final class Tl1Plant implements AutoCloseable {
    public static final String DEVICE = "ocs-1";
    private static final String PASSWORD = "s3cr3t-of-the-switch";

    private final Path directory;
    private final Emulator emulator;
    private final ManagedChannel emulated;

    /**
     * @param device fields of the switch, such as {@code ports: 32}
     * @param quirks what is special, such as {@code replaces}
     */
    public Tl1Plant(Path directory, String device, String quirks) throws IOException {
        this.directory = directory;
        Files.writeString(directory.resolve("password"), PASSWORD + "\n");
        emulator = Emulator.start(Scenario.parse("plant.yaml", """
                listen: 127.0.0.1:0
                seed: 7
                devices:
                  - {id: ocs-1, kind: switch, preset: mems, %s}
                tl1:
                  - {device: ocs-1, listen: "127.0.0.1:0", user: admin, password: "%s", name: LAB, quirks: [%s]}
                """.formatted(device, PASSWORD, quirks)));
        emulated = EmulatedPlant.channel(emulator.port());
    }

    int emulatorPort() {
        return emulator.port();
    }

    int port() {
        return emulator.tl1(DEVICE).port();
    }

    Tl1Device device() {
        return new Tl1Device(
                DEVICE, "127.0.0.1", port(), "admin", directory.resolve("password"), "", Duration.ofSeconds(1));
    }

    AdapterConfig adapter() {
        return new AdapterConfig.Tl1(List.of(device()));
    }

    /** What light really does, as "1->17". */
    public List<String> truth() {
        return ChaosServiceGrpc.newBlockingStub(emulated)
                .withDeadlineAfter(30, TimeUnit.SECONDS)
                .getGroundTruth(
                        GetGroundTruthRequest.newBuilder().addDeviceIds(DEVICE).build())
                .getDevices(0)
                .getCircuitsList()
                .stream()
                .map(c -> c.getIngress() + "->" + c.getEgress())
                .toList();
    }

    /** Moves of all mirrors so far. */
    long moves() {
        return emulator.movesBegun();
    }

    @Override
    public void close() {
        emulated.shutdownNow();
        emulator.close();
    }
}
