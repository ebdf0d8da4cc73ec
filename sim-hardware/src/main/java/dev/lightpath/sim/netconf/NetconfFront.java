package dev.lightpath.sim.netconf;

import dev.lightpath.sim.core.Hardware;
import dev.lightpath.sim.loop.HardwareLoop;
import dev.lightpath.sim.managed.ActivityLog;
import dev.lightpath.sim.scenario.NetconfSpec;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.time.Duration;
import java.util.List;
import org.apache.sshd.common.config.keys.KeyUtils;
import org.apache.sshd.common.keyprovider.KeyPairProvider;
import org.apache.sshd.core.CoreModuleProperties;
import org.apache.sshd.server.SshServer;
import org.apache.sshd.server.channel.ChannelSession;
import org.apache.sshd.server.command.Command;
import org.apache.sshd.server.subsystem.SubsystemFactory;

/** The SSH server of one switch. */
public final class NetconfFront implements AutoCloseable {
    private final SshServer server = SshServer.setUpDefaultServer();
    private final String hostKey;
    private final Datastores datastores;

    /** @throws IOException when it cannot listen there */
    public NetconfFront(NetconfSpec spec, Hardware hardware, HardwareLoop loop, ActivityLog activities)
            throws IOException {
        KeyPair key = hostKeyPair();
        hostKey = KeyUtils.getFingerPrint(key.getPublic());
        datastores = new Datastores(spec, hardware, loop, activities);
        CoreModuleProperties.IDLE_TIMEOUT.set(server, Duration.ZERO);
        CoreModuleProperties.TCP_NODELAY.set(server, true);
        server.setHost(spec.listen().host());
        server.setPort(spec.listen().port());
        server.setKeyPairProvider(KeyPairProvider.wrap(key));
        server.setPasswordAuthenticator(
                (user, password, unused) -> user.equals(spec.user()) && password.equals(spec.password()));
        server.setSubsystemFactories(List.of(new SubsystemFactory() {
            @Override
            public String getName() {
                return "netconf";
            }

            @Override
            public Command createSubsystem(ChannelSession channel) throws IOException {
                NetconfServer session = new NetconfServer(spec, datastores);
                if (!datastores.enter(session)) {
                    throw new IOException("the switch takes no further session");
                }
                return session;
            }
        }));
        server.start();
    }

    private static KeyPair hostKeyPair() {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(256);
            return generator.generateKeyPair();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The port it really listens at. */
    public int port() {
        return server.getPort();
    }

    /** Fingerprint of its host key; another one at each start. */
    public String hostKey() {
        return hostKey;
    }

    /** Commits that changed something, or edits of running, since the start. */
    public long commits() {
        return datastores.commits();
    }

    @Override
    public void close() {
        datastores.close();
        try {
            server.stop(true);
        } catch (IOException e) {
            // it listens no more
        }
    }
}
