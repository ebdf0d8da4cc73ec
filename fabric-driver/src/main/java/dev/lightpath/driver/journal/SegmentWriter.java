package dev.lightpath.driver.journal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/** The end of a segment, where frames are added. */
final class SegmentWriter implements AutoCloseable {
    /** Payload after which a frame of several records is full. */
    static final long FULL_FRAME_BYTES = 1 << 20;

    private final FileChannel channel;
    private final long number;
    private long frames;
    private long bytes;

    private SegmentWriter(FileChannel channel, long number, long frames, long bytes) {
        this.channel = channel;
        this.number = number;
        this.frames = frames;
        this.bytes = bytes;
    }

    /** Goes on behind the whole frames of a segment. */
    static SegmentWriter continuing(Path path, long number, long frames, long bytes) throws IOException {
        FileChannel channel = FileChannel.open(path, StandardOpenOption.WRITE);
        channel.position(bytes);
        return new SegmentWriter(channel, number, frames, bytes);
    }

    /**
     * Writes a file that is a segment with this snapshot; durable when this returns. The records are read one by one,
     * and at most one frame of them is held.
     */
    static SegmentWriter begin(Path path, long number, Iterable<byte[]> snapshot) throws IOException {
        SegmentWriter writer = new SegmentWriter(
                FileChannel.open(
                        path,
                        StandardOpenOption.CREATE,
                        StandardOpenOption.WRITE,
                        StandardOpenOption.TRUNCATE_EXISTING),
                number,
                0,
                0);
        boolean isWhole = false;
        try {
            writer.put(Frames.segmentHead(number));
            List<byte[]> frame = new ArrayList<>();
            long payload = 0;
            for (byte[] each : snapshot) {
                if (!frame.isEmpty() && payload + Frames.bytes(each) > FULL_FRAME_BYTES) {
                    writer.add(Frames.Kind.SNAPSHOT, frame);
                    frame.clear();
                    payload = 0;
                }
                frame.add(each);
                payload += Frames.bytes(each);
            }
            if (!frame.isEmpty()) {
                writer.add(Frames.Kind.SNAPSHOT, frame);
            }
            writer.add(Frames.Kind.SNAPSHOT_ENDS, List.of());
            writer.channel.force(true);
            isWhole = true;
            return writer;
        } finally {
            if (!isWhole) {
                writer.close();
            }
        }
    }

    /** Adds a commit; durable when this returns. */
    void commit(List<byte[]> records) throws IOException {
        add(Frames.Kind.COMMIT, records);
        channel.force(false);
    }

    private void add(Frames.Kind kind, List<byte[]> records) throws IOException {
        put(Frames.frame(kind, number, frames, records));
        frames++;
    }

    private void put(ByteBuffer some) throws IOException {
        long length = some.remaining();
        while (some.hasRemaining()) {
            channel.write(some);
        }
        bytes += length;
    }

    /** Size of the whole frames written. */
    long bytes() {
        return bytes;
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
