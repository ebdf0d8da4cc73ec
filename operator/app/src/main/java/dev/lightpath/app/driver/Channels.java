package dev.lightpath.app.driver;

import io.grpc.ChannelCredentials;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.TlsChannelCredentials;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Opens connections to driver servers. */
final class Channels {
    private static final Pattern ADDRESS = Pattern.compile("(?:\\[([^\\]]+)\\]|([^:\\[\\]/]+)):(\\d{1,5})");
    private static final int MAX_MESSAGE_BYTES = 64 << 20;

    private Channels() {}

    /** The endpoint as it is written cannot be connected to. */
    static final class UnusableEndpoint extends Exception {
        private static final long serialVersionUID = 1L;
        private final String why;

        UnusableEndpoint(String why) {
            super(why);
            this.why = why;
        }

        String why() {
            return why;
        }
    }

    /**
     * A channel that connects when first used. A connection on which nothing is heard for 20 s is probed, and dropped
     * when the probe is not answered: a driver's heartbeats are more frequent than that, so a live one is never probed.
     *
     * @throws UnusableEndpoint when the address or the TLS material is malformed
     */
    static ManagedChannel open(DriverEndpoint endpoint, Executor callbacks) throws UnusableEndpoint {
        Matcher address = ADDRESS.matcher(endpoint.address());
        if (!address.matches() || Integer.parseInt(address.group(3)) > 65535) {
            throw new UnusableEndpoint("driver endpoint '" + endpoint.address() + "' is not host:port");
        }
        String host = address.group(1) == null ? address.group(2) : address.group(1);
        ChannelCredentials credentials = endpoint.tls().isPresent()
                ? secured(endpoint.tls().orElseThrow())
                : InsecureChannelCredentials.create();
        return Grpc.newChannelBuilderForAddress(host, Integer.parseInt(address.group(3)), credentials)
                .executor(callbacks)
                .maxInboundMessageSize(MAX_MESSAGE_BYTES)
                .keepAliveTime(20, TimeUnit.SECONDS)
                .keepAliveTimeout(5, TimeUnit.SECONDS)
                .disableRetry()
                .build();
    }

    private static ChannelCredentials secured(TlsMaterial tls) throws UnusableEndpoint {
        try {
            return TlsChannelCredentials.newBuilder()
                    .trustManager(bytes(tls.authorities()))
                    .keyManager(bytes(tls.certificates()), bytes(tls.privateKey()))
                    .build();
        } catch (IOException | IllegalArgumentException malformed) {
            throw new UnusableEndpoint("TLS material is not readable as PEM: " + malformed.getMessage());
        }
    }

    private static InputStream bytes(String pem) {
        return new ByteArrayInputStream(pem.getBytes(StandardCharsets.US_ASCII));
    }
}
