package dev.lightpath.benchmarks.life;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** What a process takes of its machine, by {@code /proc}. */
record Vitals(double residentMib, int threads, long handles) {
    static Vitals of(long pid) {
        Path process = Path.of("/proc", Long.toString(pid));
        try (Stream<Path> handles = Files.list(process.resolve("fd"))) {
            String status = Files.readString(process.resolve("status"));
            return new Vitals(number(status, "VmRSS:") / 1024.0, (int) number(status, "Threads:"), handles.count());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static long number(String status, String name) {
        return status.lines()
                .filter(line -> line.startsWith(name))
                .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")))
                .findFirst()
                .orElse(0);
    }

    /**
     * What lives in a Java heap, in MiB: the JVM collects before it counts.
     *
     * @param to where the count by class is left
     */
    static double liveMib(long pid, Path to) {
        try {
            Process count = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "jcmd")
                                    .toString(),
                            Long.toString(pid),
                            "GC.class_histogram")
                    .redirectErrorStream(true)
                    .start();
            String answer = new String(count.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            Files.writeString(to, answer);
            return answer.lines()
                    .filter(line -> line.startsWith("Total "))
                    .mapToDouble(line -> Double.parseDouble(line.trim().split("\\s+")[2]) / (1 << 20))
                    .findFirst()
                    .orElseThrow(() -> new IllegalStateException("no count of the heap of " + pid + ": " + answer));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Size of all files of a folder whose names begin so, in KiB. Files that go meanwhile do not count. */
    static double kib(Path folder, String prefix) {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> String.valueOf(file.getFileName()).startsWith(prefix))
                            .mapToLong(Vitals::size)
                            .sum()
                    / 1024.0;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static long size(Path file) {
        try {
            return Files.size(file);
        } catch (IOException gone) {
            return 0;
        }
    }
}
