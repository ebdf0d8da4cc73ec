package dev.lightpath.app.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Carries bytes between clients and a server, and may cut all connections. */
final class Relay implements AutoCloseable {
    private final URI upstream;
    private final ServerSocket server;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();

    Relay(URI upstream) {
        this.upstream = upstream;
        try {
            server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Thread.ofVirtual().start(this::accept);
    }

    String url() {
        return upstream.getScheme() + "://127.0.0.1:" + server.getLocalPort() + "/";
    }

    void cut() {
        open.removeIf(socket -> {
            end(socket);
            return true;
        });
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                Socket client = server.accept();
                open.add(client);
                Socket there = new Socket(upstream.getHost(), upstream.getPort());
                open.add(there);
                carry(client, there);
                carry(there, client);
            } catch (IOException closed) {
                // the loop ends when it is the relay that was closed
            }
        }
    }

    private static void carry(Socket from, Socket to) {
        Thread.ofVirtual().start(() -> {
            try (from;
                    to) {
                from.getInputStream().transferTo(to.getOutputStream());
            } catch (IOException cut) {
                // both ends are closed
            }
        });
    }

    private static void end(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        try {
            server.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        cut();
    }
}
