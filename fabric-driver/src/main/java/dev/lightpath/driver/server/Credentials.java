package dev.lightpath.driver.server;

import dev.lightpath.driver.config.DriverConfig;
import io.grpc.InsecureServerCredentials;
import io.grpc.ServerCredentials;
import io.grpc.TlsServerCredentials;
import io.grpc.util.AdvancedTlsX509KeyManager;
import io.grpc.util.AdvancedTlsX509TrustManager;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.util.Optional;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** TLS of the server: both sides show a certificate, and changed files are taken without a restart. */
final class Credentials {
    private static final int RELOAD_SECONDS = 10;

    private Credentials() {}

    static ServerCredentials of(Optional<DriverConfig.Tls> tls, ScheduledExecutorService timers) throws IOException {
        if (tls.isEmpty()) {
            return InsecureServerCredentials.create();
        }
        try {
            AdvancedTlsX509KeyManager keys = new AdvancedTlsX509KeyManager();
            var unusedKeys = keys.updateIdentityCredentials(
                    tls.get().certificate().toFile(),
                    tls.get().key().toFile(),
                    RELOAD_SECONDS,
                    TimeUnit.SECONDS,
                    timers);
            AdvancedTlsX509TrustManager clients = AdvancedTlsX509TrustManager.newBuilder()
                    .setVerification(AdvancedTlsX509TrustManager.Verification.CERTIFICATE_ONLY_VERIFICATION)
                    .build();
            var unusedTrust = clients.updateTrustCredentials(
                    tls.get().clientCa().toFile(), RELOAD_SECONDS, TimeUnit.SECONDS, timers);
            return TlsServerCredentials.newBuilder()
                    .keyManager(keys)
                    .trustManager(clients)
                    .clientAuth(TlsServerCredentials.ClientAuth.REQUIRE)
                    .build();
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            throw new IOException("tls: certificate, key or clientCa cannot be used: " + e.getMessage(), e);
        }
    }
}
