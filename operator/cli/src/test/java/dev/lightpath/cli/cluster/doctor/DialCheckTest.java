package dev.lightpath.cli.cluster.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.cli.cluster.access.DriverUse;
import io.fabric8.kubernetes.api.model.Secret;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Against servers of the JDK that greet as HTTP/2 does, with certificates of {@code lightpath certificates}. */
class DialCheckTest {
    private static final byte[] SETTINGS = {0, 0, 0, 4, 0, 0, 0, 0, 0};
    private static final String CLIENT = "lightpath-system/localhost-client";

    private static Path authority;
    private static Map<String, Optional<Secret>> made;
    private static Map<String, Optional<Secret>> others;

    @BeforeAll
    static void make(@TempDir Path folder) {
        authority = folder.resolve("one");
        made = CertificateCheckTest.secrets(authority, "--driver", "localhost");
        others = CertificateCheckTest.secrets(folder.resolve("two"), "--driver", "localhost");
    }

    @Test
    void isContentWithADriverThatKnowsTheOperator() throws Exception {
        try (SSLServerSocket server = secure(made, made)) {
            serve(server, SETTINGS);
            assertThat(dial(server.getLocalPort(), true, made)).isEmpty();
        }
    }

    @Test
    void findsADriverOfAnotherAuthority() throws Exception {
        try (SSLServerSocket server = secure(others, made)) {
            serve(server, SETTINGS);
            assertThat(dial(server.getLocalPort(), true, made))
                    .singleElement()
                    .asString()
                    .contains("shows a certificate that is not of the authority in ca.crt");
        }
    }

    /** It hangs up after its alert, which is lost if that is noticed first. */
    @Test
    void findsADriverThatRefusesTheCertificate() throws Exception {
        try (SSLServerSocket server = secure(made, others)) {
            serve(server, SETTINGS);
            assertThat(dial(server.getLocalPort(), true, made))
                    .singleElement()
                    .asString()
                    .containsAnyOf("refuses the certificate that it is shown", "does not answer");
        }
    }

    @Test
    void findsADriverWhoseCertificateHasExpired(@TempDir Path folder) throws Exception {
        try (SSLServerSocket server = secure(expired(folder), made)) {
            serve(server, SETTINGS);
            assertThat(dial(server.getLocalPort(), true, made))
                    .singleElement()
                    .asString()
                    .contains("shows a certificate that has expired: NotAfter: ");
        }
    }

    @Test
    void findsADriverOfAnotherName() throws Exception {
        try (SSLServerSocket server = secure(made, made)) {
            serve(server, SETTINGS);
            DriverUse use = new DriverUse(
                    "opticalfabric/ring-a",
                    "localhost:" + server.getLocalPort(),
                    Optional.of("localhost-client"),
                    Optional.of("lightpath-agent"),
                    true);
            assertThat(DialCheck.of(List.of(use), made, "lightpath-system").findings())
                    .singleElement()
                    .extracting(Finding::what)
                    .asString()
                    .contains("shows a certificate of another name: ", "lightpath-agent");
        }
    }

