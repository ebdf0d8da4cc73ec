package dev.lightpath.driver.tls;

import io.grpc.Status;
import io.grpc.netty.shaded.io.netty.handler.ssl.NotSslRecordException;
import java.net.ConnectException;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Why a call by gRPC failed, as one line that is the same each time. */
public final class CallFailure {
    /** What the library says before the reason and the address. */
    private static final Pattern SYSTEM_CALL = Pattern.compile("^[\\w()., ]+ failed with error\\(-?\\d+\\): ");

    /** How OpenSSL and the JDK say that the other side ended a handshake, and why it did. */
    private static final Pattern ALERT =
            Pattern.compile("(?:V1|V3)_(?:TLS\\w*?_)?ALERT_([A-Z_]+)|Received fatal alert: (\\w+)");

    private CallFailure() {}

    /** The library's own words end with the bytes that came, or with its own parts: these differ from time to time. */
    public static String line(Status status) {
        Optional<String> known = known(status);
        if (known.isPresent()) {
            return status.getCode() + ": " + known.get();
        }
        StringBuilder line = new StringBuilder(status.getCode().name());
        if (status.getDescription() != null) {
            line.append(": ").append(status.getDescription().lines().findFirst().orElse(""));
        }
        Throwable root = root(status.getCause());
        if (root != null && root.getMessage() != null) {
            line.append(": ").append(ExpiredCertificate.line(root).orElse(root.getMessage()));
        }
        return line.toString();
    }

    private static Optional<String> known(Status status) {
        for (Throwable each = status.getCause(); each != null; each = each.getCause()) {
            if (each instanceof NotSslRecordException) {
                return Optional.of("the device speaks no TLS, and driver.yaml has tls for it");
            }
            if (each instanceof ConnectException && each.getMessage() != null) {
                return Optional.of("cannot connect: "
                        + SYSTEM_CALL.matcher(each.getMessage()).replaceFirst(""));
            }
        }
        String said = status.getDescription() + " " + root(status.getCause());
        if (said.contains("First received frame was not SETTINGS")) {
            return Optional.of("the device speaks no gRPC without TLS: it may want tls, or be no gRPC server");
        }
        if (said.contains("Network closed for unknown reason")) {
            return Optional.of("the device ended the connection; if it does so each time, it may want tls, or another"
                    + " certificate");
        }
        Matcher alert = ALERT.matcher(said);
        if (!alert.find()) {
            return Optional.empty();
        }
        String why = (alert.group(1) == null ? alert.group(2) : alert.group(1))
                .toLowerCase(Locale.ROOT)
                .replace('_', ' ');
        boolean certificate = why.contains("certificate") || why.equals("unknown ca") || why.equals("access denied");
        return Optional.of((certificate
                        ? "the device refuses the certificate of this driver, or that it shows none: "
                        : "the device ended the TLS handshake: ")
                + why);
    }

    private static @Nullable Throwable root(@Nullable Throwable of) {
        Throwable root = of;
        while (root != null && root.getCause() != null) {
            root = root.getCause();
        }
        return root;
    }
}
