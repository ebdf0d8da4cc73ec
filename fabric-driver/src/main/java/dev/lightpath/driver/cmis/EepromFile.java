package dev.lightpath.driver.cmis;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A file in which a driver of the kernel, such as optoe (device class 3), shows a module with its pages in a row: byte
 * b of the lower memory at b, byte b of page p at 128 * p + b. It selects pages itself and knows bank 0 alone.
 */
final class EepromFile implements ModuleMemory {
    private static final int PAGE_BYTES = 128;

    private final Path file;
    private final FileChannel channel;

    EepromFile(Path file) throws NotAnsweredException {
        this.file = file;
        try {
            this.channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
        } catch (NoSuchFileException e) {
            throw new NotAnsweredException(file + " cannot be opened: no such file");
        } catch (AccessDeniedException e) {
            throw new NotAnsweredException(file + " cannot be opened: permission denied");
        } catch (IOException e) {
            throw new NotAnsweredException(file + " cannot be opened: " + e.getMessage());
        }
    }

    private static long place(int bank, int page, int offset) throws NotAnsweredException {
        if (bank != 0) {
            throw new NotAnsweredException("bank " + bank + " is in no such file: use i2c");
        }
        return offset > LAST_LOWER ? (long) PAGE_BYTES * page + offset : offset;
    }

    @Override
    public byte[] read(int bank, int page, int offset, int length) throws NotAnsweredException {
        ByteBuffer bytes = ByteBuffer.allocate(length);
        long at = place(bank, page, offset);
        try {
            while (bytes.hasRemaining()) {
                int read = channel.read(bytes, at + bytes.position());
                if (read <= 0) {
                    throw new NotAnsweredException(file + " ends before byte " + (at + length));
                }
            }
        } catch (IOException e) {
            throw new NotAnsweredException(file + " cannot be read: " + e.getMessage());
        }
        return bytes.array();
    }

    @Override
    public void write(int bank, int page, int offset, byte[] bytes) throws NotAnsweredException {
        ByteBuffer rest = ByteBuffer.wrap(bytes);
        long at = place(bank, page, offset);
        try {
            while (rest.hasRemaining()) {
                channel.write(rest, at + rest.position());
            }
        } catch (IOException e) {
            throw new NotAnsweredException(file + " cannot be written: " + e.getMessage());
        }
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            // it is closed
        }
    }
}
