package dev.lightpath.driver.gnmi;

import dev.lightpath.driver.config.AdapterConfig;
import dev.lightpath.driver.config.AdapterConfig.GnmiDevice;
import dev.lightpath.driver.config.AdapterConfig.GnmiLogin;
import dev.lightpath.driver.config.AdapterConfig.GnmiTls;
import dev.lightpath.driver.session.LostException;
import dev.lightpath.driver.session.Secret;
import dev.lightpath.serving.tls.TlsFiles;
import io.grpc.ChannelCredentials;
import io.grpc.InsecureChannelCredentials;
import io.grpc.Metadata;
import io.grpc.TlsChannelCredentials;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.MetadataUtils;
import io.grpc.util.AdvancedTlsX509TrustManager;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.regex.Pattern;

/** Ways to the devices of one entry in {@code driver.yaml}: they share the files of TLS. */
final class Channels implements AutoCloseable {
    /** Asked for its finest words, it logs the headers of each call, and the password is one of them. */
    private static final Logger HEADERS = Logger.getLogger("io.grpc.netty.shaded.io.grpc.netty.NettyClientHandler");

    static {
        HEADERS.setLevel(Level.INFO);
    }

    /** The factory's table of a switch of 1024x1024 ports has some 100 MiB: it is not read. */
    private static final int MOST_BYTES = 64 << 20;

    private static final Pattern PASSWORD = Pattern.compile("[\\x20-\\x7e]{1,256}");
    private static final String ALLOWED = "cannot be sent by gNMI: allowed are 1 to 256 characters of ASCII";
    private static final Metadata.Key<String> USER = Metadata.Key.of("username", Metadata.ASCII_STRING_MARSHALLER);
    private static final Metadata.Key<String> SECRET = Metadata.Key.of("password", Metadata.ASCII_STRING_MARSHALLER);

    private final ScheduledExecutorService timers = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("gnmi-tls").factory());
    private final ChannelCredentials credentials;

    /** @throws IOException with one line, when the TLS files cannot be used */
    Channels(AdapterConfig.GnmiSonicOcs config) throws IOException {
        boolean usable = false;
        try {
            credentials =
                    config.tls().isPresent() ? tls(config.tls().get(), timers) : InsecureChannelCredentials.create();
            usable = true;
        } finally {
            if (!usable) {
                timers.shutdownNow();
            }
        }
    }

    private static ChannelCredentials tls(GnmiTls files, ScheduledExecutorService timers) throws IOException {
        try {
            AdvancedTlsX509TrustManager devices =
                    AdvancedTlsX509TrustManager.newBuilder().build();
            TlsFiles.trust(devices, files.ca(), timers);
            TlsChannelCredentials.Builder all =
                    TlsChannelCredentials.newBuilder().trustManager(devices);
            if (files.certificate().isPresent() && files.key().isPresent()) {
                all.keyManager(
                        TlsFiles.identity(files.certificate().get(), files.key().get(), timers));
            }
            return all.build();
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            throw new IOException("adapters.tls: certificate, key or ca cannot be used: " + e.getMessage(), e);
        }
    }

    /**
     * Connects with the first call, and shows user and password with each.
     *
     * @param endsAtSeveral whether sessions with this device end when it is asked for several paths by one call
     */
    GnmiSession open(GnmiDevice device, AtomicBoolean endsAtSeveral) throws LostException {
        NettyChannelBuilder builder = NettyChannelBuilder.forTarget("dns:///" + device.endpoint(), credentials)
                .maxInboundMessageSize(MOST_BYTES)
                // a change that a cut connection took along is not sent twice
                .disableRetry();
        device.serverName().ifPresent(builder::overrideAuthority);
        Optional<GnmiLogin> login = device.login();
        String password = "";
        if (login.isPresent()) {
            password = Secret.read(login.get().passwordFile(), PASSWORD, ALLOWED);
            Metadata shown = new Metadata();
            shown.put(USER, login.get().user());
            shown.put(SECRET, password);
            builder.intercept(MetadataUtils.newAttachHeadersInterceptor(shown));
        }
        return new GnmiSession(builder.build(), password, endsAtSeveral);
    }

    @Override
    public void close() {
        timers.shutdownNow();
    }
}
