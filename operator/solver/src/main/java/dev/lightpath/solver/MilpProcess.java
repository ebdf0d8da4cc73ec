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
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Solves programs in a child process, so that a native crash, a leak or a limit that is ignored stays outside this one.
 */
final class MilpProcess {
    private static final Duration GRACE = Duration.ofSeconds(5);
    private static final long POLL_MILLIS = 20;

    private final Function<Path, List<String>> command;
    private final Duration grace;

    /**
     * A kind of child process.
     *
     * @param command starts it, given a folder for its temporary files; the files of the question and of the outcome
     *     are appended
     * @param grace how long a child may take to give its best answer after the request
     */
    MilpProcess(Function<Path, List<String>> command, Duration grace) {
        this.command = command;
        this.grace = grace;
    }

    /** A child with the same Java and class path as this process. */
    static MilpProcess likeThis() {
        return new MilpProcess(MilpProcess::sameJava, GRACE);
    }

    /** How the child is started with the Java and the class path of this process, leaving its files in the room. */
    static List<String> sameJava(Path room) {
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Djava.io.tmpdir=" + room,
                "-XX:+UseSerialGC",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                MilpChild.class.getName());
    }

    /**
     * Waits for the outcome; the child is gone when this returns.
     *
     * @param stop true asks the child for the best it has; so does the end of the question's limit. A child that does
     *     not answer within the grace is killed
     */
    MilpOutcome solve(MilpQuestion question, BooleanSupplier stop) {
        try {
            Path room = Files.createTempDirectory("lightpath-milp");
            try {
                Path asked = room.resolve("question");
                try (DataOutputStream out =
                        new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(asked)))) {
                    question.write(out);
                }
                return run(question.limit(), stop, room, asked);
            } finally {
                clear(room);
            }
        } catch (IOException e) {
            return new MilpOutcome.Failed("no temporary files for the solver: " + e);
        }
    }

    private MilpOutcome run(Duration limit, BooleanSupplier stop, Path room, Path asked) throws IOException {
        Deadline end = Deadline.in(limit);
        Path answer = room.resolve("answer");
        Path log = room.resolve("log");
        List<String> full = new ArrayList<>(command.apply(room));
        full.add(asked.toString());
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
            while (!child.waitFor(POLL_MILLIS, TimeUnit.MILLISECONDS)) {
                if (stop.getAsBoolean() || end.isOver()) {
                    interrupt(child);
                    if (!child.waitFor(grace.toMillis(), TimeUnit.MILLISECONDS)) {
                        return new MilpOutcome.Undecided();
                    }
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
            child.destroyForcibly().onExit().join();
        }
    }

    /** A child that was killed leaves its unpacked library behind, 70 MB. */
    private static void clear(Path room) {
        try (Stream<Path> files = Files.walk(room)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (IOException | UncheckedIOException e) {
            // A file that cannot be removed now stays in the temporary folder; the answer is valid.
        }
    }

    private static void interrupt(Process child) {
        try {
            child.getOutputStream().close();
        } catch (IOException e) {
            // A child that is gone needs no interruption.
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
