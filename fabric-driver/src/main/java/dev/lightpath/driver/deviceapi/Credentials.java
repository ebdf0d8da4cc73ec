package dev.lightpath.driver.deviceapi;

import dev.lightpath.driver.config.AdapterConfig.ClientTls;
import io.grpc.ChannelCredentials;
import io.grpc.InsecureChannelCredentials;
import io.grpc.TlsChannelCredentials;
import io.grpc.util.AdvancedTlsX509KeyManager;
import io.grpc.util.AdvancedTlsX509TrustManager;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.util.Optional;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** TLS of the connection to a program: both sides show a certificate, and changed files are taken without a restart. */
final class Credentials {
    private static final int RELOAD_SECONDS = 10;

    private Credentials() {}

    static ChannelCredentials of(Optional<ClientTls> tls, ScheduledExecutorService timers) throws IOException {
        if (tls.isEmpty()) {
            return InsecureChannelCredentials.create();
        }
        ClientTls files = tls.get();
        try {
            AdvancedTlsX509KeyManager keys = new AdvancedTlsX509KeyManager();
            var unusedKeys = keys.updateIdentityCredentials(
                    files.certificate().toFile(), files.key().toFile(), RELOAD_SECONDS, TimeUnit.SECONDS, timers);
            AdvancedTlsX509TrustManager programs =
                    AdvancedTlsX509TrustManager.newBuilder().build();
            var unusedTrust =
                    programs.updateTrustCredentials(files.ca().toFile(), RELOAD_SECONDS, TimeUnit.SECONDS, timers);
            return TlsChannelCredentials.newBuilder()
                    .keyManager(keys)
                    .trustManager(programs)
                    .build();
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            throw new IOException("adapters.tls: certificate, key or ca cannot be used: " + e.getMessage(), e);
        }
    }
}
