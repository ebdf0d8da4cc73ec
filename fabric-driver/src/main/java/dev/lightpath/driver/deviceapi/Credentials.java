package dev.lightpath.driver.deviceapi;

import dev.lightpath.driver.config.AdapterConfig.ClientTls;
import dev.lightpath.serving.tls.TlsFiles;
import io.grpc.ChannelCredentials;
import io.grpc.InsecureChannelCredentials;
import io.grpc.TlsChannelCredentials;
import io.grpc.util.AdvancedTlsX509TrustManager;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.util.Optional;
import java.util.concurrent.ScheduledExecutorService;

/** TLS of the connection to a program: both sides show a certificate, and changed files are taken without a restart. */
final class Credentials {
    private Credentials() {}

    static ChannelCredentials of(Optional<ClientTls> tls, ScheduledExecutorService timers) throws IOException {
        if (tls.isEmpty()) {
            return InsecureChannelCredentials.create();
        }
        ClientTls files = tls.get();
        try {
            AdvancedTlsX509TrustManager programs =
                    AdvancedTlsX509TrustManager.newBuilder().build();
            TlsFiles.trust(programs, files.ca(), timers);
            return TlsChannelCredentials.newBuilder()
                    .keyManager(TlsFiles.identity(files.certificate(), files.key(), timers))
                    .trustManager(programs)
                    .build();
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            throw new IOException("adapters.tls: certificate, key or ca cannot be used: " + e.getMessage(), e);
        }
    }
}
