package dev.lightpath.benchmarks.whole;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * Between driver and device: adds up how long the driver waited for the device in a window of time. On each connection
 * on which the driver spoke in the window, that is every pause since then that ends with bytes of the device. Pauses of
 * several connections at the same time count once. A connection on which the driver only listens has none. Counts the
 * turns too: how often the device began to speak after the driver had.
 */
final class Tap implements AutoCloseable {
    private final ServerSocket server;
    private final int other;
    private final boolean deviceConnects;
    private final Queue<Pause> pauses = new ConcurrentLinkedQueue<>();
    private final LongAdder turns = new LongAdder();
    private volatile long windowBegan = System.nanoTime();

    /** Both by {@link System#nanoTime}. */
    private record Pause(long from, long to) {}

    /** What was said on a connection. */
    private static final class Spoken {
        /** By either side. */
        private final AtomicLong last = new AtomicLong(System.nanoTime());
        /** By the driver, first in the window. */
        private final AtomicLong first = new AtomicLong(System.nanoTime());

        private final AtomicBoolean asked = new AtomicBoolean();
    }

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

    /** From now on. */
    void beginWindow() {
        windowBegan = System.nanoTime();
        pauses.clear();
    }

    /** In the window so far. */
    long waitedNanos() {
        List<Pause> all = new ArrayList<>(pauses);
        long began = windowBegan;
        all.sort(Comparator.comparingLong(pause -> pause.from() - began));
        long waited = 0;
        long until = began;
        for (Pause pause : all) {
            long from = pause.from() - until > 0 ? pause.from() : until;
            if (pause.to() - from > 0) {
                waited += pause.to() - from;
                until = pause.to();
            }
        }
        return waited;
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
        Spoken spoken = new Spoken();
        Thread.ofPlatform().daemon().start(() -> pump(from, to, spoken, deviceConnects));
        Thread.ofPlatform().daemon().start(() -> pump(to, from, spoken, !deviceConnects));
    }

    private void pump(Socket from, Socket to, Spoken spoken, boolean ofDevice) {
        byte[] bytes = new byte[1 << 16];
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int read = in.read(bytes); read >= 0; read = in.read(bytes)) {
                long now = System.nanoTime();
                long before = spoken.last.getAndSet(now);
                long first = spoken.first.get();
                boolean inWindow = first - windowBegan >= 0;
                if (!ofDevice) {
                    spoken.asked.set(true);
                    if (!inWindow) {
                        spoken.first.set(now);
                    }
                } else {
                    if (inWindow) {
                        pauses.add(new Pause(before - first > 0 ? before : first, now));
                    }
                    if (spoken.asked.getAndSet(false)) {
                        turns.increment();
                    }
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
