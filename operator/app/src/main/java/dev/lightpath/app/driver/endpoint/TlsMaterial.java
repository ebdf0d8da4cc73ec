package dev.lightpath.app.driver.endpoint;

import dev.lightpath.planner.words.Sha256;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Optional;

/**
 * What mutual TLS with a driver needs, as PEM text.
 *
 * @param source where it was read, for a person: Secret namespace/name
 * @param authorities certificates that sign the driver's
 * @param certificates ours, leaf first
 * @param privateKey ours, PKCS#8
 * @param serverName that the driver's certificate must have; empty: the host of its address
 * @param unread why none of it could be read, as the sentence goes on after the source; empty when it was
 */
public record TlsMaterial(
        String source,
        String authorities,
        String certificates,
        String privateKey,
        Optional<String> serverName,
        Optional<String> unread) {
    /** What to do about a certificate that has expired. */
    public static final String RENEW = "renew it (docs/operating.md, Certificates)";

    /** Material that was read. */
    public TlsMaterial(String source, String authorities, String certificates, String privateKey) {
        this(source, authorities, certificates, privateKey, Optional.empty(), Optional.empty());
    }

    /** The same for drivers whose certificates have this name. */
    public TlsMaterial named(Optional<String> name) {
        return new TlsMaterial(source, authorities, certificates, privateKey, name, unread);
    }

    /** Material that nobody has: no connection can use it. */
    public static TlsMaterial missing(String source) {
        return new TlsMaterial(source, "", "", "");
    }

    /** Material that the operator may not read: no connection can use it. */
    public static TlsMaterial withheld(String source) {
        return new TlsMaterial(
                source,
                "",
                "",
                "",
                Optional.empty(),
                Optional.of("may not be read by the operator: allow it by a Role with its name (docs/operating.md,"
                        + " Certificates)"));
    }

    /** Differs when any of it differs; tells nothing about the key. */
    public String fingerprint() {
        MessageDigest digest = Sha256.begin();
        for (String part :
                new String[] {authorities, certificates, privateKey, serverName.orElse(""), unread.orElse("")}) {
            digest.update(part.getBytes(StandardCharsets.UTF_8));
            digest.update((byte) 0);
        }
        return HexFormat.of().formatHex(digest.digest());
    }

    /** What of it cannot be read, where, and what is needed; empty when all can. */
    public Optional<String> problem() {
        if (unread.isPresent()) {
            return unread.map(why -> source + " " + why);
        }
        if (authorities.isEmpty() && certificates.isEmpty() && privateKey.isEmpty()) {
            return Optional.of(source + " is missing or empty: create it with ca.crt, tls.crt and tls.key");
        }
        return unreadable().map(what -> source + ": " + what);
    }

    /** Until when our certificate holds; empty if it cannot be read. */
    public Optional<Instant> expires() {
        try {
            X509Certificate leaf =
                    (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(stream(certificates));
            return Optional.of(leaf.getNotAfter().toInstant());
        } catch (CertificateException unreadable) {
            return Optional.empty();
        }
    }

    /** That our certificate does not hold any more, where, and what is needed; empty as long as it does. */
    public Optional<String> expired(Instant now) {
        return expires()
                .filter(end -> end.isBefore(now))
                .map(end -> source + ": the certificate (tls.crt) expired at " + end + ": " + RENEW);
    }

    private static ByteArrayInputStream stream(String pem) {
        return new ByteArrayInputStream(pem.getBytes(StandardCharsets.US_ASCII));
    }

    private Optional<String> unreadable() {
        if (!holdsCertificates(authorities)) {
            return Optional.of("the authorities (ca.crt) are no PEM certificates");
        }
        if (!holdsCertificates(certificates)) {
            return Optional.of("the certificate (tls.crt) is no PEM certificate");
        }
        return privateKey.contains("-----BEGIN PRIVATE KEY-----")
                ? Optional.empty()
                : Optional.of("the private key (tls.key) is not PKCS#8 in PEM (BEGIN PRIVATE KEY)");
    }

    private static boolean holdsCertificates(String pem) {
        try {
            return !CertificateFactory.getInstance("X.509")
                    .generateCertificates(stream(pem))
                    .isEmpty();
        } catch (CertificateException malformed) {
            return false;
        }
    }

    /** Keeps the private key out of logs. */
    @Override
    public String toString() {
        return "TlsMaterial[" + fingerprint() + "]";
    }
}
