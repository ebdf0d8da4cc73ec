package dev.lightpath.app.driver;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * What mutual TLS with a driver needs, as PEM text.
 *
 * @param authorities certificates that sign the driver's
 * @param certificates ours, leaf first
 * @param privateKey ours, PKCS#8
 */
public record TlsMaterial(String authorities, String certificates, String privateKey) {
    /** Differs when any of it differs; tells nothing about the key. */
    String fingerprint() {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            for (String part : new String[] {authorities, certificates, privateKey}) {
                digest.update(part.getBytes(StandardCharsets.UTF_8));
                digest.update((byte) 0);
            }
            return HexFormat.of().formatHex(digest.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    /** Keeps the private key out of logs. */
    @Override
    public String toString() {
        return "TlsMaterial[" + fingerprint() + "]";
    }
}
