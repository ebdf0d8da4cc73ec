package dev.lightpath.cli.certificates;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.cli.Lightpath;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.ByteArrayInputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class CertificatesCommandTest {
    @TempDir
    private static Path authority;

    /** Of two runs, which take seconds each; the second one is asked for the secret of workers too. */
    private static List<Secret> made;

    private static List<Secret> renewed;

    @TempDir
    private Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @BeforeAll
    static void make() {
        made = new CertificatesCommandTest().secrets();
        renewed = new CertificatesCommandTest().secrets("--solver", "--namespace", "optics");
    }

    private int run(String... arguments) {
        CommandLine command = Lightpath.commandLine();
        command.setOut(new PrintWriter(out));
        command.setErr(new PrintWriter(err));
        return command.execute(
                Stream.concat(Stream.of("certificates"), Stream.of(arguments)).toArray(String[]::new));
    }

    private List<Secret> secrets(String... options) {
        assertThat(run(Stream.concat(Stream.of("--authority", authority.toString()), Stream.of(options))
                        .toArray(String[]::new)))
                .as(err.toString())
                .isZero();
        return Stream.of(out.toString().split("(?m)^---\n"))
                .map(text -> Serialization.unmarshal(text, Secret.class))
                .toList();
    }

    private static X509Certificate certificate(Secret secret, String key) throws Exception {
        return (X509Certificate) CertificateFactory.getInstance("X.509")
                .generateCertificate(
                        new ByteArrayInputStream(secret.getStringData().get(key).getBytes(StandardCharsets.US_ASCII)));
    }

    private static List<String> names(Secret secret) throws Exception {
        return certificate(secret, "tls.crt").getSubjectAlternativeNames().stream()
                .map(each -> each.get(0) + ":" + each.get(1))
                .toList();
    }

    @Test
    void makesSecretsForBothSidesSignedByOneAuthority() throws Exception {
        assertThat(made)
                .extracting(secret -> secret.getMetadata().getNamespace() + "/"
                        + secret.getMetadata().getName())
                .containsExactly(
                        "lightpath-drivers/lightpath-driver-tls",
                        "lightpath-system/lightpath-driver-client",
                        "lightpath-drivers/lightpath-driver-admin",
                        "lightpath-system/lightpath-driver-scraper");
        assertThat(names(made.getFirst())).contains("2:lightpath-driver.lightpath-drivers.svc", "2:lightpath-driver");
        assertThat(names(made.get(1))).containsExactly("2:lightpath-operator");
        assertThat(names(made.get(2))).containsExactly("2:lightpath-admin");
        assertThat(names(made.getLast())).containsExactly("2:lightpath-scraper");
        for (Secret secret : made) {
            certificate(secret, "tls.crt").verify(certificate(secret, "ca.crt").getPublicKey());
            assertThat(secret.getStringData().get("tls.key")).startsWith("-----BEGIN PRIVATE KEY-----");
        }
    }

    @Test
    void makesTheSecretOfWorkersOnRequest() throws Exception {
        Secret secret = renewed.getLast();
        assertThat(secret.getMetadata().getNamespace() + "/"
                        + secret.getMetadata().getName())
                .isEqualTo("optics/lightpath-solver-tls");
        assertThat(names(secret)).contains("2:lightpath-solver.optics.svc");
    }

    @Test
    void renewsByTheSameAuthority() throws Exception {
        X509Certificate before = certificate(made.getFirst(), "tls.crt");
        X509Certificate after = certificate(renewed.getFirst(), "tls.crt");
        before.verify(certificate(renewed.getFirst(), "ca.crt").getPublicKey());
        assertThat(after.getPublicKey()).isNotEqualTo(before.getPublicKey());
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(authority.resolve("ca.p12"))))
                .isEqualTo("rw-------");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            --days=0          | --days: 0 is not allowed; allowed are 1 to 3650
            --namespace=A_b   | --namespace: 'A_b' is not allowed; allowed are up to 63 of a-z, 0-9 and -
            --driver-namespace=A_b | --driver-namespace: 'A_b' is not allowed; allowed are up to 63 of a-z, 0-9 and -
            """)
    void saysWhatIsWrong(String option, String message) {
        assertThat(run("--authority", folder.toString(), option)).isEqualTo(2);
        assertThat(err.toString()).contains(message).hasLineCount(1);
    }

    @Test
    void doesNotReplaceAnAuthorityThatItCannotRead() throws Exception {
        Files.writeString(folder.resolve("ca.p12"), "not a key store");
        assertThat(run("--authority", folder.toString())).isEqualTo(2);
        assertThat(err.toString()).contains("ca.p12 cannot be used").hasLineCount(1);
    }
}
