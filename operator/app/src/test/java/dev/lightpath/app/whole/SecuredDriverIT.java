package dev.lightpath.app.whole;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.crds.apiserver.ApiServer;
import dev.lightpath.crds.apiserver.ApiServerExtension;
import dev.lightpath.crds.fabric.OpticalFabric;
import dev.lightpath.crds.job.TrainingJob;
import dev.lightpath.driver.DriverServer;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** The packaged operator and a driver that is configured as the shipped manifests do, by mutual TLS. */
@ExtendWith(ApiServerExtension.class)
class SecuredDriverIT {
    private static final Path CONFIG =
            Path.of(System.getProperty("basedir", "."), "../../deploy/kubernetes/driver/driver.yaml");
    private static final String PASSWORD = "changeit";

    @TempDir
    private Path folder;

    private Path tls;
    private Installation all;
    private Optional<DriverServer> driver = Optional.empty();

    @BeforeEach
    void install(ApiServer server) throws Exception {
        tls = Files.createDirectories(folder.resolve("tls"));
        keytool("-genkeypair", "-alias", "ca", "-dname", "CN=ca", "-ext", "bc:c", "-ext", "ku:c=keyCertSign");
        issue("operator", "dns:lightpath-operator");
        issue("driver", "dns:localhost");
        all = new Installation(server, folder, 8);
        all.start();
    }

    @AfterEach
    void uninstall() throws IOException {
        try (Installation ending = all) {
            all.client.resources(TrainingJob.class).inNamespace("default").delete();
            all.awaitNothingLeft();
        } finally {
            driver.ifPresent(DriverServer::close);
        }
    }

    @Test
    void lightIsMadeByTlsAndCertificatesAreRenewedWithoutALostStream() throws Exception {
        all.eventually("plaintext is told", () -> assertThat(said("Insecure")).isEqualTo("True Plaintext"));

        DriverServer secured = start();
        name(secured.port());

        all.eventually("TLS is spoken", () -> {
            assertThat(said("Connected")).isEqualTo("True Satisfied");
            assertThat(said("Insecure")).isEmpty();
        });
        all.apply("secured", "{model: {preset: gpt-7b}, parallelism: {tensor: 8, data: 2}, scaleUp: {fabric: ring-a}}");
        all.awaitReady("secured");
        all.assertLightAsRecorded();

        long listed = listings();
        X509Certificate before = shown(secured.port());
        issue("driver", "dns:localhost");
        all.eventually(
                "the driver shows its new certificate",
                () -> assertThat(shown(secured.port())).isNotEqualTo(before));
        all.client.resources(TrainingJob.class).inNamespace("default").delete();
        all.awaitNothingLeft();
        assertThat(listings()).as("streams of the operator").isEqualTo(listed);
    }

    private DriverServer start() throws Exception {
        String shipped = Files.readString(CONFIG);
        assertThat(shipped).contains("0.0.0.0:9440", "0.0.0.0:9441", "/var/lib/lightpath-driver", "adapters: []");
        Path config = Files.writeString(
                folder.resolve("driver.yaml"),
                shipped.replace("0.0.0.0:9440", "127.0.0.1:0")
                        .replace("0.0.0.0:9441", "127.0.0.1:0")
                        .replace(
                                "/var/lib/lightpath-driver",
                                folder.resolve("secured").toString())
                        .replace("adapters: []", "adapters: [{kind: emulator, endpoint: '" + all.emulator() + "'}]")
                        .replace("/etc/lightpath-tls", tls.toString()));
        write("driver", "tls");
        DriverServer started = DriverServer.start(config);
        driver = Optional.of(started);
        return started;
    }

