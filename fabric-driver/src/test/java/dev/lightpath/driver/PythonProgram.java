package dev.lightpath.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Programs of {@code src/test/python}, each with a client that nobody here wrote. */
final class PythonProgram {
    private static final Path SOURCES = Path.of("src/test/python").toAbsolutePath();

    private PythonProgram() {}

    /** Builds one. The test is aborted, and says so, where Python is not installed. */
    static Path built(String name) throws Exception {
        if (List.of(System.getenv("PATH").split(File.pathSeparator)).stream()
                .noneMatch(folder -> Files.isExecutable(Path.of(folder, "python3")))) {
            abort("not judged: " + name + ", because 'python3' is not on the PATH");
        }
        // Debian has both in a package of its own
        Process modules = new ProcessBuilder("python3", "-c", "import venv, ensurepip")
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        if (modules.waitFor() != 0) {
            abort("not judged: " + name + ", because 'python3' has no venv: install python3-venv");
        }
        Path log = Files.createTempFile("build-" + name, ".log");
        Process build = new ProcessBuilder(SOURCES.resolve("build").toString(), name)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        assertThat(build.waitFor(10, TimeUnit.MINUTES)).as("built in time").isTrue();
        assertThat(build.exitValue()).as(Files.readString(log)).isZero();
        Files.delete(log);
        return SOURCES.resolve(name).resolve("target/run");
    }
}
