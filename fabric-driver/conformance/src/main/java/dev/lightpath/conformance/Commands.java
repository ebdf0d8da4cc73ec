package dev.lightpath.conformance;

import dev.lightpath.conformance.bench.Fault;
import dev.lightpath.conformance.bench.Faults;
import dev.lightpath.conformance.bench.Inapplicable;
import dev.lightpath.conformance.bench.Restart;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Shell commands of the user's that restart the driver or hurt the device. */
final class Commands {
    private static final int NOT_KNOWN = 3;
    private static final long PATIENCE_SECONDS = 120;

    private Commands() {}

    static Restart restart(String command) {
        return () -> {
            int code = run(command, List.of());
            if (code != 0) {
                throw new IOException("--restart-command ended with " + code);
            }
        };
    }

    /** The command is called with the fault in words, or with {@code mend}; exit code 3: it knows no such fault. */
    static Faults faults(String command) {
        return new Faults() {
            @Override
            public void inject(Fault fault) throws Exception {
                List<String> words = fault.words();
                int code = run(command, words);
                if (code == NOT_KNOWN) {
                    throw new Inapplicable("--fault-command knows no " + words.getFirst());
                }
                if (code != 0) {
                    throw new IOException("--fault-command " + words + " ended with " + code);
                }
            }

            @Override
            public void mend() throws Exception {
                int code = run(command, List.of("mend"));
                if (code != 0) {
                    throw new IOException("--fault-command mend ended with " + code);
                }
            }
        };
    }

    /** What the command says goes to a file: a driver that it starts may live on with its output open. */
    private static int run(String command, List<String> words) throws IOException, InterruptedException {
        List<String> line = new ArrayList<>(List.of("sh", "-c", command + " \"$@\"", "sh"));
        line.addAll(words);
        Path said = Files.createTempFile("lightpath-conformance", ".log");
        try {
            Process process = new ProcessBuilder(line)
                    .redirectErrorStream(true)
                    .redirectOutput(said.toFile())
                    .start();
            process.getOutputStream().close();
            if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new IOException("'" + command + "' did not end within " + PATIENCE_SECONDS + " s");
            }
            if (process.exitValue() != 0 && process.exitValue() != NOT_KNOWN) {
                System.err.print(Files.readString(said, StandardCharsets.UTF_8));
            }
            return process.exitValue();
        } finally {
            Files.deleteIfExists(said);
        }
    }
}
