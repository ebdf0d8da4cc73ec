package dev.lightpath.driver.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lightpath.driver.Certificates;
import dev.lightpath.driver.HeldTimers;
import dev.lightpath.serving.tls.TlsFiles;
import io.grpc.util.AdvancedTlsX509KeyManager;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class TlsFilesTest {
    private final HeldTimers timers = new HeldTimers();
    private Certificates certificates;
    private AdvancedTlsX509KeyManager keys;
    /** Each change is a second later than the one before, whatever the clock of the file system. */
    private Instant changed = Instant.now();

    @BeforeEach
    void read(@TempDir Path directory) throws Exception {
        certificates = new Certificates(directory);
        certificates.issue("driver", "dns:localhost");
        certificates.issue("next", "dns:localhost");
        keys = TlsFiles.identity(certificates.path("driver.crt"), certificates.path("driver.key"), timers);
    }

    @AfterEach
    void stop() {
        timers.close();
    }

    private String shown() {
        return keys.getCertificateChain("default")[0].getSubjectX500Principal().getName();
    }

    private void replace(String suffix) throws IOException {
        Path file = certificates.path("driver" + suffix);
        Files.copy(certificates.path("next" + suffix), file, StandardCopyOption.REPLACE_EXISTING);
        touch(file);
    }

    private void touch(Path file) throws IOException {
        changed = changed.plusSeconds(1);
        Files.setLastModifiedTime(file, FileTime.from(changed));
    }

    @Test
    void aRenewedPairIsTakenOnceBothFilesAreThere() throws Exception {
        assertThat(shown()).isEqualTo("CN=driver");
        timers.turn();
        assertThat(shown()).isEqualTo("CN=driver");
        replace(".crt");
        timers.turn();
        assertThat(shown()).as("the key is still the old one").isEqualTo("CN=driver");
        replace(".key");
        timers.turn();
        assertThat(shown()).isEqualTo("CN=next");
    }

    /** As when only the certificate is issued anew. */
    @Test
    void aCertificateThatFitsTheKeyThatIsThereIsTakenAtOnce() throws Exception {
        String serial = keys.getCertificateChain("default")[0].getSerialNumber().toString();
        certificates.renew("driver");
        touch(certificates.path("driver.crt"));
        timers.turn();
        assertThat(keys.getCertificateChain("default")[0].getSerialNumber().toString())
                .isNotEqualTo(serial);
    }

    @Test
    void filesThatCannotBeUsedLeaveWhatWasReadBefore() throws Exception {
        touch(Files.writeString(certificates.path("driver.crt"), "no certificate"));
        touch(Files.writeString(certificates.path("driver.key"), "no key"));
        timers.turn();
        assertThat(shown()).isEqualTo("CN=driver");
        Files.delete(certificates.path("driver.key"));
        timers.turn();
        assertThat(shown()).isEqualTo("CN=driver");
        replace(".crt");
        replace(".key");
        timers.turn();
        assertThat(shown()).isEqualTo("CN=next");
    }

    /** The library says "Neither RSA nor EC worked", and "No certificate data found" or nothing. */
    @ParameterizedTest
    @ValueSource(strings = {"no key", "", "-----BEGIN EC PRIVATE KEY-----\nAAAA\n-----END EC PRIVATE KEY-----\n"})
    void aFileWithoutWhatItShouldHoldIsNamed(String text) throws Exception {
        Path file = Files.writeString(certificates.path("other"), text);
        assertThatThrownBy(() -> TlsFiles.identity(certificates.path("driver.crt"), file, timers))
                .hasMessageContaining(file + " holds no key that can be used: it must be of RSA or EC, in PEM");
        assertThatThrownBy(() -> TlsFiles.identity(file, certificates.path("driver.key"), timers))
                .hasMessageContaining(file + " holds no certificate");
        assertThatThrownBy(() -> TlsFiles.clients(file, timers)).hasMessageContaining(file + " holds no certificate");
    }
}
