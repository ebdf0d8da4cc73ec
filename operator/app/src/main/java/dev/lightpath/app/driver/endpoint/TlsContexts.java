package dev.lightpath.app.driver.endpoint;

import dev.lightpath.planner.light.DriverState.Contact;
import io.grpc.netty.shaded.io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContext;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.lang.ref.WeakReference;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.SSLException;

/**
 * What connections trust and show: one context for each material, as long as a connection uses it. One takes some
 * hundred kilobytes, and there are thousands of connections to node agents.
 */
final class TlsContexts {
    private final Map<TlsMaterial, WeakReference<SslContext>> made = new HashMap<>();

    /** @throws Channels.UnusableEndpoint when some of it cannot be read */
    synchronized SslContext of(TlsMaterial tls) throws Channels.UnusableEndpoint {
        made.values().removeIf(context -> context.get() == null);
        // the name that a driver must have is of its connection
        TlsMaterial key = tls.named(Optional.empty());
        WeakReference<SslContext> present = made.get(key);
        SslContext known = present == null ? null : present.get();
        if (known != null) {
            return known;
        }
        SslContext fresh = read(tls);
        made.put(key, new WeakReference<>(fresh));
        return fresh;
    }

    /** The material's own words name where it came from. */
    private static SslContext read(TlsMaterial tls) throws Channels.UnusableEndpoint {
        Optional<String> problem = tls.problem();
        if (problem.isPresent()) {
            throw new Channels.UnusableEndpoint(Contact.AUTHENTICATION_FAILED, problem.get());
        }
        try {
            return GrpcSslContexts.forClient()
                    .trustManager(bytes(tls.authorities()))
                    .keyManager(bytes(tls.certificates()), bytes(tls.privateKey()))
                    .build();
        } catch (SSLException | IllegalArgumentException malformed) {
            throw new Channels.UnusableEndpoint(
                    Contact.AUTHENTICATION_FAILED, "TLS material cannot be read: " + malformed.getMessage());
        }
    }

    private static InputStream bytes(String pem) {
        return new ByteArrayInputStream(pem.getBytes(StandardCharsets.US_ASCII));
    }
}
