package dev.lightpath.app;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Makes the key store of one pod, in place of any that is there. Kubernetes runs the init container again, with the
 * same volume, whenever it makes the sandbox of the pod anew, and keytool alone refuses a name that its key store has.
 */
public final class PodCertificate {
    private PodCertificate() {}

    /** @param arguments the key store, then the options of keytool for it */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        Path store = Path.of(arguments[0]);
        Files.deleteIfExists(store);
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(), "-keystore", store.toString()));
        command.addAll(Arrays.asList(arguments).subList(1, arguments.length));
        int code = new ProcessBuilder(command).inheritIO().start().waitFor();
        if (code != 0) {
            throw new IllegalStateException("keytool ended with exit code " + code);
        }
    }
}
