package dev.lightpath.cli.cluster.access;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.lightpath.cli.TestRun;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ConnectionTest {
    @TempDir
    private Path folder;

    @Test
    void saysThatNobodyAnswers() throws IOException {
        int port;
        try (var socket = new java.net.ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = socket.getLocalPort();
        }
        refused(
                kubeconfig(port),
                "no answer from the API server http://127.0.0.1:" + port + "/ (connection refused); is it running");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "401|Unauthorized|does not know you: check the credentials",
                "403|opticalfabrics.lightpath.dev is forbidden: User \"eve\" cannot list|forbidden: opticalfabrics.lightpath.dev",
                "404|the server could not find the requested resource|knows no opticalfabrics.lightpath.dev: install Lightpath's resources",
                "500|etcd is gone|the API server refused: etcd is gone"
            })
    void saysWhyTheApiServerRefuses(int code, String message, String line) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        byte[] status = """
                {"kind":"Status","apiVersion":"v1","status":"Failure","code":%d,"message":"%s"}
                """.formatted(code, message.replace("\"", "\\\"")).getBytes(StandardCharsets.UTF_8);
        server.createContext("/", exchange -> {
            exchange.getResponseHeaders().add("Content-Type", "application/json");
            exchange.sendResponseHeaders(code, status.length);
            exchange.getResponseBody().write(status);
            exchange.close();
        });
        server.start();
        try {
            refused(kubeconfig(server.getAddress().getPort()), line);
        } finally {
            server.stop(0);
        }
    }

    @Test
    void namesTheContextsThatThereAre() throws IOException {
        TestRun run = TestRun.of("status", "--kubeconfig", kubeconfig(1).toString(), "--context", "elsewhere");
        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err())
                .contains("--context elsewhere: not in ")
                .contains("allowed: here")
                .hasLineCount(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"[", "kind: Config", ""})
    void refusesAKubeconfigThatIsNone(String text) throws IOException {
        refused(Files.writeString(folder.resolve("config"), text), "config");
    }

    @Test
    void namesAKubeconfigThatIsNotThere() {
        refused(folder.resolve("none"), "none: cannot be read");
    }

    @ParameterizedTest
    @CsvSource({
        "tree,fabric/x,tj/NAME",
        "pause,tj/x,fabric/NAME",
        "drain,a/b/c,switch/NAME or switch/NAME/PORT",
        "clear,node/,node/NAME or switch/NAME",
        "clear,tj/x,node/NAME or switch/NAME"
    })
    void saysWhichTypeACommandTakes(String command, String object, String allowed) {
        TestRun run = TestRun.of(command, object);
        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).isEqualToIgnoringNewLines("lightpath: '" + object + "': allowed is " + allowed);
    }

    /** A missing file would look like a server that is away, and a missing program like a lack of rights. */
    @Test
    void saysWhatAKubeconfigLacks() throws IOException {
        String good = Files.readString(kubeconfig(1));
        refused(Files.writeString(folder.resolve("text"), "kind: ["), "is none: ");
        refused(Files.writeString(folder.resolve("word"), "hello"), "is none: ");
        refused(
                Files.writeString(
                        folder.resolve("ca"),
                        good.replace("server:", "certificate-authority: /nowhere/ca.crt, server:")),
                "certificate-authority /nowhere/ca.crt: there is no such file");
        refused(
                Files.writeString(folder.resolve("exec"), """
                        apiVersion: v1
                        kind: Config
                        clusters: [{name: c, cluster: {server: "http://127.0.0.1:1"}}]
                        users: [{name: u, user: {exec: {apiVersion: client.authentication.k8s.io/v1, command: no-such-program}}}]
                        contexts: [{name: c, context: {cluster: c, user: u}}]
                        current-context: c
                        """),
                "user u gets credentials from the program no-such-program, which is not on PATH");
    }

    private static void refused(Path kubeconfig, String line) {
        TestRun run = TestRun.of("status", "--kubeconfig", kubeconfig.toString(), "-o", "json");
        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.out()).isEmpty();
        assertThat(run.err()).contains(line).hasLineCount(1);
    }

    private Path kubeconfig(int port) throws IOException {
        return Files.writeString(folder.resolve("kubeconfig"), """
                apiVersion: v1
                kind: Config
                clusters: [{name: here, cluster: {server: "http://127.0.0.1:%d"}}]
                users: [{name: me, user: {token: secret}}]
                contexts: [{name: here, context: {cluster: here, user: me}}]
                current-context: here
                """.formatted(port));
    }
}
