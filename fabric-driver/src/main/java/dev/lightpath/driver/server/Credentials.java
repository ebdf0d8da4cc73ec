package dev.lightpath.driver.server;

import dev.lightpath.driver.config.DriverConfig;
import dev.lightpath.driver.tls.TlsFiles;
import io.grpc.InsecureServerCredentials;
import io.grpc.ServerCredentials;
import io.grpc.TlsServerCredentials;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.util.Optional;
import java.util.concurrent.ScheduledExecutorService;

/** TLS of the server: both sides show a certificate, and changed files are taken without a restart. */
final class Credentials {
    private Credentials() {}

    static ServerCredentials of(Optional<DriverConfig.Tls> tls, ScheduledExecutorService timers) throws IOException {
        if (tls.isEmpty()) {
            return InsecureServerCredentials.create();
        }
        try {
            return TlsServerCredentials.newBuilder()
                    .keyManager(
                            TlsFiles.identity(tls.get().certificate(), tls.get().key(), timers))
                    .trustManager(TlsFiles.clients(tls.get().clientCa(), timers))
                    .clientAuth(TlsServerCredentials.ClientAuth.REQUIRE)
                    .build();
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            throw new IOException("tls: certificate, key or clientCa cannot be used: " + e.getMessage(), e);
        }
    }
}
