package dev.lightpath.driver.openflow;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/** Messages on their way to a device, which may read slowly or not at all: nobody who sends waits for it. */
final class Outbox {
    /** A change of all ports of the largest switch takes some seven million bytes. */
    private static final int MOST_BYTES = 16 << 20;

    private final OutputStream out;
    private final Consumer<String> broken;
    private final LinkedBlockingQueue<byte[]> messages = new LinkedBlockingQueue<>();
    private final AtomicLong unsent = new AtomicLong();
    private final Thread thread = Thread.ofVirtual().name("openflow-writer").unstarted(this::write);

    /**
     * @param out closed by others, which ends a write that hangs
     * @param broken told why nothing can be sent any more, if that was not said by others before
     */
    Outbox(OutputStream out, Consumer<String> broken) {
        this.out = new BufferedOutputStream(out);
        this.broken = broken;
        thread.start();
    }

    /**
     * Takes a message, and returns at once.
     *
     * @throws IOException when too much waits already
     */
    void send(byte[] message) throws IOException {
        if (unsent.addAndGet(message.length) > MOST_BYTES) {
            throw new IOException("the device does not read what it is sent");
        }
        messages.add(message);
    }

    private void write() {
        try {
            while (true) {
                byte[] message = messages.take();
                out.write(message);
                unsent.addAndGet(-message.length);
                if (messages.isEmpty()) {
                    out.flush();
                }
            }
        } catch (IOException e) {
            broken.accept("the connection broke: " + e.getMessage());
        } catch (InterruptedException over) {
            // nothing more is to be sent
        }
    }

    void close() {
        thread.interrupt();
    }
}
