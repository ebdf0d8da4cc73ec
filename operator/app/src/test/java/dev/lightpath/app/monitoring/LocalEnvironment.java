package dev.lightpath.app.monitoring;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** What {@code deploy/local/up} starts: a control plane, KWOK nodes, emulator, driver and operator. */
public final class LocalEnvironment implements AutoCloseable {
    private static final Path FOLDER = DashboardsTest.ROOT.resolve("deploy/local");
    /** Exit code of a study that found something. */
    private static final int WITH_FINDINGS = 1;

    private static final Duration START = Duration.ofMinutes(30);

    private final int base;
    private final Map<String, String> variables = new LinkedHashMap<>();

    LocalEnvironment(int base, int nodes) throws IOException, InterruptedException {
        this(base, "--fabric", "ring+ocs", "--nodes", Integer.toString(nodes));
    }

    /** @param options of {@code deploy/local/up}, beside the port base */
    public LocalEnvironment(int base, String... options) throws IOException, InterruptedException {
        this.base = base;
        List<String> up =
                new ArrayList<>(List.of(FOLDER.resolve("up").toString(), "--port-base", Integer.toString(base)));
        up.addAll(List.of(options));
        String said = run(START, up.toArray(String[]::new));
        said.lines().filter(line -> line.contains("=")).forEach(line -> {
            for (String each : line.split(" ")) {
                int equals = each.indexOf('=');
                variables.put(each.substring(0, equals), each.substring(equals + 1));
            }
        });
    }

    /** What it printed to be taken by eval. */
    public String variable(String name) {
        return variables.get(name);
    }

    /** As deploy/local/environment.bash counts ports. */
    String address(int offset) {
        return "127.0.0.1:" + (base + offset);
    }

    String kubectl(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(variable("KUBECTL")));
        command.addAll(List.of(arguments));
        return run(Duration.ofMinutes(3), command.toArray(String[]::new));
    }

    /** Starts the job {@code llm} on ring and switches, and waits until it is Ready. */
    void train() throws IOException, InterruptedException {
        kubectl("apply", "-f", FOLDER.resolve("two-fabrics.yaml").toString());
        kubectl("wait", "--for=condition=Ready", "trainingjob/llm", "--timeout=120s");
    }

    /** Plays days of the fault trace and of jobs. Its findings are judged by a test of their own. */
    String study(Path jar, String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                ProcessHandle.current().info().command().orElse("java"),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "-jar",
                jar.toString(),
                "study",
                "live",
                "--kubeconfig",
                variable("KUBECONFIG"),
                "--emulator",
                variable("EMULATOR")));
        command.addAll(List.of(arguments));
        return run(Duration.ofMinutes(20), WITH_FINDINGS, command.toArray(String[]::new));
    }

    /** The output of a command that succeeds. */
    static String run(Duration patience, String... command) throws IOException, InterruptedException {
        return run(patience, 0, command);
    }

    private static String run(Duration patience, int highestCode, String... command)
            throws IOException, InterruptedException {
        Path error = Files.createTempFile("monitoring", ".log");
        Path output = Files.createTempFile("monitoring", ".out");
        Process process = new ProcessBuilder(command)
                .redirectOutput(output.toFile())
                .redirectError(error.toFile())
                .start();
        boolean ended = process.waitFor(patience.toSeconds(), TimeUnit.SECONDS);
        if (!ended) {
            process.destroy();
        }
        String said = Files.readString(output, StandardCharsets.UTF_8);
        String complaint = Files.readString(error, StandardCharsets.UTF_8);
        Files.delete(output);
        Files.delete(error);
        if (!ended || process.exitValue() > highestCode) {
            throw new AssertionError(
                    String.join(" ", command) + (ended ? " failed" : " did not end") + ":\n" + complaint + said);
        }
        return said;
    }

    @Override
    public void close() throws IOException, InterruptedException {
        run(Duration.ofMinutes(2), FOLDER.resolve("down").toString(), "--port-base", Integer.toString(base));
    }
}
