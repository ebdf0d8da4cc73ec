package dev.lightpath.driver.openflow;

import dev.lightpath.driver.session.LostException;
import dev.lightpath.driver.session.RefusedException;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.Socket;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A device's connection: messages out and in, answers by the number of their question. Safe for use by many threads.
 */
final class Connection implements AutoCloseable {
    /** Versions that are spoken, as bits of a hello: 1.3 and 1.4. */
    private static final int VERSIONS = 1 << 4 | 1 << 5;

    private static final int LOWEST = 4;
    private static final int HIGHEST = 5;
    /** OpenFlow 1.5: no later version was published. */
    private static final int LAST = 6;

    private static final int HELLO_VERSION_BITMAP = 1;
    /** Of all answers to questions that are sent together: a device of 65 535 ports needs some seven million. */
    private static final int MOST_BYTES = 16 << 20;

    private static final int MORE = 1;

    /** TLS says a last word at the end. If a write hangs, it waits this long for its turn; without a limit, for ever. */
    private static final int LAST_WORD_SECONDS = 1;

    /** Ends a wait for answers. */
    private static final Message OVER = new Message(0, -1, 0, new byte[0]);

    private final Socket socket;
    private final DataInputStream in;
    private final Outbox out;
    private final AtomicInteger xids = new AtomicInteger(1);
    private final Map<Integer, Exchange> waiting = new ConcurrentHashMap<>();
    private volatile Consumer<Message> events = message -> {};
    private volatile int version = HIGHEST;
    private volatile @Nullable String over;

    Connection(Socket socket) throws IOException {
        this.socket = socket;
        socket.setSoLinger(true, LAST_WORD_SECONDS);
        this.in = new DataInputStream(socket.getInputStream());
        this.out = new Outbox(socket.getOutputStream(), this::end);
    }

    /** Agrees on a version; then reads until the connection ends. */
    void begin(Duration patience) throws LostException {
        try {
            socket.setTcpNoDelay(true);
            socket.setSoTimeout((int) patience.toMillis());
            send(new Message(
                    HIGHEST,
                    Message.HELLO,
                    0,
                    ByteBuffer.allocate(8)
                            .putShort((short) HELLO_VERSION_BITMAP)
                            .putShort((short) 8)
                            .putInt(VERSIONS)
                            .array()));
            Message hello = next();
            if (hello.type() != Message.HELLO) {
                throw new LostException("it does not begin with a hello");
            }
            version = agreed(hello);
            socket.setSoTimeout(0);
        } catch (IOException e) {
            throw new LostException("it says nothing that is OpenFlow: " + e.getMessage());
        }
        Thread.ofVirtual().name("openflow-reader").start(this::read);
    }

    /** The highest version that both speak (OpenFlow 1.4, 6.3.1). */
    private static int agreed(Message hello) throws LostException {
        int theirs = bitmap(hello);
        int both = theirs & VERSIONS;
        if (both == 0) {
            throw new LostException("it speaks " + named(theirs == 0 ? hello.version() : highest(theirs))
                    + ", which the driver does not, so the device is neither read nor changed; allowed are OpenFlow 1.3"
                    + " and 1.4");
        }
        return highest(both);
    }

    private static int highest(int versions) {
        return 31 - Integer.numberOfLeadingZeros(versions);
    }

    private static String named(int version) {
        return version >= 1 && version <= LAST
                ? "OpenFlow 1." + (version - 1)
                : "version " + version + " of OpenFlow's wire";
    }

    private static int bitmap(Message hello) {
        ByteBuffer elements = hello.read();
        try {
            while (elements.remaining() >= 8) {
                int start = elements.position();
                int type = Short.toUnsignedInt(elements.getShort());
                int length = Short.toUnsignedInt(elements.getShort());
                if (type == HELLO_VERSION_BITMAP) {
                    return elements.getInt();
                }
                elements.position(start + Math.max(8, Flow.padded(length)));
            }
        } catch (BufferUnderflowException | IllegalArgumentException cut) {
            // an older hello has no elements, and a strange one tells its highest version in its header
        }
        int highest = Math.min(hello.version(), HIGHEST);
        return highest < LOWEST ? 0 : (1 << (highest + 1)) - 1;
    }

    int version() {
        return version;
    }

    /** Who hears of messages that answer nothing. */
    void listen(Consumer<Message> listener) {
        events = listener;
    }

    private Message next() throws IOException {
        int itsVersion = in.readUnsignedByte();
        int type = in.readUnsignedByte();
        int length = in.readUnsignedShort();
        int xid = in.readInt();
        if (length < Message.HEADER) {
            throw new IOException("a message of " + length + " bytes");
        }
        byte[] body = new byte[length - Message.HEADER];
        in.readFully(body);
        return new Message(itsVersion, type, xid, body);
    }

