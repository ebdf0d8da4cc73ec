package dev.lightpath.driver.server;

import dev.lightpath.driver.config.DriverConfig;
import dev.lightpath.serving.tls.TlsFiles;
import io.grpc.ServerCredentials;
import io.grpc.TlsServerCredentials;
import io.grpc.util.AdvancedTlsX509KeyManager;
import io.grpc.util.AdvancedTlsX509TrustManager;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.util.concurrent.ScheduledExecutorService;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;

/** TLS of both ports. Changed files are taken without a restart. */
record Credentials(AdvancedTlsX509KeyManager own, AdvancedTlsX509TrustManager clients) {
    /** @throws IOException with one line, when a file cannot be used */
    static Credentials of(DriverConfig.Tls tls, ScheduledExecutorService timers) throws IOException {
        try {
            return new Credentials(
                    TlsFiles.identity(tls.certificate(), tls.key(), timers), TlsFiles.clients(tls.clientCa(), timers));
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            throw new IOException("tls: certificate, key or clientCa cannot be used: " + e.getMessage(), e);
        }
    }

    /** Both sides show a certificate. */
    ServerCredentials ofCalls() {
        return TlsServerCredentials.newBuilder()
                .keyManager(own)
                .trustManager(clients)
                .clientAuth(TlsServerCredentials.ClientAuth.REQUIRE)
                .build();
    }

    SSLContext ofPages() {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(new KeyManager[] {own}, new TrustManager[] {clients}, null);
            return context;
        } catch (GeneralSecurityException never) {
            throw new IllegalStateException("each Java runtime has TLS", never);
        }
    }
}
