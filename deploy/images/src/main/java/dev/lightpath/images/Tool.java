package dev.lightpath.images;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Runs a program of the machine. */
final class Tool {

    private Tool() {}

    /**
     * Returns what the program prints.
     *
     * @throws IOException if it cannot be started or ends with another code than 0; the message holds its output
     */
    static String run(List<String> command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        int code = process.waitFor();
        if (code != 0) {
            throw new IOException(command.getFirst() + " ended with code " + code + ": " + output.strip());
        }
        return output;
    }
}
