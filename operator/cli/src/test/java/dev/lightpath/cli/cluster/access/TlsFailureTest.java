package dev.lightpath.cli.cluster.access;

import static org.assertj.core.api.Assertions.assertThat;

import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** As the JDK and OpenSSL word it. */
class TlsFailureTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "Received fatal alert: certificate_required|certificate required",
                "Received fatal alert: unknown_ca|unknown ca",
                "error:10000412:SSL routines:OPENSSL_internal:SSLV3_ALERT_BAD_CERTIFICATE|bad certificate",
                "error:1000045c:SSL routines:OPENSSL_internal:TLSV1_ALERT_CERTIFICATE_REQUIRED|certificate required",
            })
    void anAlertOfACertificateIsARefusalOfIt(String said, String word) {
        assertThat(TlsFailure.line(new SSLException(said)))
                .contains("refuses the certificate that it is shown, or that it is shown none: " + word);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Received fatal alert: protocol_version",
                "Received fatal alert: no_application_protocol",
                "Received fatal alert: internal_error",
                "error:1000042e:SSL routines:OPENSSL_internal:TLSV1_ALERT_PROTOCOL_VERSION",
                "Connection reset"
            })
    void whatIsNotOfCertificatesIsNotSaidOfThem(String said) {
        assertThat(TlsFailure.line(new SSLException(said))).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "No subject alternative DNS name matching agent found.|of another name",
                "PKIX path building failed: unable to find valid certification path to requested target"
                        + "|that is not of the authority in ca.crt",
                "PKIX path validation failed: Algorithm constraints check failed on MD5withRSA|that cannot be used",
                "Extended key usage does not permit use for TLS server authentication|that cannot be used",
            })
    void saysWhatIsWrongWithACertificate(String said, String what) {
        assertThat(TlsFailure.line(failed(new CertificateException(said))))
                .contains("shows a certificate " + what + ": " + said);
    }

    @Test
    void theInnermostReasonIsSaid() {
        CertificateException outer = new CertificateException(
                "PKIX path validation failed: validity check failed",
                new CertificateExpiredException("NotAfter: Fri Nov 27 10:00:00 UTC 2026"));
        assertThat(TlsFailure.line(failed(outer)))
                .contains("shows a certificate that has expired: NotAfter: Fri Nov 27 10:00:00 UTC 2026");
    }

    private static Exception failed(CertificateException why) {
        SSLHandshakeException handshake = new SSLHandshakeException(String.valueOf(why.getMessage()));
        handshake.initCause(why);
        return handshake;
    }
}
