package dev.lightpath.driver.journal;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.function.Consumer;

/**
 * Segments as drivers up to 0.1 wrote them: eight bytes of magic, then frames of length (4 bytes), CRC-32C of the
 * payload (4 bytes) and payload. Nothing says that a length is right, so behind a bad frame every place is tried for a
 * good one.
 */
final class OldFormat {
    private static final byte[] MAGIC = "LPJRNL01".getBytes(StandardCharsets.US_ASCII);
    private static final int HEAD_BYTES = 8;

    private OldFormat() {}

    static boolean begins(FileWindow file) throws IOException {
        return file.holds(0, MAGIC.length) && Arrays.equals(file.bytes(0, MAGIC.length), MAGIC);
    }

    /** @throws JournalDamagedException when a whole frame follows one that is not */
    static SegmentReader.Scan read(FileWindow file, Consumer<byte[]> replay) throws IOException {
        long at = MAGIC.length;
        long frames = 0;
        while (isWhole(file, at)) {
            int length = file.intAt(at);
            SegmentReader.records(file, at + HEAD_BYTES, length, replay);
            at += HEAD_BYTES + (long) length;
            frames++;
        }
        for (long place = at + 1; file.holds(place, HEAD_BYTES); place++) {
            if (isWhole(file, place)) {
                throw JournalDamagedException.at(file.path(), at, "what follows was acknowledged later");
            }
        }
        return new SegmentReader.Scan(at, file.size(), frames, false);
    }

    private static boolean isWhole(FileWindow file, long at) throws IOException {
        if (!file.holds(at, HEAD_BYTES)) {
            return false;
        }
        int length = file.intAt(at);
        return length > 0
                && file.holds(at + HEAD_BYTES, length)
                && isOfRecords(file, at + HEAD_BYTES, length)
                && file.crc(at + HEAD_BYTES, length) == file.intAt(at + Integer.BYTES);
    }

    /** Whether the lengths in a payload add up to its own; cheaper than its checksum, and seldom so by chance. */
    private static boolean isOfRecords(FileWindow file, long from, int length) throws IOException {
        long at = from;
        long end = from + length;
        while (at <= end - Integer.BYTES) {
            int record = file.intAt(at);
            if (record < 0) {
                return false;
            }
            at += Integer.BYTES + (long) record;
        }
        return at == end;
    }
}
