package dev.lightpath.driver.netconf;

import dev.lightpath.driver.config.AdapterConfig.NetconfDevice;
import dev.lightpath.driver.session.LostException;
import dev.lightpath.driver.session.OneLine;
import dev.lightpath.driver.session.Secret;
import java.io.IOException;
import java.security.KeyPair;
import java.security.PublicKey;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.sshd.client.SshClient;
import org.apache.sshd.client.channel.ChannelSubsystem;
import org.apache.sshd.client.config.hosts.HostConfigEntryResolver;
import org.apache.sshd.client.session.ClientSession;
import org.apache.sshd.common.AttributeRepository;
import org.apache.sshd.common.SshConstants;
import org.apache.sshd.common.SshException;
import org.apache.sshd.common.config.keys.KeyUtils;
import org.apache.sshd.common.keyprovider.KeyIdentityProvider;
import org.apache.sshd.common.session.SessionHeartbeatController;
import org.apache.sshd.core.CoreModuleProperties;

/** NETCONF sessions over SSH. Only a device with the configured host key is shown a credential. */
final class SshSessions implements AutoCloseable {
    private static final Duration STEP = Duration.ofSeconds(10);
    private static final Pattern PASSWORD = Pattern.compile("(?s).{1,1024}");
    private static final String ALLOWED = "cannot be sent by SSH: allowed are 1 to 1024 characters";

    private static final AttributeRepository.AttributeKey<HostKey> HOST_KEY = new AttributeRepository.AttributeKey<>();

    /** The host key that a connection must find, and what is wrong with the one it found. */
    private static final class HostKey {
        private final String named;
        private volatile String wrong = "";

        HostKey(String named) {
            this.named = named;
        }

        boolean accepts(PublicKey key) {
            String shown = KeyUtils.getFingerPrint(key);
            if (!named.equals(shown)) {
                wrong = "the host key is " + shown + ", but driver.yaml names " + named;
            }
            return named.equals(shown);
        }
    }

    private final SshClient client;

    SshSessions() {
        client = SshClient.setUpDefaultClient();
        // keys are exchanged as soon as there is a connection: what it must find comes with it
        client.setServerKeyVerifier((session, address, key) -> {
            HostKey wanted = session.getConnectionContext() == null
                    ? null
                    : session.getConnectionContext().getAttribute(HOST_KEY);
            return wanted != null && wanted.accepts(key);
        });
        // nothing of the user's ~/.ssh counts here
        client.setKeyIdentityProvider(KeyIdentityProvider.EMPTY_KEYS_PROVIDER);
        client.setHostConfigEntryResolver(HostConfigEntryResolver.EMPTY);
        // a session that only listens is quiet for days; a dead one must not be
        CoreModuleProperties.IDLE_TIMEOUT.set(client, Duration.ZERO);
        // else the end of a question waits some 40 ms for the acknowledgement of its beginning
        CoreModuleProperties.TCP_NODELAY.set(client, true);
        client.setSessionHeartbeat(SessionHeartbeatController.HeartbeatType.IGNORE, STEP);
        client.start();
    }

    /** @throws LostException with one line, without any credential */
    NetconfSession open(NetconfDevice device, Consumer<Element> notifications) throws LostException {
        Optional<String> password = device.passwordFile().isPresent()
                ? Optional.of(Secret.read(device.passwordFile().get(), PASSWORD, ALLOWED))
                : Optional.empty();
        List<KeyPair> keys =
                device.keyFile().isPresent() ? SshKeys.read(device.keyFile().get()) : List.of();
        HostKey hostKey = new HostKey(device.hostKey());
        ClientSession session = connect(device, hostKey);
        try {
            password.ifPresent(session::addPasswordIdentity);
            keys.forEach(session::addPublicKeyIdentity);
            authenticate(session, device);
            ChannelSubsystem channel = session.createSubsystemChannel("netconf");
            channel.open().verify(STEP);
            return greeted(device, session, channel, notifications, password.orElse(""));
        } catch (IOException e) {
            boolean speaksSsh = session.getServerVersion() != null;
            session.close(true);
            if (!speaksSsh) {
                throw new LostException(device.host() + ":" + device.port()
                        + " speaks no SSH: write the port of NETCONF, which is usually 830");
            }
            throw new LostException(
                    hostKey.wrong.isEmpty()
                            // the device's own words might repeat the password; the library's may be one word
                            ? "the session of SSH did not begin: "
                                    + OneLine.of(Secret.hidden(String.valueOf(e.getMessage()), password.orElse("")))
                            : hostKey.wrong);
        }
    }

    /** What the library says of it names its own parts. */
    private ClientSession connect(NetconfDevice device, HostKey hostKey) throws LostException {
        try {
            return client.connect(
                            device.user(),
                            device.host(),
                            device.port(),
                            AttributeRepository.ofKeyValuePair(HOST_KEY, hostKey))
                    .verify(STEP)
                    .getSession();
        } catch (IOException e) {
            String failed = OneLine.ofFailed(e);
            // it tells of its own ports, which are others each time
            String why = failed.startsWith("No session attached") ? "it ended the connection at once" : failed;
            throw new LostException("cannot connect to " + device.host() + ":" + device.port() + ": " + why);
        }
    }

    /** The library does not say who was refused, nor with what. */
    private static void authenticate(ClientSession session, NetconfDevice device) throws IOException, LostException {
        try {
            session.auth().verify(STEP);
        } catch (SshException refused) {
            if (refused.getDisconnectCode() != SshConstants.SSH2_DISCONNECT_NO_MORE_AUTH_METHODS_AVAILABLE) {
                throw refused;
            }
            String with = Stream.of(
                            device.passwordFile().map(file -> "the password in " + file),
                            device.keyFile().map(file -> "the key in " + file))
                    .flatMap(Optional::stream)
                    .collect(Collectors.joining(" or "));
            session.close(true);
            throw new LostException("the device takes no user '" + device.user() + "' with " + with);
        }
    }

    /** A server of SSH may open a channel, and close it because it has no NETCONF. */
    private static NetconfSession greeted(
            NetconfDevice device,
            ClientSession session,
            ChannelSubsystem channel,
            Consumer<Element> notifications,
            String secret)
            throws LostException {
        try {
            return new NetconfSession(
                    channel.getInvertedOut(),
                    channel.getInvertedIn(),
                    () -> session.close(true),
                    notifications,
                    secret);
        } catch (LostException lost) {
            throw NetconfSession.NO_HELLO.equals(lost.getMessage())
                    ? new LostException(NetconfSession.NO_HELLO + ": it takes no more sessions, or " + device.host()
                            + ":" + device.port() + " is not the port of NETCONF, which is usually 830")
                    : lost;
        }
    }

    @Override
    public void close() {
        client.stop();
    }
}
