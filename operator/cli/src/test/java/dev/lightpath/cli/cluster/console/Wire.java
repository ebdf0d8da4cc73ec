package dev.lightpath.cli.cluster.console;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;

/** A port that leads to a server, and can be cut. */
final class Wire implements AutoCloseable {
    private final ServerSocket port = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final List<Socket> open = new ArrayList<>();
    private final InetSocketAddress to;
    private boolean cut;

    Wire(URI server) throws IOException {
        to = new InetSocketAddress(server.getHost(), server.getPort());
        Thread.ofVirtual().start(this::accept);
    }

    URI address() {
        return URI.create("https://127.0.0.1:" + port.getLocalPort());
    }

    /** Ends all connections, and each new one at once. */
    synchronized void cut() {
        cut = true;
        open.forEach(Wire::end);
        open.clear();
    }

    synchronized void mend() {
        cut = false;
    }

    private void accept() {
        try {
            while (true) {
                join(port.accept());
            }
        } catch (IOException e) {
            // closed
        }
    }

    private synchronized void join(Socket near) throws IOException {
        if (cut) {
            end(near);
            return;
        }
        Socket far = new Socket();
        far.connect(to);
        open.addAll(List.of(near, far));
        Thread.ofVirtual().start(() -> carry(near, far));
        Thread.ofVirtual().start(() -> carry(far, near));
    }

    private static void carry(Socket from, Socket to) {
        try (InputStream in = from.getInputStream();
                OutputStream out = to.getOutputStream()) {
            in.transferTo(out);
        } catch (IOException e) {
            // cut
        } finally {
            end(from);
            end(to);
        }
    }

    private static void end(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            // it is closed
        }
    }

    @Override
    public void close() throws IOException {
        port.close();
        cut();
    }
}
