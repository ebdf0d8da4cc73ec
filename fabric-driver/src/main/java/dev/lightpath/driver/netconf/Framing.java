package dev.lightpath.driver.netconf;

import dev.lightpath.driver.session.LostException;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/** Messages on a stream of bytes (RFC 6242, section 4): ended by {@code ]]>]]>} until both sides know chunks. */
final class Framing {
    private static final byte[] END = "]]>]]>".getBytes(StandardCharsets.US_ASCII);
    private static final int MOST_BYTES = 16 << 20;
    private static final int LONGEST_NUMBER = 10;

    private final InputStream in;
    private final OutputStream out;
    private volatile boolean chunked;

    Framing(InputStream in, OutputStream out) {
        // heads of chunks and ends of messages are read byte by byte, each of which locks the channel of SSH
        this.in = new BufferedInputStream(in, 1 << 14);
        this.out = out;
    }

    /** From the next message on, in both directions. */
    void useChunks() {
        chunked = true;
    }

    /** Sends messages at once. */
    void write(List<String> messages) throws IOException {
        ByteArrayOutputStream framed = new ByteArrayOutputStream(1 << 10);
        for (String message : messages) {
            byte[] bytes = message.getBytes(StandardCharsets.UTF_8);
            if (chunked) {
                framed.writeBytes(("\n#" + bytes.length + "\n").getBytes(StandardCharsets.US_ASCII));
                framed.writeBytes(bytes);
                framed.writeBytes("\n##\n".getBytes(StandardCharsets.US_ASCII));
            } else {
                framed.writeBytes(bytes);
                framed.writeBytes(END);
            }
        }
        framed.writeTo(out);
        out.flush();
    }

    /** @throws LostException when what comes is no message, or one of more than 16 MiB */
    byte[] read() throws IOException, LostException {
        return chunked ? readChunks() : readToEnd();
    }

    private byte[] readToEnd() throws IOException, LostException {
        byte[] message = new byte[1 << 12];
        int size = 0;
        while (!endsWithMark(message, size)) {
            if (size == message.length) {
                message = Arrays.copyOf(message, 2 * size);
            }
            message[size++] = (byte) next();
            bounded(size);
        }
        return Arrays.copyOf(message, size - END.length);
    }

    private static boolean endsWithMark(byte[] message, int size) {
        return size >= END.length
                && message[size - 1] == END[END.length - 1]
                && Arrays.equals(message, size - END.length, size, END, 0, END.length);
    }

    private byte[] readChunks() throws IOException, LostException {
        ByteArrayOutputStream message = new ByteArrayOutputStream();
        while (true) {
            expect('\n');
            expect('#');
            int first = next();
            if (first == '#') {
                expect('\n');
                return message.toByteArray();
            }
            long size = size(first);
            bounded(message.size() + size);
            byte[] chunk = in.readNBytes((int) size);
            if (chunk.length < size) {
                throw new EOFException("the device ended the session in the middle of a message");
            }
            message.writeBytes(chunk);
        }
    }

    private long size(int first) throws IOException, LostException {
        long size = 0;
        int digits = 0;
        for (int digit = first; digit != '\n'; digit = next()) {
            if (digit < '0' || digit > '9' || ++digits > LONGEST_NUMBER) {
                throw new LostException("the device's framing is broken: a chunk has no size");
            }
            size = 10 * size + digit - '0';
        }
        if (size == 0) {
            throw new LostException("the device's framing is broken: a chunk has no size");
        }
        return size;
    }

    private void expect(char wanted) throws IOException, LostException {
        int next = next();
        if (next != wanted) {
            throw new LostException("the device's framing is broken: byte " + next + " where a chunk begins");
        }
    }

    private int next() throws IOException {
        int next = in.read();
        if (next < 0) {
            throw new EOFException("the device ended the session");
        }
        return next;
    }

    private static void bounded(long size) throws LostException {
        if (size > MOST_BYTES) {
            throw new LostException("the device's message is larger than " + (MOST_BYTES >> 20) + " MiB");
        }
    }
}
