package dev.lightpath.driver;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/** A NETCONF client that nobody here wrote, ncclient, in a process: what it reads is what a server holds. */
final class Ncclient implements AutoCloseable {
    private final Process process;
    private final Writer to;
    private final BufferedReader from;

    /** To a server on this machine, as this user with any password. */
    Ncclient(int port, String user) throws Exception {
        process = new ProcessBuilder(
                        PythonProgram.built("ncclient").toString(), "127.0.0.1", Integer.toString(port), user, "any")
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        to = process.outputWriter(StandardCharsets.UTF_8);
        from = process.inputReader(StandardCharsets.UTF_8);
    }

    /** The circuits of its running configuration, as "1->9". */
    List<String> light() {
        return asked("read").stream().sorted().toList();
    }

    /** Makes this a part of its running configuration. */
    void edit(String config) {
        var unused = asked("edit " + config);
    }

    /** By one at a time: the kit asks from several threads. */
    private synchronized List<String> asked(String line) {
        try {
            to.write(line + "\n");
            to.flush();
            String answer = String.valueOf(from.readLine());
            List<String> words = Arrays.asList(answer.split(" "));
            if (!words.getFirst().equals("ok")) {
                throw new AssertionError(line + ": " + answer);
            }
            return words.subList(1, words.size());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() throws InterruptedException {
        process.destroyForcibly();
        process.waitFor();
    }
}
