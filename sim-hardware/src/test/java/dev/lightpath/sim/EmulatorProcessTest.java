package dev.lightpath.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import dev.lightpath.proto.emulator.v1alpha1.AdvanceClockRequest;
import dev.lightpath.proto.emulator.v1alpha1.ChaosServiceGrpc;
import dev.lightpath.proto.emulator.v1alpha1.ChaosServiceGrpc.ChaosServiceBlockingStub;
import dev.lightpath.proto.emulator.v1alpha1.DeviceServiceGrpc;
import dev.lightpath.proto.emulator.v1alpha1.FaultKind;
import dev.lightpath.proto.emulator.v1alpha1.GetConnectionsRequest;
import dev.lightpath.proto.emulator.v1alpha1.ListFaultsRequest;
import dev.lightpath.proto.emulator.v1alpha1.LoadScenarioRequest;
import dev.lightpath.proto.emulator.v1alpha1.LoadScenarioResponse;
import dev.lightpath.proto.emulator.v1alpha1.PortPair;
import dev.lightpath.proto.emulator.v1alpha1.SetConnectionsRequest;
import dev.lightpath.proto.emulator.v1alpha1.SnapshotRequest;
import io.grpc.ManagedChannel;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The emulator as a program: what it says to somebody who starts it the wrong way. */
class EmulatorProcessTest {
    private static final String SWITCH = "devices: [{id: s, kind: switch, ports: 4, twoSided: true}]\n";
    private static final String ANYWHERE = "listen: 127.0.0.1:0\nhttp: none\n";

    @TempDir
    private Path directory;

