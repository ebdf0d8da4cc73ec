package dev.lightpath.driver.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lightpath.driver.Certificates;
import dev.lightpath.driver.DriverServer;
import dev.lightpath.serving.tls.TlsFiles;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The HTTP port of a driver whose driver.yaml has {@code tls}, asked from elsewhere and from its own host. */
final class SecuredPagesTest {
    /** The driver reads its files again every few seconds. */
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private static final String NOBODY = "";
    private static final String SCRAPER = "scraper";
    private static final String FOR_ALL = "{san: \"dns:lightpath-scraper\", role: reader}";
    private static final String FOR_ONE = "{san: \"dns:lightpath-scraper\", role: admin, devices: [ocs-1]}";

    @TempDir
    private static Path pki;

    @TempDir
    private Path directory;

    private final ScheduledExecutorService timers = Executors.newSingleThreadScheduledExecutor();
    private DriverServer driver;
    private String outside;

    @BeforeAll
    static void issue() throws Exception {
        Certificates certificates = new Certificates(pki);
        certificates.issue("driver", "dns:lightpath-driver");
        certificates.issue("next", "dns:lightpath-driver");
        certificates.issue(SCRAPER, "dns:lightpath-scraper");
        certificates.issue("stranger", "dns:stranger");
    }

    @BeforeEach
    void start() throws Exception {
        InetAddress outer = OuterAddress.ofThisHost();
        outside = outer.getHostAddress();
        show("driver");
        rule(FOR_ALL);
        driver = DriverServer.start(directory.resolve("driver.yaml"));
    }

    @AfterEach
    void stop() {
        if (driver != null) {
            driver.close();
        }
        timers.shutdownNow();
    }

    /** Gives the driver a pair of these. */
    private void show(String name) throws IOException {
        for (String suffix : new String[] {".crt", ".key"}) {
            Files.copy(
                    pki.resolve(name + suffix), directory.resolve("tls" + suffix), StandardCopyOption.REPLACE_EXISTING);
        }
    }

    private void rule(String rule) throws IOException {
        Path next = Files.writeString(directory.resolve("next"), """
                listen: 127.0.0.1:0
                http: 0.0.0.0:0
                stateDirectory: state
                adapters: []
                tls: {certificate: tls.crt, key: tls.key, clientCa: "%s/ca.crt", roles: [%s]}
                """.formatted(pki, rule));
        Files.move(
                next,
                directory.resolve("driver.yaml"),
                StandardCopyOption.ATOMIC_MOVE,
                StandardCopyOption.REPLACE_EXISTING);
    }

    private HttpClient client(String name) throws Exception {
        SSLContext context;
        if (name.isEmpty()) {
            context = SSLContext.getInstance("TLS");
            context.init(null, new TrustManager[] {TlsFiles.clients(pki.resolve("ca.crt"), timers)}, null);
        } else {
            context = TlsFiles.context(
                    pki.resolve(name + ".crt"), pki.resolve(name + ".key"), pki.resolve("ca.crt"), timers);
        }
        return HttpClient.newBuilder().sslContext(context).build();
    }

    private HttpResponse<String> get(HttpClient client, String host, String path) throws Exception {
        return client.send(
                HttpRequest.newBuilder(URI.create("https://" + host + ":" + driver.httpPort() + path))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    private int status(String name, String host, String path) throws Exception {
        try (HttpClient client = client(name)) {
            return get(client, host, path).statusCode();
        }
    }

    @Test
    void probesNeedNoCertificate() throws Exception {
        assertThat(status(NOBODY, outside, "/live")).isEqualTo(200);
        assertThat(status(NOBODY, outside, "/health")).isEqualTo(200);
    }

    @Test
    void metricsAreForCallersWithARole() throws Exception {
        try (HttpClient scraper = client(SCRAPER)) {
            assertThat(get(scraper, outside, "/metrics").body()).contains("lightpath_driver_journal_bytes");
            assertThat(get(scraper, outside, "/metrics/ports").statusCode()).isEqualTo(200);
        }
        for (String other : new String[] {NOBODY, "stranger"}) {
            try (HttpClient client = client(other)) {
                HttpResponse<String> refused = get(client, outside, "/metrics");
                assertThat(refused.statusCode()).isEqualTo(403);
                assertThat(refused.body())
                        .isEqualTo("/metrics is for callers whose certificate has a role for all devices in tls.roles"
                                + " of driver.yaml, and for those on this host\n");
                assertThat(get(client, outside, "/metrics/ports").statusCode()).isEqualTo(403);
            }
        }
    }

    /** A caller with a role learns no more than metrics, and one on this host everything. */
    @Test
    void recordsAreForThisHostAlone() throws Exception {
        for (String path : new String[] {"/audit", "/journal"}) {
            assertThat(status(SCRAPER, outside, path)).as(path).isEqualTo(403);
            assertThat(status(NOBODY, "127.0.0.1", path)).as(path).isEqualTo(200);
        }
        assertThat(status(NOBODY, "127.0.0.1", "/metrics")).isEqualTo(200);
    }

    /** Metrics tell of all devices, so a role for one is not enough. */
    @Test
    void rulesCountAsTheyAreNow() throws Exception {
        try (HttpClient scraper = client(SCRAPER)) {
            assertThat(get(scraper, outside, "/metrics").statusCode()).isEqualTo(200);
            rule(FOR_ONE);
            awaitStatus(scraper, 403);
            rule(FOR_ALL);
            awaitStatus(scraper, 200);
        }
    }

    private void awaitStatus(HttpClient client, int expected) {
        Awaitility.await()
                .atMost(PATIENCE)
                .untilAsserted(() -> assertThat(get(client, outside, "/metrics").statusCode())
                        .isEqualTo(expected));
    }

    @Test
    void plainHttpIsNotSpoken() {
        assertThatThrownBy(() -> {
                    try (HttpClient client = HttpClient.newHttpClient()) {
                        client.send(
                                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + driver.httpPort() + "/health"))
                                        .build(),
                                HttpResponse.BodyHandlers.ofString());
                    }
                })
                .isInstanceOf(IOException.class);
    }

    /** A certificate of somebody else's authority is no lesser certificate: the connection ends. */
    @Test
    void certificatesOfOthersEndTheConnection() throws Exception {
        Certificates others = new Certificates(Files.createDirectory(directory.resolve("others")));
        others.issue(SCRAPER, "dns:lightpath-scraper");
        SSLContext context =
                TlsFiles.context(others.path("scraper.crt"), others.path("scraper.key"), pki.resolve("ca.crt"), timers);
        try (HttpClient client = HttpClient.newBuilder().sslContext(context).build()) {
            assertThatThrownBy(() -> get(client, outside, "/metrics")).isInstanceOf(IOException.class);
        }
    }

    @Test
    void renewedCertificatesAreShown() throws Exception {
        assertThat(shown()).isEqualTo("CN=driver");
        show("next");
        Awaitility.await()
                .atMost(PATIENCE)
                .untilAsserted(() -> assertThat(shown()).isEqualTo("CN=next"));
    }

    /** The subject of the certificate that a new connection sees. */
    private String shown() throws Exception {
        try (HttpClient client = client(NOBODY)) {
            X509Certificate certificate = (X509Certificate)
                    get(client, outside, "/live").sslSession().orElseThrow().getPeerCertificates()[0];
            return certificate.getSubjectX500Principal().getName();
        }
    }
}
