package dev.lightpath.driver;

import dev.lightpath.driver.config.AdapterConfig.NetconfDevice;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import org.apache.sshd.common.config.keys.KeyUtils;
import org.apache.sshd.common.keyprovider.KeyPairProvider;
import org.apache.sshd.server.ExitCallback;
import org.apache.sshd.server.SshServer;
import org.apache.sshd.server.channel.ChannelSession;
import org.apache.sshd.server.command.Command;
import org.apache.sshd.server.subsystem.SubsystemFactory;

/** An SSH server with a key of its own, in front of a NETCONF server. */
final class SshNetconf implements AutoCloseable {
    private final SshServer server;
    private final String hostKey;

    /**
     * @param password that is taken
     * @param sessions serves one; empty: it has no NETCONF
     */
    SshNetconf(Predicate<String> password, Optional<Function<ChannelSession, Command>> sessions)
            throws IOException, GeneralSecurityException {
        KeyPair key = keyPair();
        hostKey = KeyUtils.getFingerPrint(key.getPublic());
        server = SshServer.setUpDefaultServer();
        server.setHost("127.0.0.1");
        server.setKeyPairProvider(KeyPairProvider.wrap(key));
        server.setPasswordAuthenticator((user, said, session) -> password.test(said));
        sessions.ifPresent(each -> server.setSubsystemFactories(List.of(new SubsystemFactory() {
            @Override
            public String getName() {
                return "netconf";
            }

            @Override
            public Command createSubsystem(ChannelSession channel) {
                return each.apply(channel);
            }
        })));
        server.start();
    }

    static KeyPair keyPair() throws GeneralSecurityException {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
        generator.initialize(256);
        return generator.generateKeyPair();
    }

    int port() {
        return server.getPort();
    }

    String hostKey() {
        return hostKey;
    }

    /** @param directory gets the file with the password */
    NetconfDevice device(Path directory, String id, int port, String user, String password, String size, Duration poll)
            throws IOException {
        return new NetconfDevice(
                id,
                "127.0.0.1",
                port,
                user,
                Optional.of(Files.writeString(directory.resolve("password"), password)),
                Optional.empty(),
                hostKey,
                size,
                "",
                poll);
    }

    /** One session. */
    abstract static class Session implements Command {
        InputStream in = InputStream.nullInputStream();
        OutputStream out = OutputStream.nullOutputStream();
        ExitCallback exit;

        @Override
        public final void setInputStream(InputStream stream) {
            in = stream;
        }

        @Override
        public final void setOutputStream(OutputStream stream) {
            out = stream;
        }

        @Override
        public final void setErrorStream(OutputStream stream) {}

        @Override
        public final void setExitCallback(ExitCallback callback) {
            exit = callback;
        }
    }

    @Override
    public void close() throws IOException {
        server.stop(true);
    }
}
