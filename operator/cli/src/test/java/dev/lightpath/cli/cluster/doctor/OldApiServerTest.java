package dev.lightpath.cli.cluster.doctor;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.lightpath.cli.TestRun;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OldApiServerTest {
    @Test
    void findsWhatAnOldApiServerLacks(@TempDir Path folder) throws IOException {
        HttpServer old = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        byte[] version = "{\"major\":\"1\",\"minor\":\"29\",\"gitVersion\":\"v1.29.3\"}".getBytes(UTF_8);
        old.createContext("/", exchange -> {
            exchange.sendResponseHeaders(404, -1);
            exchange.close();
        });
        old.createContext("/version", exchange -> {
            exchange.sendResponseHeaders(200, version.length);
            exchange.getResponseBody().write(version);
            exchange.close();
        });
        old.start();
        try {
            Path kubeconfig = Files.writeString(
                    folder.resolve("kubeconfig"), """
                    apiVersion: v1
                    kind: Config
                    clusters: [{name: c, cluster: {server: "http://127.0.0.1:%d"}}]
                    contexts: [{name: c, context: {cluster: c}}]
                    current-context: c
                    """.formatted(old.getAddress().getPort()));
            TestRun run = TestRun.of("doctor", "--kubeconfig", kubeconfig.toString());
            assertThat(run.exitCode()).as(run.out() + run.err()).isEqualTo(1);
            assertThat(run.out())
                    .contains("is v1.29.3", "use Kubernetes v1.30 or a later v1")
                    .contains("serves no ValidatingAdmissionPolicies")
                    .contains("policies", "it serves no objects of this kind");
        } finally {
            old.stop(0);
        }
    }
}
