package dev.lightpath.app.driver.endpoint;

import dev.lightpath.planner.light.DriverState.Contact;
import io.grpc.ChannelCredentials;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import io.grpc.netty.shaded.io.grpc.netty.NettySslContextChannelCredentials;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Opens connections to driver servers, and to workers for searches. Those with the same TLS material share it. */
public final class Channels {
    private static final Pattern ADDRESS = Pattern.compile("(?:\\[([^\\]]+)\\]|([^:\\[\\]/]+)):(\\d{1,5})");
    private static final int MAX_MESSAGE_BYTES = 64 << 20;
    /** An agent tells of one device. */
    private static final int MAX_AGENT_MESSAGE_BYTES = 1 << 20;

    private final TlsContexts contexts = new TlsContexts();

    /** The endpoint as it is written cannot be connected to. */
    public static final class UnusableEndpoint extends Exception {
        private static final long serialVersionUID = 1L;
        private final Contact contact;
        private final String why;

        UnusableEndpoint(Contact contact, String why) {
            super(why);
            this.contact = contact;
            this.why = why;
        }

        public Contact contact() {
            return contact;
        }

        public String why() {
            return why;
        }
    }

    /**
     * A channel that connects when first used. A connection without traffic for 20 s is probed, and dropped when the
     * probe is not answered. A driver's heartbeats are more frequent than that, so a live connection is never probed.
     *
     * @throws UnusableEndpoint when the address or the TLS material is malformed
     */
    public ManagedChannel open(DriverEndpoint endpoint, Executor callbacks) throws UnusableEndpoint {
        int most = endpoint.node().isPresent() ? MAX_AGENT_MESSAGE_BYTES : MAX_MESSAGE_BYTES;
        return open(endpoint.address(), endpoint.tls(), most, callbacks);
    }

    /**
     * As above, to a server of any kind.
     *
     * @param endpoint host:port; an IPv6 host in brackets
     * @param tls empty for plaintext
     * @param mostBytes of a message that it sends
     */
    public ManagedChannel open(String endpoint, Optional<TlsMaterial> tls, int mostBytes, Executor callbacks)
            throws UnusableEndpoint {
        Matcher address = ADDRESS.matcher(endpoint);
        if (!address.matches() || Integer.parseInt(address.group(3)) > 65535) {
            throw new UnusableEndpoint(Contact.UNREACHABLE, "driver endpoint '" + endpoint + "' is not host:port");
        }
        String host = address.group(1) == null ? address.group(2) : address.group(1);
        ChannelCredentials credentials = tls.isPresent() ? secured(tls.get()) : InsecureChannelCredentials.create();
        try {
            ManagedChannelBuilder<?> builder = builder(host, Integer.parseInt(address.group(3)), credentials, callbacks)
                    .maxInboundMessageSize(mostBytes);
            tls.flatMap(TlsMaterial::serverName).ifPresent(builder::overrideAuthority);
            return builder.build();
        } catch (IllegalArgumentException malformed) {
            // a URI takes fewer names than definitions do: not 10.0.0.256, nor gpu.07
            throw new UnusableEndpoint(
                    Contact.UNREACHABLE,
                    "driver endpoint '" + endpoint + "' has a host that is no name and no address: "
                            + malformed.getMessage());
        }
    }

    private ChannelCredentials secured(TlsMaterial tls) throws UnusableEndpoint {
        return NettySslContextChannelCredentials.create(contexts.of(tls));
    }

    private static ManagedChannelBuilder<?> builder(
            String host, int port, ChannelCredentials credentials, Executor callbacks) {
        return Grpc.newChannelBuilderForAddress(host, port, credentials)
                .executor(callbacks)
                .keepAliveTime(20, TimeUnit.SECONDS)
                .keepAliveTimeout(5, TimeUnit.SECONDS)
                .disableRetry();
    }
}
