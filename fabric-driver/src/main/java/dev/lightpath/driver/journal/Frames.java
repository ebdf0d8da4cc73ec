package dev.lightpath.driver.journal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.zip.CRC32C;

/**
 * The bytes of a segment.
 *
 * <p>It begins with eight bytes of magic, its number (8 bytes) and the CRC-32C of both (4 bytes). Frames follow: a head
 * of 24 bytes, and the payload, a list of records, each with its length. A head has three bytes of mark, one of kind,
 * the payload's length (4 bytes), the frame's index in the segment (8 bytes), the payload's CRC-32C (4 bytes), and the
 * CRC-32C of all that and the segment's number (4 bytes). So no other bytes of the file are taken for a head.
 */
final class Frames {
    static final byte[] MAGIC = "LP-SEGM2".getBytes(StandardCharsets.US_ASCII);
    static final int SEGMENT_HEAD_BYTES = MAGIC.length + Long.BYTES + Integer.BYTES;
    static final int HEAD_BYTES = 24;
    private static final int HEAD_CRC = HEAD_BYTES - Integer.BYTES;
    private static final int MARK = 'L' << 24 | 'P' << 16 | 'F' << 8;

    /** What a frame is part of. */
    enum Kind {
        /** What the segment begins with. */
        SNAPSHOT('S'),
        /** Says that the snapshot is complete; without records. */
        SNAPSHOT_ENDS('E'),
        /** Records that were committed together, one commit after another. */
        COMMIT('C');

        private final char letter;

        Kind(char letter) {
            this.letter = letter;
        }
    }

    /** The head of a frame; {@code length} and {@code crc} are the payload's. */
    record Head(Kind kind, int length, long sequence, int crc) {}

    private Frames() {}

    static ByteBuffer segmentHead(long number) {
        ByteBuffer head = ByteBuffer.allocate(SEGMENT_HEAD_BYTES).put(MAGIC).putLong(number);
        return head.putInt(crc(head.array(), 0, head.position())).flip();
    }

    /** @throws IllegalArgumentException when the records have more bytes than a frame can count */
    static ByteBuffer frame(Kind kind, long segment, long sequence, List<byte[]> records) {
        long payload = records.stream().mapToLong(Frames::bytes).sum();
        if (payload > Integer.MAX_VALUE - HEAD_BYTES) {
            throw new IllegalArgumentException("a frame of " + payload + " bytes; the most is "
                    + (Integer.MAX_VALUE - HEAD_BYTES) + " (" + records.size() + " records)");
        }
        ByteBuffer frame = ByteBuffer.allocate(HEAD_BYTES + (int) payload).position(HEAD_BYTES);
        records.forEach(each -> frame.putInt(each.length).put(each));
        frame.putInt(0, MARK | kind.letter)
                .putInt(4, (int) payload)
                .putLong(8, sequence)
                .putInt(16, crc(frame.array(), HEAD_BYTES, (int) payload))
                .putInt(HEAD_CRC, headCrc(frame.array(), segment));
        return frame.flip();
    }

    /** Bytes that a record takes in a frame. */
    static long bytes(byte[] record) {
        return (long) Integer.BYTES + record.length;
    }

    /** The head at this place; empty when there is none of this segment. */
    static Optional<Head> head(FileWindow file, long at, long segment) throws IOException {
        if (!file.holds(at, HEAD_BYTES) || (file.intAt(at) & 0xFFFF_FF00) != MARK) {
            return Optional.empty();
        }
        byte[] bytes = file.bytes(at, HEAD_BYTES);
        ByteBuffer head = ByteBuffer.wrap(bytes);
        if (head.getInt(HEAD_CRC) != headCrc(bytes, segment)) {
            return Optional.empty();
        }
        for (Kind kind : Kind.values()) {
            if (head.getInt(0) == (MARK | kind.letter)) {
                return Optional.of(new Head(kind, head.getInt(4), head.getLong(8), head.getInt(16)));
            }
        }
        return Optional.empty();
    }

    private static int headCrc(byte[] frame, long segment) {
        CRC32C crc = new CRC32C();
        crc.update(frame, 0, HEAD_CRC);
        crc.update(ByteBuffer.allocate(Long.BYTES).putLong(segment).flip());
        return (int) crc.getValue();
    }

    private static int crc(byte[] bytes, int from, int length) {
        CRC32C crc = new CRC32C();
        crc.update(bytes, from, length);
        return (int) crc.getValue();
    }
}
