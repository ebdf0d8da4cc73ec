package dev.lightpath.cli.cluster.access;

import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Why two that know each other by certificates do not, in a line that continues the name of the other one. */
public final class TlsFailure {
    /** How the JDK and OpenSSL say that the other side ended the handshake, and why. */
    private static final Pattern ALERT = Pattern.compile(
            "Received fatal alert: (\\w+)|(?:V1|V3)_(?:TLS\\w*?_)?ALERT_([A-Z_]+)", Pattern.CASE_INSENSITIVE);

    /** Of the words of alerts, those that are about certificates: others tell of versions, ciphers and protocols. */
    private static final Pattern OF_CERTIFICATES = Pattern.compile(".*certificate.*|unknown_ca|access_denied");

    private TlsFailure() {}

    /** Empty where certificates are not the reason. */
    public static Optional<String> line(@Nullable Throwable failure) {
        Optional<String> line = Optional.empty();
        for (Throwable each = failure; each != null; each = each.getCause()) {
            Optional<String> more = one(each);
            line = more.isPresent() ? more : line;
        }
        return line;
    }

    /** The innermost one knows most. */
    private static Optional<String> one(Throwable failure) {
        String said = String.valueOf(failure.getMessage());
        Matcher alert = ALERT.matcher(said);
        if (alert.find()) {
            String why = (alert.group(1) == null ? alert.group(2) : alert.group(1)).toLowerCase(Locale.ROOT);
            return OF_CERTIFICATES.matcher(why).matches()
                    ? Optional.of("refuses the certificate that it is shown, or that it is shown none: "
                            + why.replace('_', ' '))
                    : Optional.empty();
        }
        return switch (failure) {
            case CertificateExpiredException unused -> Optional.of("shows a certificate that has expired: " + said);
            case CertificateNotYetValidException unused ->
                Optional.of("shows a certificate that is not valid yet: " + said);
            case CertificateException unused -> Optional.of(unfit(said) + said);
            default -> Optional.empty();
        };
    }

    private static String unfit(String said) {
        if (said.startsWith("No ")) {
            return "shows a certificate of another name: ";
        }
        return said.startsWith("PKIX path") && !said.toLowerCase(Locale.ROOT).contains("constraints")
                ? "shows a certificate that is not of the authority in ca.crt: "
                : "shows a certificate that cannot be used: ";
    }
}
