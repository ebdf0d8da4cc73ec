package dev.lightpath.cli.cluster.driver;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.lightpath.cli.TestRun;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ForbiddenSecretTest {
    private static final String GROUP = "/apis/lightpath.dev/v1alpha1/";
    private static final String LIST =
            "{\"apiVersion\": \"lightpath.dev/v1alpha1\", \"kind\": \"%sList\", \"metadata\": {}, \"items\": [%s]}";
    private static final String FABRIC = """
            {"apiVersion": "lightpath.dev/v1alpha1", "kind": "OpticalFabric", "metadata": {"name": "ring-a"},
             "spec": {"ocsTrx": {"shape": "Ring", "reach": 2, "gpusPerNode": 4, "positions": 4,
                                 "driver": {"endpoint": "127.0.0.1:9", "tls": {"secretName": "client"}}}}}
            """;
    private static final String FORBIDDEN = """
            {"apiVersion": "v1", "kind": "Status", "status": "Failure", "reason": "Forbidden", "code": 403,
             "message": "secrets is forbidden: User jo cannot get resource secrets"}
            """;

    @Test
    void isToldInOneLine(@TempDir Path folder) throws IOException {
        HttpServer api = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        Map.of(
                        "/api/v1/namespaces/kube-system",
                        "{\"apiVersion\": \"v1\", \"kind\": \"Namespace\", \"metadata\": {\"uid\": \"u\"}}",
                        GROUP + "opticalfabrics",
                        LIST.formatted("OpticalFabric", FABRIC),
                        GROUP + "opticalfabrics/ring-a",
                        FABRIC,
                        GROUP + "opticalswitches",
                        LIST.formatted("OpticalSwitch", ""))
                .forEach((path, answer) -> answers(api, path, 200, answer));
        answers(api, "/api/v1/namespaces/lightpath-drivers/secrets", 403, FORBIDDEN);
        api.start();
        try {
            Path kubeconfig = Files.writeString(
                    folder.resolve("kubeconfig"), """
                    apiVersion: v1
                    kind: Config
                    clusters: [{name: c, cluster: {server: "http://127.0.0.1:%d"}}]
                    contexts: [{name: c, context: {cluster: c}}]
                    current-context: c
                    """.formatted(api.getAddress().getPort()));
            TestRun run = TestRun.of("driver", "transfer", "fabric/ring-a", "--kubeconfig", kubeconfig.toString());
            assertThat(run.exitCode()).as(run.out() + run.err()).isEqualTo(2);
            assertThat(run.err().strip())
                    .endsWith("forbidden: secrets is forbidden: User jo cannot get resource secrets")
                    .hasLineCount(1);
        } finally {
            api.stop(0);
        }
    }

    private static void answers(HttpServer api, String path, int status, String answer) {
        byte[] bytes = answer.getBytes(UTF_8);
        api.createContext(path, exchange -> {
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(status, bytes.length);
            exchange.getResponseBody().write(bytes);
            exchange.close();
        });
    }
}
