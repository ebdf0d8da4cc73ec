package dev.lightpath.crds.apiserver;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * Where kube-apiserver and etcd lie, found or built by {@code deploy/local/cluster/binaries} (minutes, once per user).
 *
 * @param home the folder that holds {@code k8s/<version>-<platform>/}
 */
public record ControlPlaneBinaries(Path home) {

    private static final Path SCRIPT = Path.of("deploy/local/cluster/binaries");

    /**
     * Asks the script of the checkout that the working directory belongs to.
     *
     * @throws IllegalStateException with one line that says what is missing
     */
    public static ControlPlaneBinaries ofCheckout() {
        return of(checkout().resolve(SCRIPT));
    }

    /**
     * The root of the checkout that the working directory belongs to.
     *
     * @throws IllegalStateException if it belongs to none
     */
    public static Path checkout() {
        Path here = Path.of(System.getProperty("basedir", ".")).toAbsolutePath().normalize();
        for (Path folder = here; folder != null; folder = folder.getParent()) {
            if (Files.isExecutable(folder.resolve(SCRIPT))) {
                return folder;
            }
        }
        throw missing("there is no " + SCRIPT + " above " + here);
    }

    static ControlPlaneBinaries of(Path script) {
        try {
            Process process = new ProcessBuilder(script.toString()).start();
            var said = new StringBuilder();
            Thread progress = Thread.ofVirtual().start(() -> tell(process, said));
            String bin = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            int code = process.waitFor();
            progress.join();
            if (code != 0 || bin.isEmpty()) {
                throw missing(
                        script + " ended with " + code + ": " + said.toString().strip());
            }
            return new ControlPlaneBinaries(Path.of(bin).resolveSibling("").normalize());
        } catch (IOException e) {
            throw missing(script + " cannot be started: " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw missing("interrupted while waiting for " + script);
        }
    }

    /** The version of the API server, as in the name of its folder. */
    public String version() {
        try (Stream<Path> folders = Files.list(home.resolve("k8s"))) {
            String folder = folders.map(path -> path.getFileName().toString())
                    .min(String::compareTo)
                    .orElseThrow(() -> missing(home.resolve("k8s") + " is empty"));
            return folder.substring(0, folder.indexOf('-'));
        } catch (IOException e) {
            throw missing(home.resolve("k8s") + " cannot be read: " + e.getMessage());
        }
    }

    @SuppressWarnings("SystemOut") // a build of minutes must be seen to progress
    private static void tell(Process process, StringBuilder last) {
        try (var lines = new BufferedReader(new InputStreamReader(process.getErrorStream(), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                System.err.println(line);
                last.setLength(0);
                last.append(line);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static IllegalStateException missing(String why) {
        return new IllegalStateException(
                "no API server for the integration tests: " + why + " (-DskipITs builds without them)");
    }
}