    private void read() {
        String why = "the device closed the connection";
        try {
            while (!socket.isClosed()) {
                Message message = next();
                if (message.type() == Message.ECHO_REQUEST) {
                    send(new Message(version, Message.ECHO_REPLY, message.xid(), message.body()));
                    continue;
                }
                Exchange asked = waiting.get(message.xid());
                if (asked != null && !message.isUnasked()) {
                    if (!asked.take(message)) {
                        why = "the device gives an answer of more than " + (MOST_BYTES >> 20) + " MiB";
                        return;
                    }
                } else {
                    events.accept(message);
                }
            }
        } catch (EOFException closed) {
            // as said
        } catch (IOException e) {
            why = "the connection broke: " + e.getMessage();
        } finally {
            end(why);
        }
    }

    private void send(Message message) throws IOException {
        out.send(message.bytes());
    }

    /** A number for a question. */
    int xid() {
        return xids.getAndIncrement();
    }

    /** Questions that are sent together, and whatever comes back for any of them. */
    final class Exchange implements AutoCloseable {
        private final BlockingQueue<Message> answers = new LinkedBlockingQueue<>();
        private final List<Integer> asked = new ArrayList<>();
        private final long endNanos;
        /** Of the reader's thread. */
        private int bytes;

        Exchange(Duration within) {
            endNanos = System.nanoTime() + within.toNanos();
        }

        /** False when there are more than anybody asked for. */
        private boolean take(Message answer) {
            bytes += Message.HEADER + answer.body().length;
            return bytes <= MOST_BYTES && answers.add(answer);
        }

        private void over() {
            answers.clear();
            answers.add(OVER);
        }

        void send(int xid, int type, byte[] body) throws LostException {
            if (waiting.putIfAbsent(xid, this) == null) {
                asked.add(xid);
            }
            if (over != null) {
                throw new LostException(over);
            }
            try {
                Connection.this.send(new Message(version, type, xid, body));
            } catch (IOException e) {
                throw new LostException("the connection broke: " + e.getMessage());
            }
        }

        /** The next answer to any of them. */
        Message next() throws LostException {
            try {
                Message answer = answers.poll(Math.max(0, endNanos - System.nanoTime()), TimeUnit.NANOSECONDS);
                if (answer == null) {
                    throw new LostException("the device did not answer in time");
                }
                if (answer == OVER) {
                    throw new LostException(over == null ? "the connection ended" : over);
                }
                return answer;
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new LostException("interrupted");
            }
        }

        @Override
        public void close() {
            asked.forEach(waiting::remove);
        }
    }

    /** One question, one answer. */
    Message ask(int type, byte[] body, Duration within) throws LostException, RefusedException {
        try (Exchange exchange = new Exchange(within)) {
            exchange.send(xid(), type, body);
            return accepted(exchange.next());
        }
    }

    static Message accepted(Message answer) throws LostException, RefusedException {
        if (answer.type() != Message.ERROR) {
            return answer;
        }
        throw refusal(answer);
    }

    static OpenFlowErrorException refusal(Message error) throws LostException {
        try {
            ByteBuffer body = error.read();
            return new OpenFlowErrorException(
                    Short.toUnsignedInt(body.getShort()), Short.toUnsignedInt(body.getShort()));
        } catch (BufferUnderflowException cut) {
            throw new LostException("an error message is cut");
        }
    }

    /** All parts of the answer to a multipart request, without their headers. */
    List<ByteBuffer> parts(int type, byte[] body, Duration within) throws LostException, RefusedException {
        List<ByteBuffer> parts = new ArrayList<>();
        try (Exchange exchange = new Exchange(within)) {
            exchange.send(
                    xid(),
                    Message.MULTIPART_REQUEST,
                    ByteBuffer.allocate(8 + body.length)
                            .putShort((short) type)
                            .putShort((short) 0)
                            .putInt(0)
                            .put(body)
                            .array());
            boolean more = true;
            while (more) {
                ByteBuffer part = accepted(exchange.next()).read();
                if (part.remaining() < 8) {
                    throw new LostException("an answer in parts is cut");
                }
                more = (part.getShort(2) & MORE) != 0;
                parts.add(part.position(8).slice());
            }
        }
        return parts;
    }

    /** Whether it cannot be used any more. */
    boolean isOver() {
        return over != null;
    }

    /** Why it ended, if it did. */
    String why() {
        String said = over;
        return said == null ? "" : said;
    }

    void end(String why) {
        if (over == null) {
            over = why;
        }
        try {
            socket.close();
        } catch (IOException e) {
            // it is of no use either way
        }
        out.close();
        waiting.values().forEach(Exchange::over);
        events.accept(OVER);
    }

    @Override
    public void close() {
        end("the driver closed the connection");
    }
}
