package dev.lightpath.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the init container of the operator runs. */
class PodCertificateTest {
    private static final Path BASE = Path.of(System.getProperty("basedir", "."));

    @TempDir
    Path folder;

    /** A pod whose sandbox is made anew keeps its volumes. */
    @Test
    void isMadeOnceMoreInTheSameVolume() throws IOException, InterruptedException, GeneralSecurityException {
        assertThat(run()).isZero();
        assertThat(run()).isZero();
        KeyStore store = KeyStore.getInstance(folder.resolve("keystore.p12").toFile(), "lightpath".toCharArray());
        assertThat(store.isKeyEntry("operator")).isTrue();
    }

    private int run() throws IOException, InterruptedException {
        JsonNode deployment = new YAMLMapper()
                .readTree(BASE.resolve("../../deploy/kubernetes/operator/deployment.yaml")
                        .toFile());
        List<String> command = new ArrayList<>();
        for (JsonNode word : deployment.at("/spec/template/spec/initContainers/0/command")) {
            command.add(word.asText()
                    .replaceFirst("^/tls/", folder + "/")
                    .replace(
                            "/opt/lightpath/app/*",
                            BASE.resolve("target/classes").toAbsolutePath().toString()));
        }
        command.set(
                0,
                Path.of(System.getProperty("java.home"), "bin", command.getFirst())
                        .toString());
        return new ProcessBuilder(command).inheritIO().start().waitFor();
    }
}
