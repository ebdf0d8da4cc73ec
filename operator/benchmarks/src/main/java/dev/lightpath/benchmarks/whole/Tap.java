package dev.lightpath.benchmarks.whole;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * Between driver and device: adds up how long the driver waited for the device. On each connection that is every pause
 * that ends with bytes of the device. Counts the turns too: how often the device began to speak after the driver had.
 */
final class Tap implements AutoCloseable {
    private final ServerSocket server;
    private final int other;
    private final boolean deviceConnects;
    private final LongAdder waited = new LongAdder();
    private final LongAdder turns = new LongAdder();

    /**
     * @param other port of the side that is connected to
     * @param deviceConnects whether that is the driver, and the device connects to it
     */
    Tap(int other, boolean deviceConnects) throws IOException {
        this.other = other;
        this.deviceConnects = deviceConnects;
        this.server = new ServerSocket(0, 16, InetAddress.getLoopbackAddress());
        Thread.ofPlatform().daemon().start(this::accept);
    }

    int port() {
        return server.getLocalPort();
    }

    /** So far, over all connections. */
    long waitedNanos() {
        return waited.sum();
    }

    /** So far, over all connections. */
    long turns() {
        return turns.sum();
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                join(server.accept());
            } catch (IOException closing) {
                return;
            }
        }
    }

    private void join(Socket from) throws IOException {
        Socket to;
        try {
            to = new Socket(InetAddress.getLoopbackAddress(), other);
        } catch (IOException notThereYet) {
            from.close();
            return;
        }
        from.setTcpNoDelay(true);
        to.setTcpNoDelay(true);
        AtomicLong last = new AtomicLong(System.nanoTime());
        AtomicBoolean asked = new AtomicBoolean();
        Thread.ofPlatform().daemon().start(() -> pump(from, to, last, asked, deviceConnects));
        Thread.ofPlatform().daemon().start(() -> pump(to, from, last, asked, !deviceConnects));
    }

    private void pump(Socket from, Socket to, AtomicLong last, AtomicBoolean asked, boolean ofDevice) {
        byte[] bytes = new byte[1 << 16];
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int read = in.read(bytes); read >= 0; read = in.read(bytes)) {
                long now = System.nanoTime();
                long before = last.getAndSet(now);
                if (ofDevice) {
                    waited.add(now - before);
                    if (asked.getAndSet(false)) {
                        turns.increment();
                    }
                } else {
                    asked.set(true);
                }
                out.write(bytes, 0, read);
            }
        } catch (IOException ended) {
            // with the other side
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
