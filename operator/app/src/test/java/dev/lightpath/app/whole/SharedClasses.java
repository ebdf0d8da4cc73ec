package dev.lightpath.app.whole;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The classes of the packaged operator, loaded and verified once for all processes that tests start: about half of the
 * processor time of a start. Its images have an archive of their own.
 */
final class SharedClasses {
    private SharedClasses() {}

    /**
     * The archive beside the program. It is made by the first test that asks, also of several processes.
     *
     * @param java the command of the JVM
     * @param options of the JVM with which the archive will be used
     */
    static synchronized Path of(Path jar, String java, List<String> options) throws IOException {
        Path target = jar.getParent().resolveSibling("operator.jsa");
        try (FileChannel channel = FileChannel.open(
                        target.resolveSibling("operator.jsa.lock"),
                        StandardOpenOption.CREATE,
                        StandardOpenOption.WRITE);
                FileLock ignored = channel.lock()) {
            if (!Files.exists(target)
                    || Files.getLastModifiedTime(target).compareTo(Files.getLastModifiedTime(jar)) < 0) {
                make(target, jar, java, options);
            }
        }
        return target;
    }

    /** An operator without a cluster says that it has started, and ends when it is told to. */
    private static void make(Path target, Path jar, String java, List<String> options) throws IOException {
        Path folder = Files.createTempDirectory(target.getParent(), "shared-classes");
        Path archive = folder.resolve("operator.jsa");
        Path log = folder.resolve("operator.log");
        Path nowhere = Files.writeString(folder.resolve("kubeconfig"), """
                apiVersion: v1
                kind: Config
                clusters: [{name: none, cluster: {server: "http://127.0.0.1:1"}}]
                users: [{name: operator, user: {}}]
                contexts: [{name: none, context: {cluster: none, user: operator, namespace: none}}]
                current-context: none
                """);
        List<String> command = new ArrayList<>(List.of(java));
        command.addAll(options);
        command.addAll(List.of(
                "-XX:ArchiveClassesAtExit=" + archive,
                "-Dquarkus.http.host=127.0.0.1",
                "-Dquarkus.http.port=0",
                "-jar",
                jar.toString()));
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile());
        builder.environment().put("KUBECONFIG", nowhere.toString());
        Process process = builder.start();
        try {
            while (process.isAlive() && !Files.readString(log).contains("started in")) {
                TimeUnit.MILLISECONDS.sleep(100);
            }
            process.destroy();
            assertThat(process.waitFor(3, TimeUnit.MINUTES)).as("it ends").isTrue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while the archive of classes was made", e);
        } finally {
            process.destroyForcibly();
        }
        assertThat(archive).as("made at the end of %s", log).exists();
        Files.move(archive, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }
}
