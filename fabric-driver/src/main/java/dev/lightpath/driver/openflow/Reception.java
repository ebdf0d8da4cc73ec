package dev.lightpath.driver.openflow;

import dev.lightpath.driver.config.AdapterConfig.DeviceTls;
import dev.lightpath.driver.session.LostException;
import dev.lightpath.driver.session.RefusedException;
import dev.lightpath.driver.session.ToldOnce;
import dev.lightpath.driver.tls.ExpiredCertificate;
import dev.lightpath.serving.tls.PeerNames;
import dev.lightpath.serving.tls.TlsFiles;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Where devices connect to: finds out who each is, and hands its connection on. */
final class Reception implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Reception.class);
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    /** After a connection that could not be taken. */
    private static final Duration PAUSE = Duration.ofMillis(100);

    private static final int BACKLOG = 128;
    /** Who has not said who it is yet. */
    private static final int MOST_STRANGERS = 256;

    private final ServerSocket server;
    private final Map<Long, Incoming> devices;
    private final boolean secured;
    private final Thread accepting;
    private final Duration patience;
    private final Semaphore strangers = new Semaphore(MOST_STRANGERS);
    private final ToldOnce told = new ToldOnce();
    private final ScheduledExecutorService timers;

    /**
     * Takes the port.
     *
     * @param devices that are expected, by their numbers
     * @throws IOException with one line: the port is in use, or a file of TLS cannot be used
     */
    Reception(
            String host,
            int port,
            Optional<DeviceTls> tls,
            ScheduledExecutorService timers,
            Map<Long, Incoming> devices)
            throws IOException {
        this(host, port, tls.isPresent() ? secured(tls.get(), timers) : new ServerSocket(), timers, devices, PATIENCE);
    }

    /**
     * As above.
     *
     * @param server that has no port yet; of TLS: devices show certificates
     * @param patience with who connects, until they have said who they are
     */
    Reception(
            String host,
            int port,
            ServerSocket server,
            ScheduledExecutorService timers,
            Map<Long, Incoming> devices,
            Duration patience)
            throws IOException {
        this.patience = patience;
        this.timers = timers;
        this.devices = Map.copyOf(devices);
        this.secured = server instanceof SSLServerSocket;
        this.server = server;
        try {
            server.setReuseAddress(true);
            server.bind(new InetSocketAddress(InetAddress.getByName(host), port), BACKLOG);
        } catch (IOException e) {
            throw new IOException(
                    "adapters: openflow: listen: " + host + ":" + port + " cannot be used: " + e.getMessage(), e);
        }
        accepting = Thread.ofPlatform().name("openflow-reception").daemon(true).start(this::accept);
    }

    private static ServerSocket secured(DeviceTls tls, ScheduledExecutorService timers) throws IOException {
        try {
            SSLContext context = TlsFiles.context(tls.certificate(), tls.key(), tls.ca(), timers);
            SSLServerSocket socket =
                    (SSLServerSocket) context.getServerSocketFactory().createServerSocket();
            socket.setNeedClientAuth(true);
            return socket;
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            throw new IOException(
                    "adapters: openflow: tls: certificate, key or ca cannot be used: " + e.getMessage(), e);
        }
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                Socket socket = server.accept();
                if (strangers.tryAcquire()) {
                    Thread.ofVirtual().name("openflow-stranger").start(() -> {
                        try {
                            receive(socket);
                        } finally {
                            strangers.release();
                        }
                    });
                } else {
                    socket.close();
                }
            } catch (IOException e) {
                if (!server.isClosed()) {
                    once("a connection was not taken: " + e.getMessage());
                    if (!pause()) {
                        return;
                    }
                }
            }
        }
    }

    /** What is lacking, such as a free file descriptor, is lacking at the next moment too. */
    private static boolean pause() {
        try {
            Thread.sleep(PAUSE);
            return true;
        } catch (InterruptedException stopping) {
            return false;
        }
    }

    private void receive(Socket socket) {
        String who = "a device at " + socket.getInetAddress().getHostAddress();
        Connection connection = null;
        // of all that it says together: else one that sends a byte now and then keeps a place for ever
        ScheduledFuture<?> deadline =
                timers.schedule(() -> end(socket, null), patience.toMillis(), TimeUnit.MILLISECONDS);
        try {
            socket.setSoTimeout((int) patience.toMillis());
            if (socket instanceof SSLSocket handshake) {
                handshake.startHandshake();
            }
            connection = new Connection(socket);
            connection.begin(patience);
            Message features = connection.ask(Message.FEATURES_REQUEST, new byte[0], patience);
            if (features.type() != Message.FEATURES_REPLY || features.body().length < 8) {
                throw new LostException("it does not say which device it is");
            }
            long datapath = features.read().getLong();
            Incoming device = devices.get(datapath);
            if (device == null) {
                throw new LostException("no device of driver.yaml has datapath " + OpenFlowSwitch.hex(datapath));
            }
            if (secured
                    && !PeerNames.of(((SSLSocket) socket).getSession())
                            .dns()
                            .contains(device.config().certificateName())) {
                throw new LostException("its certificate does not name '"
                        + device.config().certificateName() + "', as that of device "
                        + device.config().id() + " must");
            }
            if (!deadline.cancel(false)) {
                throw new LostException("it did not say who it is within " + patience.toMillis() + " ms");
            }
            device.connected(connection);
        } catch (IOException | LostException | RefusedException e) {
            once(who + ": " + ExpiredCertificate.line(e).orElse(e.getMessage()));
            end(socket, connection);
        } finally {
            deadline.cancel(false);
        }
    }

    private static void end(Socket socket, @Nullable Connection connection) {
        if (connection != null) {
            connection.close();
            return;
        }
        try {
            socket.close();
        } catch (IOException e) {
            // it is of no use either way
        }
    }

    /** A device that tries again and again is told of once. */
    private void once(String line) {
        if (told.isNew(line)) {
            LOG.atWarn().log(line);
        }
    }

    @Override
    public void close() {
        try {
            server.close();
        } catch (IOException e) {
            // nobody can connect either way
        }
        try {
            // the port is free once it has ended
            accepting.join(PATIENCE);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
