package dev.lightpath.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import com.github.gnmi.proto.Encoding;
import com.github.gnmi.proto.GetRequest;
import com.github.gnmi.proto.Path;
import com.github.gnmi.proto.PathElem;
import com.github.gnmi.proto.SetRequest;
import com.github.gnmi.proto.TypedValue;
import com.github.gnmi.proto.Update;
import com.github.gnmi.proto.gNMIGrpc;
import com.google.protobuf.ByteString;
import dev.lightpath.conformance.bench.Fault;
import dev.lightpath.driver.config.AdapterConfig.GnmiDevice;
import dev.lightpath.proto.driver.v1alpha1.CircuitKey;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/**
 * A gNMI server of others, as a switch of 16x16 ports: onosproject/gnxi-simulators, on code that ygot generates from a
 * module with the names of sonic-ocs. It speaks without TLS and without user, and has no sonic-ocs-states.
 */
final class GnmiTarget implements ServerFaults.Own, AutoCloseable {
    private static final java.nio.file.Path SOURCE =
            java.nio.file.Path.of("src/test/go/gnxitarget").toAbsolutePath();
    private static final Pattern CIRCUIT = Pattern.compile("\"a_side\":\"(\\w+)\",\"b_side\":\"(\\w+)\"");

    /** Once for all tests of a process: a build of what is built already takes seconds too. */
    private static final class Built {
        static final java.nio.file.Path PROGRAM = program();

        private static java.nio.file.Path program() {
            try {
                java.nio.file.Path log = Files.createTempFile("build-gnxitarget", ".log");
                Process build = new ProcessBuilder(SOURCE.resolve("build").toString())
                        .redirectErrorStream(true)
                        .redirectOutput(log.toFile())
                        .start();
                assertThat(build.waitFor(10, TimeUnit.MINUTES))
                        .as("built in time")
                        .isTrue();
                assertThat(build.exitValue()).as(Files.readString(log)).isZero();
                Files.delete(log);
                return SOURCE.resolve("target/gnxitarget");
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            } catch (InterruptedException e) {
                throw new IllegalStateException("interrupted", e);
            }
        }
    }

    private final java.nio.file.Path program;
    private final boolean streams;
    private final int port;
    private final CutProxy way;
    private final ManagedChannel channel;
    private volatile Process process;
    private boolean broken;

    /** One whose subscriptions tell nothing. */
    GnmiTarget() throws Exception {
        this(false);
    }

    /**
     * Builds and starts it. The test is aborted, and says so, where Go is not installed.
     *
     * @param streams whether it tells of changes, to those who watch the very path that was set. It breaks when that
     *     is deleted
     */
    GnmiTarget(boolean streams) throws Exception {
        this.streams = streams;
        if (List.of(System.getenv("PATH").split(File.pathSeparator)).stream()
                .noneMatch(folder -> Files.isExecutable(java.nio.file.Path.of(folder, "go")))) {
            abort("not judged: gnxi-simulators, because 'go' is not on the PATH");
        }
        program = Built.PROGRAM;
        port = start("127.0.0.1:0");
        way = new CutProxy(port);
        channel = EmulatedPlant.channel(port);
    }

    private int start(String listen) throws IOException {
        process = new ProcessBuilder(program.toString(), "-logtostderr=false", "-listen", listen, "-streams=" + streams)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        String line = process.inputReader(StandardCharsets.UTF_8).readLine();
        assertThat(line).as("its first line").startsWith("serving on ");
        return Integer.parseInt(line.substring(line.lastIndexOf(':') + 1));
    }

    /** Kills it and starts it again: it is as it was at first. */
    void restart() throws IOException, InterruptedException {
        process.destroyForcibly();
        process.waitFor();
        var unused = start("127.0.0.1:" + port);
    }

    GnmiDevice device() {
        return device(Duration.ofSeconds(1));
    }

    GnmiDevice device(Duration poll) {
        return new GnmiDevice(
                "gnxi",
                "127.0.0.1:" + way.port(),
                Optional.empty(),
                Optional.empty(),
                "16x16",
                "",
                OptionalLong.empty(),
                poll);
    }