    @Test
    void findsAPortThatNobodyListensOnAndOneThatSpeaksSomethingElse() throws IOException {
        try (ServerSocket server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            serve(server, SETTINGS);
            assertThat(dial(server.getLocalPort(), false, Map.of())).isEmpty();
        }
        int closed;
        try (ServerSocket server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            closed = server.getLocalPort();
            serve(server, "HTTP/1.1 400 Bad Request\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            assertThat(dial(closed, false, Map.of())).singleElement().asString().contains("speaks no gRPC");
        }
        assertThat(dial(closed, false, Map.of())).singleElement().asString().contains("does not answer");
    }

    @Test
    void callsNobodyWithoutTheSecret() {
        DriverUse use = new DriverUse("opticalfabric/ring-a", "localhost:1", Optional.of("localhost-client"));
        assertThat(DialCheck.of(List.of(use), Map.of(), "lightpath-system").result())
                .isEqualTo(Level.warning);
    }

    private static List<String> dial(int port, boolean tls, Map<String, Optional<Secret>> secrets) {
        DriverUse use = new DriverUse(
                "opticalfabric/ring-a", "localhost:" + port, tls ? Optional.of("localhost-client") : Optional.empty());
        return DialCheck.of(List.of(use), secrets, "lightpath-system").findings().stream()
                .map(Finding::what)
                .toList();
    }

    /** The server's certificate, of the same authority, as of three days ago and for one day. */
    private static Map<String, Optional<Secret>> expired(Path folder) throws Exception {
        Path store = Files.copy(authority.resolve("ca.p12"), folder.resolve("expired.p12"));
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        "leaf",
                        "-dname",
                        "CN=localhost",
                        "-keyalg",
                        "EC",
                        "-groupname",
                        "secp256r1",
                        "-signer",
                        "ca",
                        "-startdate",
                        "-3d",
                        "-validity",
                        "1",
                        "-ext",
                        "san=dns:localhost",
                        "-keystore",
                        store.toString(),
                        "-storepass",
                        "changeit")
                .inheritIO()
                .start();
        assertThat(keytool.waitFor()).isZero();
        KeyStore made = KeyStore.getInstance(store.toFile(), "changeit".toCharArray());
        Secret secret = new Secret();
        secret.setData(Map.of(
                "tls.crt", pem("CERTIFICATE", made.getCertificate("leaf").getEncoded()),
                "tls.key",
                        pem(
                                "PRIVATE KEY",
                                made.getKey("leaf", "changeit".toCharArray()).getEncoded())));
        return Map.of("lightpath-drivers/localhost-tls", Optional.of(secret));
    }

    /** As the data of a Secret. */
    private static String pem(String kind, byte[] bytes) {
        String text = "-----BEGIN " + kind + "-----\n" + Base64.getMimeEncoder().encodeToString(bytes) + "\n-----END "
                + kind + "-----\n";
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.US_ASCII));
    }

    private static void serve(ServerSocket server, byte[] greeting) {
        Thread.ofVirtual().start(() -> {
            try (Socket caller = server.accept()) {
                caller.getInputStream().readNBytes(33);
                caller.getOutputStream().write(greeting);
                caller.getOutputStream().flush();
                caller.getInputStream().read();
            } catch (IOException e) {
                // the caller hung up, or was refused
            }
        });
    }

    /** A server with the certificate of one installation, that trusts the authority of another. */
    private static SSLServerSocket secure(Map<String, Optional<Secret>> own, Map<String, Optional<Secret>> trusted)
            throws GeneralSecurityException, IOException {
        Secret secret = own.get("lightpath-drivers/localhost-tls").orElseThrow();
        KeyStore identity = KeyStore.getInstance("PKCS12");
        identity.load(null, new char[0]);
        byte[] key = Base64.getMimeDecoder()
                .decode(new String(data(secret, "tls.key"), StandardCharsets.US_ASCII)
                        .replaceAll("-----[A-Z ]+-----", ""));
        identity.setKeyEntry(
                "server",
                KeyFactory.getInstance("EC").generatePrivate(new PKCS8EncodedKeySpec(key)),
                new char[0],
                CertificateFactory.getInstance("X.509")
                        .generateCertificates(new ByteArrayInputStream(data(secret, "tls.crt")))
                        .toArray(java.security.cert.Certificate[]::new));
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(identity, new char[0]);
        KeyStore authorities = KeyStore.getInstance("PKCS12");
        authorities.load(null, new char[0]);
        authorities.setCertificateEntry(
                "ca",
                CertificateCheck.read(trusted.get(CLIENT).orElseThrow(), "ca.crt")
                        .orElseThrow());
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(authorities);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
        SSLServerSocket server = (SSLServerSocket)
                context.getServerSocketFactory().createServerSocket(0, 5, InetAddress.getLoopbackAddress());
        server.setNeedClientAuth(true);
        return server;
    }

    private static byte[] data(Secret secret, String key) {
        return Base64.getMimeDecoder().decode(secret.getData().get(key));
    }
}