    private @Nullable Process running;
    private ManagedChannel channel;
    private ChaosServiceBlockingStub chaos;

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "''|Missing required option: '--scenario=FILE'; --help tells more",
                "--scenario|Missing required parameter for option '--scenario' (FILE); --help tells more",
                "--scenario ring-64 more|Unmatched argument at index 2: 'more'; --help tells more",
                "--scenario ring-65|ring-65: no such file, and no built-in scenario of that name",
                "--scenario .|.: a directory, a file is needed",
            })
    void wrongArgumentsAreOneLine(String arguments, String complaint) throws Exception {
        assertThat(refusal(arguments.isEmpty() ? List.of() : List.of(arguments.split(" "))))
                .isEqualTo(complaint);
    }

    @Test
    void aFileThatIsNoTextIsOneLine() throws Exception {
        Path file = Files.write(directory.resolve("binary.yaml"), new byte[] {(byte) 0xc3, 0x28, 0x0a});
        assertThat(refusal(List.of("--scenario", file.toString()))).isEqualTo(file + ": no text in UTF-8");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "listen: 'nowhere.invalid:9450'|listen: cannot listen at nowhere.invalid:9450: no such host",
                "http: 'nowhere.invalid:9451'|"
                        + "http: cannot listen at nowhere.invalid:9451: no such host; another port, or 'http: none', is needed",
                "netconf: [{device: s, listen: 'nowhere.invalid:830', user: u, password: p}]|"
                        + "netconf.listen: cannot listen at nowhere.invalid:830: no such host",
                "tl1: [{device: s, listen: 'nowhere.invalid:830', user: u, password: p}]|"
                        + "tl1.listen: cannot listen at nowhere.invalid:830: no such host",
                "gnmi: [{device: s, listen: '127.0.0.1:0', user: u, password: p, certificate: nothing, key: nothing}]|"
                        + "gnmi.listen: cannot listen at 127.0.0.1:0: nothing (No such file or directory)",
                "gnmi: [{device: s, listen: '127.0.0.1:0', user: u, password: p, certificate: FILE, key: FILE}]|"
                        + "gnmi.listen: cannot listen at 127.0.0.1:0: certificate or key are not in PEM",
                "deviceApi: [{devices: [s], listen: '127.0.0.1:0', certificate: FILE, key: FILE, ca: FILE}]|"
                        + "deviceApi.listen: cannot listen at 127.0.0.1:0: certificate, key or ca are not in PEM",
            })
    void whereItCannotListenIsOneLine(String field, String complaint) throws Exception {
        String name = field.substring(0, field.indexOf(':'));
        String usual = ANYWHERE.lines()
                .filter(line -> !line.startsWith(name + ":"))
                .map(line -> line + "\n")
                .reduce("", String::concat);
        assertThat(refusal(usual + SWITCH, field)).isEqualTo(complaint);
    }

    /** The SSH server would say so in lines of its own. */
    @Test
    void aPortThatIsAskedForTwiceIsOneLine() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String at = "127.0.0.1:" + taken.getLocalPort();
            String field = "netconf: [{device: s, listen: '" + at + "', user: u, password: p}]";
            assertThat(refusal(ANYWHERE + SWITCH, field))
                    .isEqualTo("netconf.listen: cannot listen at " + at + ": Address already in use");
        }
    }

    @Test
    void breaksByChanceWhatItsScenarioAndACallAskFor() throws Exception {
        launch("""
                clock: virtual
                ring: {nodes: 400, reach: 2}
                devices: [{id: s, kind: switch, ports: 4}]
                faultRates:
                  - {preset: node-trace, speed: 1440}
                  - {preset: ocs, percentPerDay: 1000000, for: 4h}
                """);
        chaos.advanceClock(AdvanceClockRequest.newBuilder()
                .setMillis(TimeUnit.MINUTES.toMillis(100))
                .build());
        assertThat(kinds("s")).containsExactly(FaultKind.FAULT_KIND_POWER_LOSS);
        assertThat(kinds("")).hasSizeGreaterThan(1);
        assertThat(chaos.snapshot(SnapshotRequest.getDefaultInstance()).getUnpoweredDevices())
                .isGreaterThan(1);
        LoadScenarioResponse loaded = chaos.loadScenario(LoadScenarioRequest.newBuilder()
                .setYaml("faultRates: [{preset: cable, percentPerDay: 10000}]")
                .build());
        assertThat(loaded.getRates()).isEqualTo(1);
        chaos.advanceClock(AdvanceClockRequest.newBuilder()
                .setMillis(TimeUnit.HOURS.toMillis(1))
                .build());
        assertThat(kinds("")).contains(FaultKind.FAULT_KIND_FIBRE_CUT);
        assertThatThrownBy(() -> chaos.loadScenario(LoadScenarioRequest.newBuilder()
                        .setYaml("faultRates: [{preset: rain}]")
                        .build()))
                .hasMessage(
                        "INVALID_ARGUMENT: yaml:1: faultRates.preset is 'rain', allowed are cable, node-trace, ocs");
        assertThatThrownBy(() -> chaos.loadScenario(
                        LoadScenarioRequest.newBuilder().setYaml("{}").build()))
                .hasMessage("INVALID_ARGUMENT: yaml:1: the document needs 'timeline' or 'faultRates'");
    }

    /** Hardware that is switched off: what it was asked is never done, and it begins empty. */
    @Test
    void endsWhileElementsMoveAndBeginsAnew() throws Exception {
        String robot = "devices: [{id: s, kind: switch, ports: 4, preset: robotic}]";
        launch(robot);
        CompletableFuture<Throwable> call = new CompletableFuture<>();
        Thread.startVirtualThread(() -> call.complete(catchThrowable(() -> DeviceServiceGrpc.newBlockingStub(channel)
                .setConnections(SetConnectionsRequest.newBuilder()
                        .setDeviceId("s")
                        .addConnects(PortPair.newBuilder().setIngress("1").setEgress("2"))
                        .build()))));
        await().atMost(Duration.ofSeconds(60))
                .until(() ->
                        chaos.snapshot(SnapshotRequest.getDefaultInstance()).getMoving() == 1);
        running.destroy();
        assertThat(running.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(call.get(60, TimeUnit.SECONDS)).isInstanceOf(StatusRuntimeException.class);
        channel.shutdownNow();
        launch(robot);
        assertThat(DeviceServiceGrpc.newBlockingStub(channel)
                        .getConnections(GetConnectionsRequest.newBuilder()
                                .setDeviceId("s")
                                .build())
                        .getConnectionsList())
                .isEmpty();
    }

    @AfterEach
    void stop() {
        if (running != null) {
            channel.shutdownNow();
            running.destroyForcibly();
        }
    }

    private Set<FaultKind> kinds(String device) {
        return chaos
                .listFaults(ListFaultsRequest.newBuilder().setDeviceId(device).build())
                .getFaultsList()
                .stream()
                .map(fault -> fault.getFault().getKind())
                .collect(Collectors.toSet());
    }

    /** Starts it and waits until it says that it is ready. */
    private void launch(String scenario) throws IOException {
        Path file = Files.writeString(directory.resolve("own.yaml"), ANYWHERE + scenario);
        running = start(List.of("--scenario", file.toString()));
        String ready = running.inputReader(StandardCharsets.UTF_8).readLine();
        assertThat(ready).matches("emulator ready: gRPC at port \\d+");
        int port = Integer.parseInt(ready.substring(ready.lastIndexOf(' ') + 1));
        channel =
                NettyChannelBuilder.forAddress("127.0.0.1", port).usePlaintext().build();
        chaos = ChaosServiceGrpc.newBlockingStub(channel);
    }

    /** Starts it with a scenario; FILE in the last field is a file that is there and no certificate. */
    private String refusal(String scenario, String field) throws Exception {
        Path other = Files.writeString(directory.resolve("other.txt"), "no certificate\n");
        Path file = Files.writeString(
                directory.resolve("own.yaml"), scenario + field.replace("FILE", other.toString()) + "\n");
        return refusal(List.of("--scenario", file.toString()));
    }

    /** All that it says before it ends with 2. */
    private static String refusal(List<String> arguments) throws IOException, InterruptedException {
        Process process = start(arguments);
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as(said).isEqualTo(2);
        return said;
    }

    private static Process start(List<String> arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                Emulator.class.getName()));
        command.addAll(arguments);
        return new ProcessBuilder(command).redirectErrorStream(true).start();
    }
}
