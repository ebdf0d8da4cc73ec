package dev.lightpath.driver;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * A process whose directory is on a disk of its own that can be filled: a file system in memory, mounted for that
 * process alone, or, where nothing may be mounted, a limit on the size of files.
 */
final class SmallDisk {
    private static final int MIB = 4;

    private final Path directory;
    private final boolean mounts;

    SmallDisk(Path directory) throws Exception {
        this.directory = Files.createDirectories(directory);
        this.mounts = run(List.of("unshare", "-Urm", "sh", "-c", "mount -t tmpfs none '" + directory + "'"));
        if (!mounts) {
            System.out.println("nothing may be mounted here: the full disk is a limit on the size of files");
        }
    }

    private static boolean run(List<String> command) throws Exception {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        boolean done = process.waitFor() == 0;
        if (!done) {
            System.out.println(String.join(" ", command) + ": " + said.strip());
        }
        return done;
    }

    ProcessBuilder process(List<String> command) {
        List<String> all = new ArrayList<>();
        if (mounts) {
            all.addAll(List.of(
                    "unshare",
                    "-Urm",
                    "sh",
                    "-c",
                    "mount -t tmpfs -o size=" + MIB + "m none '" + directory + "' && exec \"$@\"",
                    "sh"));
        }
        all.addAll(command);
        return new ProcessBuilder(all).redirectErrorStream(true);
    }

    private Path ballast(Process process) {
        return Path.of("/proc/" + process.pid() + "/root" + directory).resolve("ballast");
    }

    /** No byte fits any more. */
    void fill(Process process) throws Exception {
        if (!mounts) {
            limit(process, "1:");
            return;
        }
        byte[] zeros = new byte[4096];
        try (OutputStream out = Files.newOutputStream(ballast(process))) {
            for (int written = 0; written <= MIB << 20; written += zeros.length) {
                out.write(zeros);
            }
        } catch (IOException full) {
            return;
        }
        throw new AssertionError(directory + " has more room than " + MIB + " MiB");
    }

    void free(Process process) throws Exception {
        if (mounts) {
            Files.delete(ballast(process));
        } else {
            limit(process, "unlimited:");
        }
    }

    private static void limit(Process process, String bytes) throws Exception {
        if (!run(List.of("prlimit", "--pid", Long.toString(process.pid()), "--fsize=" + bytes))) {
            throw new AssertionError("neither mount nor prlimit work here: a full disk cannot be made");
        }
    }

    /** Lines of the process until one matches; all of them when it ends before. */
    static String until(BufferedReader lines, Pattern wanted) throws IOException {
        StringBuilder said = new StringBuilder();
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            if (wanted.matcher(line).find()) {
                return line;
            }
            said.append(line).append('\n');
        }
        throw new AssertionError("it ended before it said " + wanted + ":\n" + said);
    }
}
