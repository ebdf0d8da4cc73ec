package dev.lightpath.driver;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/** A way between driver and device that can be cut after any byte. */
final class CutProxy implements AutoCloseable {
    private static final int WAIT_SECONDS = 4;

    private final int to;
    private final ServerSocket server;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final AtomicLong left = new AtomicLong(Long.MAX_VALUE);
    /** After each cut so many bytes may go until the next one. */
    private volatile long leftAgain = Long.MAX_VALUE;

    private final Runnable whenEnded;
    private final AtomicLong accepted = new AtomicLong();
    private final AtomicLong cuts = new AtomicLong();
    private volatile boolean ofAnswers;
    private volatile long delayMillis;
    private volatile long arrivalMillis;
    /** The far ends of the connections that have both. */
    private final Set<Socket> far = ConcurrentHashMap.newKeySet();
    /** Those of them whose answers are late. */
    private final Set<Socket> slowed = ConcurrentHashMap.newKeySet();

    /** Sockets of which nothing is passed on. */
    private final Set<Socket> swallowed = ConcurrentHashMap.newKeySet();

    CutProxy(int to) throws IOException {
        this(to, () -> {});
    }

    /** @param whenEnded is told when one direction of a connection has ended */
    CutProxy(int to, Runnable whenEnded) throws IOException {
        this.whenEnded = whenEnded;
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

    /** Cuts every connection, again and again, when so many more bytes of the side that connects went through. */
    void cutEachAfter(long bytes) {
        leftAgain = bytes;
        cutAfter(bytes, false);
    }

    /** Cuts nothing any more. */
    void heal() {
        leftAgain = Long.MAX_VALUE;
        left.set(Long.MAX_VALUE);
    }

    /**
     * Each answer is so late from now on, on the connections that there are, and on those made anew while one of them
     * lasts. Where all have ended, who connects is another driver: that one is not slowed.
     *
     * @return whether it slows anybody
     */
    boolean delay(long millis) {
        // none of them ends meanwhile: it would stay among the slowed for good
        synchronized (far) {
            delayMillis = millis;
            slowed.clear();
            return millis > 0 && slowed.addAll(far);
        }
    }

    /** Whoever connects from now on reaches the other side so late. */
    void arriveAfter(long millis) {
        arrivalMillis = millis;
    }

    /**
     * What goes over the connections that there are goes nowhere from now on, as when the other side lost its power.
     */
    void swallow() {
        swallowed.addAll(open);
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                Socket from = server.accept();
                accepted.incrementAndGet();
                open.add(from);
                Thread.ofVirtual().start(() -> join(from));
            } catch (IOException e) {
                // closed
            }
        }
    }

    /** Whoever connects waits for the other side as long as that starts. */
    private void join(Socket from) {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(arrivalMillis));
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(WAIT_SECONDS);
        while (!from.isClosed() && System.nanoTime() < end) {
            try {
                Socket into = new Socket(InetAddress.getLoopbackAddress(), to);
                open.add(into);
                synchronized (far) {
                    far.add(into);
                    if (!slowed.isEmpty()) {
                        slowed.add(into);
                    }
                }
                Thread.ofVirtual().start(() -> pump(from, into, false));
                Thread.ofVirtual().start(() -> pump(into, from, true));
                return;
            } catch (IOException notYet) {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
            }
        }
        close(from);
    }

    private void pump(Socket from, Socket into, boolean answers) {
        BlockingQueue<Part> parts = new LinkedBlockingQueue<>();
        try (from;
                into) {
            InputStream in = from.getInputStream();
            OutputStream out = into.getOutputStream();
            Thread deliverer = Thread.ofVirtual().start(() -> deliver(parts, out, from));
            boolean cut = false;
            byte[] bytes = new byte[1 << 14];
            while (!cut) {
                int size = in.read(bytes);
                if (size < 0) {
                    break;
                }
                if (swallowed.contains(from)) {
                    continue;
                }
                int may = size;
                if (answers == ofAnswers) {
                    may = (int) Math.max(0, Math.min(size, left.getAndAdd(-size)));
                }
                cut = may < size;
                long delay = answers && slowed.contains(from) ? TimeUnit.MILLISECONDS.toNanos(delayMillis) : 0;
                parts.add(new Part(Arrays.copyOf(bytes, may), System.nanoTime() + delay));
            }
            parts.add(Part.LAST);
            deliverer.join();
            if (cut) {
                cuts.incrementAndGet();
                left.set(leftAgain);
                closeAll();
            }
        } catch (IOException e) {
            // one side is gone
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            parts.add(Part.LAST);
            open.remove(from);
            open.remove(into);
            Socket ended = answers ? from : into;
            synchronized (far) {
                far.remove(ended);
                slowed.remove(ended);
            }
            whenEnded.run();
        }
    }

    /** What was read at once, and when it is due at the other side. */
    private record Part(byte[] bytes, long dueNanos) {
        static final Part LAST = new Part(new byte[0], 0);
    }

    private static void deliver(BlockingQueue<Part> parts, OutputStream out, Socket from) {
        try {
            for (Part part = parts.take(); part != Part.LAST; part = parts.take()) {
                for (long wait = part.dueNanos() - System.nanoTime();
                        wait > 0;
                        wait = part.dueNanos() - System.nanoTime()) {
                    LockSupport.parkNanos(wait);
                }
                out.write(part.bytes());
                out.flush();
            }
        } catch (IOException e) {
            // nobody takes it any more
            close(from);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Connections so far. */
    long accepted() {
        return accepted.get();
    }

    /** How often a connection ended because its bytes were through. */
    long cuts() {
        return cuts.get();
    }

    /** Cuts every connection now. */
    void cut() {
        closeAll();
    }

    private void closeAll() {
        open.forEach(CutProxy::close);
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            // it is closed
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
        closeAll();
    }
}
