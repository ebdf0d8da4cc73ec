package dev.lightpath.cli.cluster.access;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.Optional;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How pods are asked. That they answer is looked at in deploy/real-node-story, where pods run. */
class PodHttpTest {
    private static final Path SHIPPED = Path.of(System.getProperty("basedir", "."), "../../deploy/kubernetes")
            .normalize();
    private static final char[] PASSWORD = "changeit".toCharArray();

    private static Pod shipped(String program) throws Exception {
        String manifest = Files.readString(SHIPPED.resolve(program + "/deployment.yaml"));
        Deployment deployment = Serialization.unmarshal(manifest.split("(?m)^---$")[0], Deployment.class);
        return new PodBuilder()
                .withSpec(deployment.getSpec().getTemplate().getSpec())
                .build();
    }

    private static String scheme(Pod pod) {
        try (KubernetesClient client = new KubernetesClientBuilder().build()) {
            return new PodHttp(client, pod, "it", 8080).scheme();
        }
    }

    @Test
    void speaksTlsWhereTheProbesDo() throws Exception {
        assertThat(scheme(shipped("driver"))).isEqualTo("https");
        assertThat(scheme(shipped("operator"))).isEqualTo("http");
        assertThat(scheme(Serialization.unmarshal("""
                apiVersion: v1
                kind: Pod
                spec:
                  containers:
                    - name: numbered
                      ports: [{name: http, containerPort: 9441}]
                      livenessProbe: {httpGet: {path: /live, port: 9441, scheme: HTTPS}}
                    - name: other
                      readinessProbe: {tcpSocket: {port: http}}
                """, Pod.class))).isEqualTo("https");
        assertThat(scheme(Serialization.unmarshal("""
                apiVersion: v1
                kind: Pod
                spec:
                  containers:
                    - name: plain
                      ports: [{name: http, containerPort: 9441}]
                      livenessProbe: {httpGet: {path: /live, port: secure, scheme: HTTPS}}
                """, Pod.class))).isEqualTo("http");
    }

    @Test
    void readsAPageWhateverItsCertificate(@TempDir Path folder) throws Exception {
        HttpsServer server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(ofAnotherName(folder)));
        server.createContext("/health", exchange -> {
            try (exchange) {
                exchange.sendResponseHeaders(200, 2);
                exchange.getResponseBody().write(new byte[] {'o', 'k'});
            }
        });
        server.start();
        try {
            URI address = URI.create("https://127.0.0.1:" + server.getAddress().getPort() + "/health");
            Page page =
                    new Page("it", address, Optional.of(AnyCertificate.context()), Optional.empty(), Optional.empty());
            assertThat(page.read()).isEqualTo("ok");
        } finally {
            server.stop(0);
        }
    }

    private static SSLContext ofAnotherName(Path folder) throws Exception {
        Path store = folder.resolve("server.p12");
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        "server",
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=elsewhere",
                        "-storetype",
                        "PKCS12",
                        "-keystore",
                        store.toString(),
                        "-storepass",
                        String.valueOf(PASSWORD))
                .inheritIO()
                .start();
        assertThat(keytool.waitFor()).isZero();
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(store)) {
            keys.load(in, PASSWORD);
        }
        KeyManagerFactory own = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        own.init(keys, PASSWORD);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(own.getKeyManagers(), null, null);
        return context;
    }
}
