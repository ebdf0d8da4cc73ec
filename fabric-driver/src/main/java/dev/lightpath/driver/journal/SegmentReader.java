package dev.lightpath.driver.journal;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Reads a segment from its begin to its end, one record at a time.
 *
 * <p>A crash can only cut the last commit: the next one is begun when this one is on disk, and a segment gets its name
 * when its snapshot is. So whatever is not whole is damage if anything was begun behind it, or if it is part of the
 * snapshot.
 */
final class SegmentReader {
    /**
     * The result of a scan.
     *
     * @param wholeBytes offset of the first byte that belongs to no whole frame
     * @param frames how many whole frames there are
     * @param isOfToday false for a segment of an older format, which may be read and not written to
     */
    record Scan(long wholeBytes, long sizeBytes, long frames, boolean isOfToday) {
        boolean isTorn() {
            return wholeBytes < sizeBytes;
        }
    }

    private final FileWindow file;
    private final long number;
    private final Consumer<byte[]> replay;

    private SegmentReader(FileWindow file, long number, Consumer<byte[]> replay) {
        this.file = file;
        this.number = number;
        this.replay = replay;
    }

    /**
     * Hands over the records of a segment, oldest first.
     *
     * @throws JournalDamagedException when records that were acknowledged are not readable
     */
    static Scan read(Path path, long number, Consumer<byte[]> replay) throws IOException {
        try (FileWindow file = new FileWindow(path)) {
            if (OldFormat.begins(file)) {
                return OldFormat.read(file, replay);
            }
            return new SegmentReader(file, number, replay).read();
        }
    }

    private Scan read() throws IOException {
        if (!file.holds(0, Frames.SEGMENT_HEAD_BYTES)
                || !Arrays.equals(
                        file.bytes(0, Frames.SEGMENT_HEAD_BYTES),
                        Frames.segmentHead(number).array())) {
            throw JournalDamagedException.at(
                    file.path(),
                    0,
                    "it does not begin as journal " + number
                            + " of this driver does (or a newer one wrote it: start that)");
        }
        long at = Frames.SEGMENT_HEAD_BYTES;
        long sequence = 0;
        boolean isBegun = false;
        while (true) {
            Optional<Frames.Head> head = Frames.head(file, at, number);
            if (head.isEmpty() || !isWhole(at, head.get()) || head.get().sequence() != sequence) {
                return end(at, sequence, head, isBegun);
            }
            if (isBegun != (head.get().kind() == Frames.Kind.COMMIT)) {
                throw JournalDamagedException.at(file.path(), at, "a frame that does not belong there");
            }
            isBegun |= head.get().kind() == Frames.Kind.SNAPSHOT_ENDS;
            records(file, at + Frames.HEAD_BYTES, head.get().length(), replay);
            at += Frames.HEAD_BYTES + head.get().length();
            sequence++;
        }
    }

    private boolean isWhole(long at, Frames.Head head) throws IOException {
        return file.holds(at + Frames.HEAD_BYTES, head.length())
                && file.crc(at + Frames.HEAD_BYTES, head.length()) == head.crc();
    }

    /** Nothing whole is at this place. */
    private Scan end(long at, long sequence, Optional<Frames.Head> head, boolean isBegun) throws IOException {
        if (!isBegun) {
            throw JournalDamagedException.at(file.path(), at, "what it began with was acknowledged, and is not whole");
        }
        boolean isFollowed = head.isPresent()
                ? head.get().sequence() != sequence
                        || file.holds(at + Frames.HEAD_BYTES, head.get().length() + 1L)
                : isFollowedByAHead(at, sequence);
        if (isFollowed) {
            throw JournalDamagedException.at(file.path(), at, "what follows was acknowledged later");
        }
        return new Scan(at, file.size(), sequence, true);
    }

    private boolean isFollowedByAHead(long at, long sequence) throws IOException {
        for (long place = at + 1; file.holds(place, Frames.HEAD_BYTES); place++) {
            if (Frames.head(file, place, number)
                    .filter(head -> head.sequence() > sequence)
                    .isPresent()) {
                return true;
            }
        }
        return false;
    }

    /** Hands over the records of a payload. */
    static void records(FileWindow file, long from, long length, Consumer<byte[]> replay) throws IOException {
        long at = from;
        while (at < from + length) {
            int bytes = file.intAt(at);
            if (bytes < 0 || bytes > from + length - at - Integer.BYTES) {
                throw JournalDamagedException.at(file.path(), at, "a record that is longer than its frame");
            }
            replay.accept(file.bytes(at + Integer.BYTES, bytes));
            at += Integer.BYTES + (long) bytes;
        }
    }
}