    /** What it has, as "1A->1B". */
    List<String> light() {
        try {
            String json = calls().get(GetRequest.newBuilder()
                            .setEncoding(Encoding.JSON_IETF)
                            .addPath(path("sonic-ocs", "OCS_CROSS_CONNECT"))
                            .build())
                    .getNotification(0)
                    .getUpdate(0)
                    .getVal()
                    .getJsonIetfVal()
                    .toStringUtf8();
            return CIRCUIT.matcher(json.replace("sonic-ocs:", ""))
                    .results()
                    .map(found -> found.group(1) + "->" + found.group(2))
                    .sorted()
                    .toList();
        } catch (StatusRuntimeException e) {
            if (e.getStatus().getCode() == Status.Code.NOT_FOUND) {
                return List.of();
            }
            throw e;
        }
    }

    private gNMIGrpc.gNMIBlockingStub calls() {
        return gNMIGrpc.newBlockingStub(channel)
                .withDeadlineAfter(30, TimeUnit.SECONDS)
                .withWaitForReady();
    }

    private static Path path(String... names) {
        Path.Builder path = Path.newBuilder();
        for (String name : names) {
            path.addElem(PathElem.newBuilder().setName(name));
        }
        return path.build();
    }

    /** What somebody else sets, past the driver. */
    private void set(SetRequest.Builder request) {
        var unused = calls().set(request.build());
    }

    /** Somebody else sets the whole table of circuits. */
    void setTable(String ingress, String egress) {
        set(SetRequest.newBuilder()
                .addUpdate(update(
                        path("sonic-ocs", "OCS_CROSS_CONNECT"),
                        "{\"OCS_CROSS_CONNECT_LIST\":[{\"cross_connect_id\":\"foreign\",\"a_side\":\"%s\",\"b_side\":\"%s\"}]}"
                                .formatted(ingress, egress))));
    }

    private static Update update(Path path, String json) {
        return Update.newBuilder()
                .setPath(path)
                .setVal(TypedValue.newBuilder().setJsonIetfVal(ByteString.copyFromUtf8(json)))
                .build();
    }

    @Override
    public Process process() {
        return process;
    }

    @Override
    public List<CutProxy> ways() {
        return List.of(way);
    }

    @Override
    public void inject(Fault fault) {
        switch (fault) {
            case Fault.ForeignCircuit(CircuitKey circuit) ->
                set(SetRequest.newBuilder()
                        .addUpdate(update(
                                circuit("foreign"),
                                "{\"cross_connect_id\":\"foreign\",\"a_side\":\"%s\",\"b_side\":\"%s\"}"
                                        .formatted(circuit.getIngress(), circuit.getEgress()))));
            case Fault.DeadElement(var port) -> breakDown("dead", port);
            case Fault.StuckElement(var port) -> breakDown("stuck", nameOfCircuitAt(port));
            case Fault.PowerCycle() -> throw ServerFaults.untold(fault);
            case Fault.Replacement() -> throw ServerFaults.untold(fault);
            case Fault.WeakerLight unused -> throw ServerFaults.unknown(fault);
            case Fault.Attenuated unused -> throw ServerFaults.unknown(fault);
            case Fault.Temperature unused -> throw ServerFaults.unknown(fault);
            case Fault.Silence unused -> throw new IllegalArgumentException("of the process: " + fault);
            case Fault.SlowMoves unused -> throw new IllegalArgumentException("of the process: " + fault);
        }
    }

    private static Path circuit(String name) {
        return path("sonic-ocs", "OCS_CROSS_CONNECT").toBuilder()
                .addElem(PathElem.newBuilder().setName("OCS_CROSS_CONNECT_LIST").putKey("cross_connect_id", name))
                .build();
    }

    private void breakDown(String how, String what) {
        broken = true;
        set(SetRequest.newBuilder().addUpdate(update(path("elements"), "{\"%s\":[\"%s\"]}".formatted(how, what))));
    }

    /** The adapter names circuits by their ports. */
    private String nameOfCircuitAt(String port) {
        return light().stream()
                .filter(circuit -> List.of(circuit.split("->")).contains(port))
                .findFirst()
                .orElseThrow()
                .replace("->", "-");
    }

    @Override
    public void mend() {
        if (broken) {
            set(SetRequest.newBuilder().addDelete(path("elements")));
            broken = false;
        }
    }

    @Override
    public void close() throws IOException, InterruptedException {
        channel.shutdownNow();
        way.close();
        process.destroyForcibly();
        process.waitFor();
    }
}
