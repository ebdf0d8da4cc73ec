package dev.lightpath.driver.journal;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * The bytes of a segment: eight bytes of magic, then frames. A frame is length (4 bytes), CRC-32C of the payload (4
 * bytes) and the payload, itself a list of records, each with its length. Records of one frame were committed together.
 */
final class Frames {
    static final byte[] MAGIC = "LPJRNL01".getBytes(StandardCharsets.US_ASCII);
    private static final int HEAD_BYTES = 8;

    /** Records of the whole frames, and where the first byte that belongs to none is. */
    record Scan(List<byte[]> records, int endBytes) {}

    private Frames() {}

    static ByteBuffer frame(List<byte[]> records) {
        int payload = records.stream().mapToInt(r -> Integer.BYTES + r.length).sum();
        ByteBuffer buffer = ByteBuffer.allocate(HEAD_BYTES + payload);
        buffer.position(HEAD_BYTES);
        for (byte[] each : records) {
            buffer.putInt(each.length).put(each);
        }
        buffer.putInt(0, payload).putInt(Integer.BYTES, crc(buffer.array(), HEAD_BYTES, payload));
        return buffer.flip();
    }

    /**
     * Reads up to the first frame that is not whole. A frame is only begun when the one before it is on disk, so a bad
     * frame with a good one behind it cannot come from a crash.
     */
    static Scan scan(byte[] bytes, Path file) throws JournalDamagedException {
        List<byte[]> records = new ArrayList<>();
        if (bytes.length < MAGIC.length) {
            return new Scan(records, 0);
        }
        for (int i = 0; i < MAGIC.length; i++) {
            if (bytes[i] != MAGIC[i]) {
                throw new JournalDamagedException(
                        file + ": not a journal of this driver; use another stateDirectory or remove the file");
            }
        }
        int at = MAGIC.length;
        while (isWhole(bytes, at)) {
            int payload = intAt(bytes, at);
            split(bytes, at + HEAD_BYTES, payload, records);
            at += HEAD_BYTES + payload;
        }
        int next = at + HEAD_BYTES <= bytes.length ? at + HEAD_BYTES + intAt(bytes, at) : bytes.length;
        if (next > at && isWhole(bytes, next)) {
            throw new JournalDamagedException(file + ": damaged at byte " + at
                    + ", and what follows was acknowledged later; restore the file from a copy, or remove it and give"
                    + " the operator a new fencing epoch");
        }
        return new Scan(records, at);
    }

    private static boolean isWhole(byte[] bytes, int at) {
        if (at < 0 || at > bytes.length - HEAD_BYTES) {
            return false;
        }
        int payload = intAt(bytes, at);
        return payload > 0
                && payload <= bytes.length - at - HEAD_BYTES
                && intAt(bytes, at + Integer.BYTES) == crc(bytes, at + HEAD_BYTES, payload);
    }

    private static void split(byte[] bytes, int from, int length, List<byte[]> records) {
        ByteBuffer payload = ByteBuffer.wrap(bytes, from, length);
        while (payload.hasRemaining()) {
            byte[] each = new byte[payload.getInt()];
            payload.get(each);
            records.add(each);
        }
    }

    private static int intAt(byte[] bytes, int at) {
        return ByteBuffer.wrap(bytes).getInt(at);
    }

    private static int crc(byte[] bytes, int from, int length) {
        CRC32C crc = new CRC32C();
        crc.update(bytes, from, length);
        return (int) crc.getValue();
    }
}
