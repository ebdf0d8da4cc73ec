package dev.lightpath.driver;

import dev.lightpath.conformance.bench.Faults;
import dev.lightpath.driver.config.AdapterConfig;
import dev.lightpath.proto.emulator.v1alpha1.ChaosServiceGrpc;
import dev.lightpath.proto.emulator.v1alpha1.ClearFaultsRequest;
import dev.lightpath.proto.emulator.v1alpha1.DeviceServiceGrpc;
import dev.lightpath.proto.emulator.v1alpha1.GetGroundTruthRequest;
import dev.lightpath.proto.emulator.v1alpha1.InjectFaultRequest;
import dev.lightpath.proto.emulator.v1alpha1.SetAttenuationRequest;
import dev.lightpath.sim.Emulator;
import dev.lightpath.sim.scenario.Scenario;
import io.grpc.ManagedChannel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** One emulated switch that speaks a management protocol, and the way to it. */
public abstract class ManagedPlant implements AutoCloseable {
    public static final String DEVICE = "ocs-1";
    static final String PASSWORD = "s3cr3t-of-the-switch";

    final Emulator emulator;
    final Path passwordFile;
    private final ManagedChannel emulated;

    /**
     * @param device fields of the switch, such as {@code ports: 32}
     * @param protocol section of the scenario, such as {@code tl1}
     * @param front fields of that section, beside device, address, user and password
     */
    ManagedPlant(Path directory, String device, String protocol, String front) throws IOException {
        this(directory, device, """
                %s:
                  - {device: ocs-1, listen: "127.0.0.1:0", user: admin, password: "%s", %s}
                """.formatted(protocol, PASSWORD, front));
    }

    /** @param section of the scenario, whole */
    ManagedPlant(Path directory, String device, String section) throws IOException {
        passwordFile = Files.writeString(directory.resolve("password"), PASSWORD + "\n");
        emulator = Emulator.start(Scenario.parse("plant.yaml", """
                listen: 127.0.0.1:0
                seed: 7
                devices:
                  - {id: ocs-1, kind: switch, %s}
                %s""".formatted(device, section)));
        emulated = EmulatedPlant.channel(emulator.port());
    }

    /** As a driver is told to reach it. */
    abstract AdapterConfig adapter();

    /** Of the switch's management. */
    abstract int port();

    /** Faults of ports by their names in the device, where the emulation has others. */
    Faults named(Faults emulated) {
        return emulated;
    }

    int emulatorPort() {
        return emulator.port();
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

    /** Somebody sets the attenuator of a port. */
    public void attenuate(String port, double attenuationDb) {
        var unused = DeviceServiceGrpc.newBlockingStub(emulated)
                .withDeadlineAfter(30, TimeUnit.SECONDS)
                .setAttenuation(SetAttenuationRequest.newBuilder()
                        .setDeviceId(DEVICE)
                        .setPort(port)
                        .setAttenuationDb(attenuationDb)
                        .build());
    }

    void inject(InjectFaultRequest.Builder fault) {
        var unused = ChaosServiceGrpc.newBlockingStub(emulated)
                .withDeadlineAfter(30, TimeUnit.SECONDS)
                .injectFault(fault.setDeviceId(DEVICE).build());
    }

    void clearFaults() {
        var unused = ChaosServiceGrpc.newBlockingStub(emulated)
                .withDeadlineAfter(30, TimeUnit.SECONDS)
                .clearFaults(ClearFaultsRequest.newBuilder().setDeviceId(DEVICE).build());
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
