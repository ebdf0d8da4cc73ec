package dev.lightpath.driver.journal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.Stream;

/** The files of a journal: {@code journal-<number>.log}; the highest number counts, others are left from a crash. */
final class Segments {
    private static final String PREFIX = "journal-";
    private static final String SUFFIX = ".log";

    private final Path directory;

    Segments(Path directory) {
        this.directory = directory;
    }

    /** Numbers of the segments that exist, ascending. */
    List<Long> numbers() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(f -> f.getFileName().toString())
                    .filter(n -> n.startsWith(PREFIX) && n.endsWith(SUFFIX))
                    .map(n -> Long.parseLong(n.substring(PREFIX.length(), n.length() - SUFFIX.length())))
                    .sorted()
                    .toList();
        }
    }

    Path path(long number) {
        return directory.resolve("%s%012d%s".formatted(PREFIX, number, SUFFIX));
    }

    /** A new segment that begins with these records, whole on disk or not there at all. */
    FileChannel create(long number, List<byte[]> records) throws IOException {
        Path draft = directory.resolve(path(number).getFileName() + ".draft");
        try (FileChannel channel = FileChannel.open(
                draft, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING)) {
            writeFully(channel, ByteBuffer.wrap(Frames.MAGIC));
            if (!records.isEmpty()) {
                writeFully(channel, Frames.frame(records));
            }
            channel.force(true);
        }
        Files.move(draft, path(number), StandardCopyOption.ATOMIC_MOVE);
        try (FileChannel folder = FileChannel.open(directory, StandardOpenOption.READ)) {
            folder.force(true);
        }
        FileChannel channel = FileChannel.open(path(number), StandardOpenOption.WRITE);
        channel.position(channel.size());
        return channel;
    }

    static void writeFully(FileChannel channel, ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            channel.write(bytes);
        }
    }
}
