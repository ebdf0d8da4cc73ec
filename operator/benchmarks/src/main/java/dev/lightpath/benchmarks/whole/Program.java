package dev.lightpath.benchmarks.whole;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** One process with its log. */
public final class Program implements AutoCloseable {
    private final String name;
    private final Path log;
    private final Process process;

    private Program(String name, Path log, Process process) {
        this.name = name;
        this.log = log;
        this.process = process;
    }

    public static Program start(String name, Path folder, Map<String, String> environment, List<String> command) {
        Path log = folder.resolve(name + ".log");
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().putAll(environment);
        builder.redirectErrorStream(true).redirectOutput(log.toFile());
        try {
            return new Program(name, log, builder.start());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** @throws IllegalStateException when it ended, with the end of what it said */
    public void assertAlive() {
        if (!process.isAlive()) {
            throw new IllegalStateException(name + " ended; its last words: " + lastWords());
        }
    }

    private String lastWords() {
        String all = words();
        return all.substring(Math.max(0, all.length() - 2000));
    }

    public long pid() {
        return process.pid();
    }

    /** Processor time so far. */
    Duration processorTime() {
        return process.info().totalCpuDuration().orElse(Duration.ZERO);
    }

    /** Processor time so far of the threads that it has now, as exactly as the kernel counts it. */
    long threadNanos() {
        long all = 0;
        try (var tasks = Files.newDirectoryStream(Path.of("/proc", Long.toString(pid()), "task"))) {
            for (Path task : tasks) {
                all += onProcessor(task.resolve("schedstat"));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return all;
    }

    private static long onProcessor(Path schedstat) {
        try {
            return Long.parseLong(Files.readString(schedstat).split(" ", 2)[0]);
        } catch (IOException ended) {
            return 0;
        }
    }

    /** The most memory it ever had resident, in MiB. */
    long peakResidentMib() {
        try (var lines = Files.lines(Path.of("/proc", Long.toString(pid()), "status"))) {
            return lines.filter(line -> line.startsWith("VmHWM:"))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")) / 1024)
                    .findFirst()
                    .orElse(0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Whether it has not ended. */
    public boolean isAlive() {
        return process.isAlive();
    }

    /** All that it said so far. */
    public String words() {
        try {
            return Files.readString(log);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Asks it to end. Returns how long that took. */
    Duration terminate() {
        long began = System.nanoTime();
        process.destroy();
        try {
            if (!process.waitFor(60, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            process.destroyForcibly();
        }
        return Duration.ofNanos(System.nanoTime() - began);
    }

    @Override
    public void close() {
        if (process.isAlive()) {
            process.destroy();
            try {
                if (!process.waitFor(10, TimeUnit.SECONDS)) {
                    process.destroyForcibly().waitFor();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                process.destroyForcibly();
            }
        }
    }
}