    /** Names driver and Secret in the fabric. */
    private void name(int port) throws Exception {
        write("operator", "operator");
        all.client
                .resource(new SecretBuilder()
                        .withNewMetadata()
                        .withName("lightpath-driver-client")
                        .withNamespace(Installation.SYSTEM)
                        .endMetadata()
                        .withType("kubernetes.io/tls")
                        .addToStringData("ca.crt", Files.readString(tls.resolve("ca.crt")))
                        .addToStringData("tls.crt", Files.readString(tls.resolve("operator.crt")))
                        .addToStringData("tls.key", Files.readString(tls.resolve("operator.key")))
                        .build())
                .serverSideApply();
        all.client
                .resources(OpticalFabric.class)
                .withName("ring-a")
                .patch(PatchContext.of(PatchType.JSON_MERGE), """
                        {"spec": {"ocsTrx": {"driver": {"endpoint": "localhost:%d",
                          "tls": {"secretName": "lightpath-driver-client"}}}}}
                        """.formatted(port));
    }

    private String said(String type) {
        OpticalFabric fabric =
                all.client.resources(OpticalFabric.class).withName("ring-a").get();
        return fabric.getStatus().conditions().stream()
                .filter(condition -> condition.getType().equals(type))
                .map((Condition condition) -> condition.getStatus() + " " + condition.getReason())
                .findFirst()
                .orElse("");
    }

    private long listings() throws IOException {
        try (var lines = Files.lines(folder.resolve("operator.log"))) {
            return lines.filter(line -> line.contains("driver has listed its devices"))
                    .count();
        }
    }

    /** The certificate by which the driver answers a new connection. */
    private X509Certificate shown(int port) throws Exception {
        KeyStore keys = load();
        KeyManagerFactory ours = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        ours.init(keys, PASSWORD.toCharArray());
        TrustManagerFactory trusted = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        KeyStore authority = KeyStore.getInstance("PKCS12");
        authority.load(null, null);
        authority.setCertificateEntry("ca", keys.getCertificate("ca"));
        trusted.init(authority);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(ours.getKeyManagers(), trusted.getTrustManagers(), null);
        try (SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket("localhost", port)) {
            socket.startHandshake();
            return (X509Certificate) socket.getSession().getPeerCertificates()[0];
        }
    }

    /** A new key and certificate; the driver's files are replaced. */
    private void issue(String name, String san) throws Exception {
        if (load().containsAlias(name)) {
            keytool("-delete", "-alias", name);
        }
        keytool("-genkeypair", "-alias", name, "-dname", "CN=" + name, "-signer", "ca", "-ext", "san=" + san);
        if (name.equals("driver")) {
            write("driver", "tls");
        }
    }

    private void write(String alias, String file) throws Exception {
        KeyStore keys = load();
        put("ca.crt", pem("CERTIFICATE", keys.getCertificate("ca").getEncoded()));
        put(
                file + ".key",
                pem("PRIVATE KEY", keys.getKey(alias, PASSWORD.toCharArray()).getEncoded()));
        put(file + ".crt", pem("CERTIFICATE", keys.getCertificate(alias).getEncoded()));
    }

    private void put(String file, String text) throws IOException {
        Files.move(
                Files.writeString(tls.resolve(file + ".next"), text),
                tls.resolve(file),
                StandardCopyOption.REPLACE_EXISTING);
    }

    private KeyStore load() throws Exception {
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(folder.resolve("store.p12"))) {
            keys.load(in, PASSWORD.toCharArray());
        }
        return keys;
    }

    private static String pem(String what, byte[] der) {
        return "-----BEGIN " + what + "-----\n"
                + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der) + "\n-----END " + what
                + "-----\n";
    }

    private void keytool(String... arguments) throws Exception {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
        // half the time to start
        command.addAll(List.of("-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC"));
        command.addAll(List.of(arguments));
        command.addAll(List.of(
                "-keystore", folder.resolve("store.p12").toString(), "-storetype", "PKCS12", "-storepass", PASSWORD));
        if (arguments[0].equals("-genkeypair")) {
            command.addAll(List.of("-keyalg", "EC", "-groupname", "secp256r1", "-validity", "2"));
        }
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as(said).isZero();
    }
}
