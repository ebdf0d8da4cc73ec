package dev.lightpath.driver.tls;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Status;
import java.util.Optional;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.Test;

/** What the library says of a connection that failed, as a line that tells what to do. */
final class CallFailureTest {
    private static String line(String description, Optional<Throwable> cause) {
        return CallFailure.line(Status.UNAVAILABLE.withDescription(description).withCause(cause.orElse(null)));
    }

    @Test
    void anEndWithoutAWordMayBeTheEndOfWhoWantsTls() {
        assertThat(line("Network closed for unknown reason", Optional.empty()))
                .isEqualTo("UNAVAILABLE: the device ended the connection; if it does so each time, it may want tls, or"
                        + " another certificate");
    }

    @Test
    void aRefusedCertificateIsNamedWhicheverLibraryTells() {
        assertThat(line(
                        "ssl exception",
                        Optional.of(new SSLException(
                                "error:10000418:SSL routines:OPENSSL_internal:TLSV1_ALERT_UNKNOWN_CA"))))
                .isEqualTo(
                        "UNAVAILABLE: the device refuses the certificate of this driver, or that it shows none: unknown ca");
        assertThat(line(
                        "ssl exception",
                        Optional.of(new SSLException(
                                "error:1000045c:SSL routines:OPENSSL_internal:TLSV1_ALERT_CERTIFICATE_REQUIRED"))))
                .endsWith("certificate required");
        assertThat(line(
                        "ssl exception",
                        Optional.of(new SSLException(
                                "error:10000412:SSL routines:OPENSSL_internal:SSLV3_ALERT_BAD_CERTIFICATE"))))
                .endsWith("bad certificate");
        assertThat(line(
                        "io exception",
                        Optional.of(new SSLHandshakeException("Received fatal alert: certificate_required"))))
                .endsWith("certificate required");
    }

    @Test
    void anAlertOfSomethingElseAccusesNoCertificate() {
        assertThat(line(
                        "ssl exception",
                        Optional.of(new SSLException(
                                "error:1000042e:SSL routines:OPENSSL_internal:TLSV1_ALERT_PROTOCOL_VERSION"))))
                .isEqualTo("UNAVAILABLE: the device ended the TLS handshake: protocol version");
        assertThat(line(
                        "io exception",
                        Optional.of(new SSLHandshakeException("Received fatal alert: handshake_failure"))))
                .isEqualTo("UNAVAILABLE: the device ended the TLS handshake: handshake failure");
    }

    @Test
    void otherReasonsAreQuoted() {
        assertThat(line("io exception", Optional.of(new SSLException("no cipher suites in common"))))
                .isEqualTo("UNAVAILABLE: io exception: no cipher suites in common");
    }
}
