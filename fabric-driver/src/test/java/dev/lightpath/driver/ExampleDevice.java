package dev.lightpath.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import dev.lightpath.conformance.bench.Fault;
import dev.lightpath.conformance.bench.Faults;
import dev.lightpath.proto.device.v1alpha1.DeviceServiceGrpc;
import dev.lightpath.proto.device.v1alpha1.MoveItem;
import dev.lightpath.proto.device.v1alpha1.MoveRequest;
import dev.lightpath.proto.device.v1alpha1.ReadRequest;
import dev.lightpath.proto.driver.v1alpha1.CircuitKey;
import io.grpc.ManagedChannel;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A device of {@code fabric-driver/examples}: built by its own script, run as a process, and hurt as a process can be.
 */
final class ExampleDevice implements Faults, AutoCloseable {
    private static final Path EXAMPLES = Path.of("examples").toAbsolutePath();

    private final String id;
    private final List<String> command;
    private final ManagedChannel direct;
    private final int port;
    private Process process;
    private boolean stopped;

    private ExampleDevice(String id, List<String> command) throws Exception {
        this.id = id;
        this.command = command;
        port = start("127.0.0.1:0");
        direct =
                NettyChannelBuilder.forAddress("127.0.0.1", port).usePlaintext().build();
    }

    /**
     * Builds and starts it. The test is aborted, and says so, where the language is not installed.
     *
     * @param tool what its build script needs
     */
    static ExampleDevice of(String language, String tool, String program, String id, String... more) throws Exception {
        if (!isInstalled(tool)) {
            abort("not judged: the example in " + language + ", because '" + tool + "' is not on the PATH");
        }
        Path log = Files.createTempFile("build-" + language, ".log");
        Process build = new ProcessBuilder(
                        EXAMPLES.resolve(language).resolve("build").toString())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        assertThat(build.waitFor(10, TimeUnit.MINUTES)).as("built in time").isTrue();
        assertThat(build.exitValue()).as(Files.readString(log)).isZero();
        Files.delete(log);
        List<String> command = new ArrayList<>(List.of(
                EXAMPLES.resolve(language).resolve("target").resolve(program).toString(), "--id", id));
        command.addAll(List.of(more));
        return new ExampleDevice(id, command);
    }

    private static boolean isInstalled(String tool) {
        return List.of(System.getenv("PATH").split(java.io.File.pathSeparator)).stream()
                .anyMatch(directory -> Files.isExecutable(Path.of(directory, tool)));
    }

    private int start(String listen) throws IOException {
        List<String> all = new ArrayList<>(command);
        all.addAll(List.of("--listen", listen));
        process = new ProcessBuilder(all)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        BufferedReader out = process.inputReader(StandardCharsets.UTF_8);
        String line = out.readLine();
        assertThat(line).as("its first line").startsWith("serving on ");
        return Integer.parseInt(line.substring(line.lastIndexOf(':') + 1));
    }

    String id() {
        return id;
    }

    String endpoint() {
        return "127.0.0.1:" + port;
    }

    /** What the device itself shows, as "1->17". */
    List<String> circuits() {
        return calls().read(ReadRequest.newBuilder().setDeviceId(id).build()).getCircuitsList().stream()
                .map(c -> c.getKey().getIngress() + "->" + c.getKey().getEgress())
                .sorted()
                .toList();
    }

    private DeviceServiceGrpc.DeviceServiceBlockingStub calls() {
        return DeviceServiceGrpc.newBlockingStub(direct)
                .withDeadlineAfter(20, TimeUnit.SECONDS)
                .withWaitForReady();
    }

    @Override
    public void inject(Fault fault) throws Exception {
        switch (fault) {
            case Fault.ForeignCircuit(CircuitKey circuit) -> {
                var unused = calls().move(MoveRequest.newBuilder()
                        .setDeviceId(id)
                        .addMoves(MoveItem.newBuilder().setConnect(circuit))
                        .build());
            }
            case Fault.Silence() -> {
                ServerFaults.signal("STOP", process);
                stopped = true;
            }
            case Fault.PowerCycle() -> {
                kill();
                var unused = start(endpoint());
            }
            case Fault.DeadElement unused -> throw ServerFaults.unknown(fault);
            case Fault.StuckElement unused -> throw ServerFaults.unknown(fault);
            case Fault.SlowMoves unused -> throw ServerFaults.unknown(fault);
            case Fault.Replacement unused -> throw ServerFaults.unknown(fault);
            case Fault.WeakerLight unused -> throw ServerFaults.unknown(fault);
            case Fault.Temperature unused -> throw ServerFaults.unknown(fault);
            case Fault.Attenuated unused -> throw ServerFaults.unknown(fault);
        }
    }

    @Override
    public void mend() throws Exception {
        if (stopped) {
            ServerFaults.signal("CONT", process);
            stopped = false;
        }
    }

    void kill() throws InterruptedException {
        process.destroyForcibly();
        process.waitFor();
    }

    @Override
    public void close() {
        direct.shutdownNow();
        process.destroyForcibly();
    }
}
