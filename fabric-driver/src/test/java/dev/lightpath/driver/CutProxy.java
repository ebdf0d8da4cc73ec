package dev.lightpath.driver;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** A way between driver and device that can be cut after any byte. */
final class CutProxy implements AutoCloseable {
    private final int to;
    private final ServerSocket server;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final AtomicLong left = new AtomicLong(Long.MAX_VALUE);
    private volatile boolean ofAnswers;

    CutProxy(int to) throws IOException {
        this.to = to;
        server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().start(this::accept);
    }

    int port() {
        return server.getLocalPort();
    }

    /** Cuts every connection, once, when so many more bytes went in one direction. */
    void cutAfter(long bytes, boolean answers) {
        ofAnswers = answers;
        left.set(bytes);
    }

    /** Cuts nothing any more. */
    void heal() {
        left.set(Long.MAX_VALUE);
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                Socket driver = server.accept();
                Socket device = new Socket(InetAddress.getLoopbackAddress(), to);
                open.add(driver);
                open.add(device);
                Thread.ofVirtual().start(() -> pump(driver, device, false));
                Thread.ofVirtual().start(() -> pump(device, driver, true));
            } catch (IOException e) {
                // closed, or the device is gone
            }
        }
    }

    private void pump(Socket from, Socket into, boolean answers) {
        try (from;
                into) {
            InputStream in = from.getInputStream();
            OutputStream out = into.getOutputStream();
            byte[] bytes = new byte[1 << 14];
            for (int size = in.read(bytes); size >= 0; size = in.read(bytes)) {
                int may = size;
                if (answers == ofAnswers) {
                    may = (int) Math.max(0, Math.min(size, left.getAndAdd(-size)));
                }
                out.write(bytes, 0, may);
                out.flush();
                if (may < size) {
                    left.set(Long.MAX_VALUE);
                    closeAll();
                    return;
                }
            }
        } catch (IOException e) {
            // one side is gone
        } finally {
            open.remove(from);
            open.remove(into);
        }
    }

    private void closeAll() {
        for (Socket each : open) {
            try {
                each.close();
            } catch (IOException e) {
                // it is closed
            }
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
        closeAll();
    }
}
