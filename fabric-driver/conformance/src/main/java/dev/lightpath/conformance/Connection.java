package dev.lightpath.conformance;

import dev.lightpath.conformance.bench.Endpoint;
import dev.lightpath.conformance.bench.Unusable;
import io.grpc.ChannelCredentials;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import io.grpc.TlsChannelCredentials;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import java.io.File;
import java.io.IOException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The way to the driver: plaintext, or TLS with a client certificate. */
final class Connection {
    private static final Pattern HOST_PORT = Pattern.compile("\\[?[^/\\s]+]?:(\\d{1,5})");
    private static final int MOST_PORT = 65_535;
    private static final int MOST_BYTES = 64 << 20;

    @Option(names = "--tls-ca", paramLabel = "FILE", description = "certificates that sign the driver's (PEM)")
    private @Nullable File ca;

    @Option(names = "--tls-certificate", paramLabel = "FILE", description = "the kit's own certificate (PEM)")
    private @Nullable File certificate;

    @Option(names = "--tls-key", paramLabel = "FILE", description = "the key of --tls-certificate (PEM, PKCS#8)")
    private @Nullable File key;

    @Option(
            names = "--tls-server-name",
            paramLabel = "NAME",
            description = "name in the driver's certificate, when it" + " is not the endpoint's host")
    private @Nullable String serverName;

    static String checked(String option, String endpoint) {
        Matcher matcher = HOST_PORT.matcher(endpoint);
        if (!matcher.matches()) {
            throw new Unusable(option + ": '" + endpoint + "' is not host:port");
        }
        int port = Integer.parseInt(matcher.group(1));
        if (port < 1 || port > MOST_PORT) {
            throw new Unusable(option + ": '" + endpoint + "' has no port from 1 to " + MOST_PORT);
        }
        return endpoint;
    }

    Endpoint to(String endpoint) {
        String address = checked("--endpoint", endpoint);
        ChannelCredentials credentials = credentials();
        return windowBytes -> {
            ManagedChannelBuilder<?> builder =
                    Grpc.newChannelBuilder("dns:///" + address, credentials).maxInboundMessageSize(MOST_BYTES);
            if (serverName != null) {
                builder.overrideAuthority(serverName);
            }
            if (windowBytes > 0 && builder instanceof NettyChannelBuilder netty) {
                netty.flowControlWindow(windowBytes);
            }
            return builder.build();
        };
    }

    /** Whether the driver is shown a certificate, which may grant some devices only. */
    boolean isCertified() {
        return certificate != null;
    }

    static ManagedChannel plaintext(String endpoint) {
        return Grpc.newChannelBuilder("dns:///" + endpoint, InsecureChannelCredentials.create())
                .build();
    }

    private ChannelCredentials credentials() {
        if ((certificate == null) != (key == null)) {
            throw new Unusable("--tls-certificate and --tls-key go together");
        }
        if (ca == null && certificate == null) {
            return InsecureChannelCredentials.create();
        }
        try {
            TlsChannelCredentials.Builder tls = TlsChannelCredentials.newBuilder();
            if (ca != null) {
                tls.trustManager(ca);
            }
            if (certificate != null && key != null) {
                tls.keyManager(certificate, key);
            }
            return tls.build();
        } catch (IOException | IllegalArgumentException e) {
            throw new Unusable("--tls-*: " + e.getMessage());
        }
    }
}
