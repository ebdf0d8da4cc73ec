package dev.lightpath.app.driver;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A wire to a server on this machine that can stop carrying bytes while its connections stay open. */
final class FrozenWire implements AutoCloseable {
    private final ServerSocket listener;
    private final int target;
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();
    private volatile int accepted; // written by the accepting thread only
    private volatile int frozenUpTo;

    FrozenWire(int target) throws IOException {
        this.target = target;
        this.listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().start(this::accept);
    }

    String address() {
        return "localhost:" + listener.getLocalPort();
    }

    int connections() {
        return accepted;
    }

    /** From now on no connection carries anything, those still to come included. */
    void freeze() {
        frozenUpTo = Integer.MAX_VALUE;
    }

    /** New connections carry bytes again; those that there are never do. */
    void thawForNewConnections() {
        frozenUpTo = accepted;
    }

    private void accept() {
        try {
            while (true) {
                Socket near = listener.accept();
                Socket far = new Socket(InetAddress.getLoopbackAddress(), target);
                sockets.add(near);
                sockets.add(far);
                int number = accepted + 1;
                accepted = number;
                Thread.ofVirtual().start(() -> carry(number, near, far));
                Thread.ofVirtual().start(() -> carry(number, far, near));
            }
        } catch (IOException closed) {
            return;
        }
    }

    private void carry(int number, Socket from, Socket to) {
        byte[] bytes = new byte[8192];
        try {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int count = in.read(bytes); count >= 0; count = in.read(bytes)) {
                if (number > frozenUpTo) {
                    out.write(bytes, 0, count);
                    out.flush();
                }
            }
            to.shutdownOutput();
        } catch (IOException closed) {
            return;
        }
    }

    @Override
    public void close() throws IOException {
        listener.close();
        for (Socket socket : sockets) {
            socket.close();
        }
    }
}
