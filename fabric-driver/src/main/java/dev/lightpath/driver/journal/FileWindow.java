package dev.lightpath.driver.journal;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.zip.CRC32C;

/** A file as it was when it was opened, read at any place through one small buffer. */
final class FileWindow implements AutoCloseable {
    private static final int WINDOW_BYTES = 1 << 18;

    private final Path path;
    private final FileChannel channel;
    private final long size;
    private final ByteBuffer window = ByteBuffer.allocate(WINDOW_BYTES).limit(0);
    /** Place of the window's first byte in the file. */
    private long start;

    FileWindow(Path path) throws IOException {
        this.path = path;
        this.channel = FileChannel.open(path, StandardOpenOption.READ);
        this.size = channel.size();
    }

    Path path() {
        return path;
    }

    long size() {
        return size;
    }

    /** Whether so many bytes follow this place. */
    boolean holds(long at, long bytes) {
        return at >= 0 && bytes >= 0 && at <= size && bytes <= size - at;
    }

    int intAt(long at) throws IOException {
        return window.getInt(place(at, Integer.BYTES));
    }

    byte[] bytes(long at, int length) throws IOException {
        byte[] copy = new byte[length];
        int done = 0;
        while (done < length) {
            int from = place(at + done, 1);
            int part = Math.min(length - done, window.limit() - from);
            window.get(from, copy, done, part);
            done += part;
        }
        return copy;
    }

    /** CRC-32C of a part of the file. */
    int crc(long at, long length) throws IOException {
        CRC32C crc = new CRC32C();
        long done = 0;
        while (done < length) {
            int from = place(at + done, 1);
            int part = (int) Math.min(length - done, window.limit() - from);
            crc.update(window.array(), from, part);
            done += part;
        }
        return (int) crc.getValue();
    }

    /** Where in the window these bytes are, which is moved if it does not have them all. */
    private int place(long at, int bytes) throws IOException {
        if (at < start || at + bytes > start + window.limit()) {
            start = at;
            window.clear();
            while (window.hasRemaining() && channel.read(window, start + window.position()) > 0) {}
            window.flip();
            if (window.limit() < bytes) {
                throw new EOFException(path + ": ends before byte " + (at + bytes));
            }
        }
        return (int) (at - start);
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
