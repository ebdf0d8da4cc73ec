package dev.lightpath.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import com.github.gnmi.proto.Encoding;
import com.github.gnmi.proto.GetRequest;
import com.github.gnmi.proto.Path;
import com.github.gnmi.proto.PathElem;
import com.github.gnmi.proto.gNMIGrpc;
import dev.lightpath.driver.config.AdapterConfig.GnmiDevice;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/**
 * A gNMI server of others, as a switch of 16x16 ports: onosproject/gnxi-simulators, on code that ygot generates from a module
 * with the names of sonic-ocs. It speaks without TLS and without user, and has no sonic-ocs-states.
 */
final class GnmiTarget implements AutoCloseable {
    private static final java.nio.file.Path SOURCE =
            java.nio.file.Path.of("src/test/go/gnxitarget").toAbsolutePath();
    private static final Pattern CIRCUIT = Pattern.compile("\"a_side\":\"(\\w+)\",\"b_side\":\"(\\w+)\"");

    private final Process process;
    private final int port;
    private final ManagedChannel channel;

    /** Builds and starts it. The test is aborted, and says so, where Go is not installed. */
    GnmiTarget() throws Exception {
        if (List.of(System.getenv("PATH").split(File.pathSeparator)).stream()
                .noneMatch(folder -> Files.isExecutable(java.nio.file.Path.of(folder, "go")))) {
            abort("not judged: gnxi-simulators, because 'go' is not on the PATH");
        }
        java.nio.file.Path log = Files.createTempFile("build-gnxitarget", ".log");
        Process build = new ProcessBuilder(SOURCE.resolve("build").toString())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        assertThat(build.waitFor(10, TimeUnit.MINUTES)).as("built in time").isTrue();
        assertThat(build.exitValue()).as(Files.readString(log)).isZero();
        Files.delete(log);
        process = new ProcessBuilder(SOURCE.resolve("target/gnxitarget").toString(), "-logtostderr=false")
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        String line = process.inputReader(StandardCharsets.UTF_8).readLine();
        assertThat(line).as("its first line").startsWith("serving on ");
        port = Integer.parseInt(line.substring(line.lastIndexOf(':') + 1));
        channel = EmulatedPlant.channel(port);
    }

    GnmiDevice device() {
        return new GnmiDevice(
                "gnxi",
                "127.0.0.1:" + port,
                Optional.empty(),
                Optional.empty(),
                "16x16",
                OptionalLong.empty(),
                Duration.ofSeconds(1));
    }

    /** What it has, as "1A->1B". */
    List<String> light() {
        try {
            String json = gNMIGrpc.newBlockingStub(channel)
                    .withDeadlineAfter(30, TimeUnit.SECONDS)
                    .get(GetRequest.newBuilder()
                            .setEncoding(Encoding.JSON_IETF)
                            .addPath(Path.newBuilder()
                                    .addElem(PathElem.newBuilder().setName("sonic-ocs"))
                                    .addElem(PathElem.newBuilder().setName("OCS_CROSS_CONNECT")))
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

    @Override
    public void close() throws InterruptedException {
        channel.shutdownNow();
        process.destroyForcibly();
        process.waitFor();
    }
}
