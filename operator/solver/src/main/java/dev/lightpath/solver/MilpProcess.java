package dev.lightpath.solver;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Solves programs in a child process, so that a native crash, a leak or a limit that is ignored stays outside this one. */
final class MilpProcess {
    private static final Duration GRACE = Duration.ofSeconds(15);
    private static final long POLL_MILLIS = 20;

    private final List<String> command;

    /** @param command starts the child; the file that takes the outcome is appended */
    MilpProcess(List<String> command) {
        this.command = List.copyOf(command);
    }

    /** A child with the same Java and class path as this process. */
    static MilpProcess likeThis() {
        return new MilpProcess(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                MilpChild.class.getName()));
    }

    /**
     * Waits for the outcome; the child is gone when this returns.
     *
     * @param limit handed to the solver; a child that overstays it by {@value #POLL_MILLIS} ms polls and a grace is killed
     * @param stop true ends the wait and the child
     */
    MilpOutcome solve(MixedIntegerProgram program, Backend backend, Duration limit, int threads, BooleanSupplier stop) {
        try {
            Path answer = Files.createTempFile("lightpath-milp", ".out");
            Path log = Files.createTempFile("lightpath-milp", ".log");
            try {
                return run(program, backend, limit, threads, stop, answer, log);
            } finally {
                Files.deleteIfExists(answer);
                Files.deleteIfExists(log);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("no temporary file for the solver's answer", e);
        }
    }

    private MilpOutcome run(
            MixedIntegerProgram program,
            Backend backend,
            Duration limit,
            int threads,
            BooleanSupplier stop,
            Path answer,
            Path log)
            throws IOException {
        List<String> full = new ArrayList<>(command);
        full.add(answer.toString());
        Process child;
        try {
            child = new ProcessBuilder(full)
                    .redirectErrorStream(true)
                    .redirectOutput(log.toFile())
                    .start();
        } catch (IOException e) {
            return new MilpOutcome.Failed("the solver's process did not start: " + e.getMessage());
        }
        try {
            try (DataOutputStream out = new DataOutputStream(new BufferedOutputStream(child.getOutputStream()))) {
                out.writeUTF(backend.name());
                out.writeLong(limit.toMillis());
                out.writeInt(threads);
                program.write(out);
            } catch (IOException e) {
                // A child that died before it had read everything is judged below by its exit code.
            }
            long end = System.nanoTime() + limit.plus(GRACE).toNanos();
            while (!child.waitFor(POLL_MILLIS, TimeUnit.MILLISECONDS)) {
                if (stop.getAsBoolean()) {
                    return new MilpOutcome.Undecided();
                }
                if (System.nanoTime() > end) {
                    return new MilpOutcome.Failed("the solver ignored its limit of " + limit.toSeconds() + " s");
                }
            }
            if (child.exitValue() != 0) {
                return new MilpOutcome.Failed(
                        "the solver's process ended with code " + child.exitValue() + ": " + lastLine(log));
            }
            try (DataInputStream in = new DataInputStream(new BufferedInputStream(Files.newInputStream(answer)))) {
                return Outcomes.read(in);
            } catch (IOException e) {
                return new MilpOutcome.Failed("the solver's answer cannot be read: " + e.getMessage());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new MilpOutcome.Undecided();
        } finally {
            child.destroyForcibly();
        }
    }

    private static String lastLine(Path log) throws IOException {
        List<String> lines = new String(Files.readAllBytes(log), StandardCharsets.UTF_8)
                .lines()
                .filter(line -> !line.isBlank())
                .toList();
        return lines.isEmpty() ? "it said nothing" : lines.getLast();
    }
}
