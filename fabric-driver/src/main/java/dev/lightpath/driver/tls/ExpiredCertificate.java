package dev.lightpath.driver.tls;

import java.security.cert.CertificateExpiredException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Connections that fail because the other side's certificate is of yesterday. */
public final class ExpiredCertificate {
    private ExpiredCertificate() {}

    /** A line, where that is the reason: the JDK names the day alone, or nothing at all. */
    public static Optional<String> line(@Nullable Throwable failure) {
        for (Throwable each = failure; each != null; each = each.getCause()) {
            if (each instanceof CertificateExpiredException) {
                return Optional.of("the device's certificate has expired: " + each.getMessage());
            }
        }
        return Optional.empty();
    }
}
