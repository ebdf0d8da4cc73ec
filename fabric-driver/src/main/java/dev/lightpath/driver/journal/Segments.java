package dev.lightpath.driver.journal;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.Stream;

/**
 * The files of a journal: {@code journal-<number>.log}, of which the highest number counts; {@code .draft}, one that is
 * being written; {@code .torn}, bytes cut off after a crash.
 */
final class Segments {
    /** Torn ends that are kept; older ones are dropped. */
    static final int TORN_KEPT = 8;

    private static final String PREFIX = "journal-";
    private static final String SEGMENT = ".log";
    private static final String DRAFT = ".log.draft";
    private static final String TORN = ".torn";

    private final Path directory;

    Segments(Path directory) {
        this.directory = directory;
    }

    /** Numbers of the segments that exist, ascending. */
    List<Long> numbers() throws IOException {
        return numbers(SEGMENT);
    }

    private List<Long> numbers(String suffix) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(f -> f.getFileName().toString())
                    .filter(n -> n.startsWith(PREFIX) && n.endsWith(suffix))
                    .map(n -> Long.parseLong(n.substring(PREFIX.length(), n.length() - suffix.length())))
                    .sorted()
                    .toList();
        }
    }

    Path path(long number) {
        return file(number, SEGMENT);
    }

    private Path file(long number, String suffix) {
        return directory.resolve("%s%012d%s".formatted(PREFIX, number, suffix));
    }

    /** Writes a segment that does not count yet; nothing is left of it when this fails. */
    SegmentWriter draft(long number, Iterable<byte[]> snapshot) throws IOException {
        boolean isWhole = false;
        try {
            SegmentWriter draft = SegmentWriter.begin(file(number, DRAFT), number, snapshot);
            isWhole = true;
            return draft;
        } finally {
            if (!isWhole) {
                // on a full disk the half-written draft itself takes space
                Files.deleteIfExists(file(number, DRAFT));
            }
        }
    }

    /** Makes the draft of this number the segment that counts. If this fails it is unknown which segment counts. */
    void adopt(long number) throws IOException {
        Files.move(file(number, DRAFT), path(number), StandardCopyOption.ATOMIC_MOVE);
        forceDirectory();
    }

    /** Deletes the segments that one of this number replaces, and left drafts. */
    void dropBelow(long number) throws IOException {
        for (String suffix : List.of(SEGMENT, DRAFT)) {
            for (long old : numbers(suffix)) {
                if (old < number) {
                    Files.deleteIfExists(file(old, suffix));
                }
            }
        }
    }

    /** Keeps the bytes from this place on in a file beside the segment. */
    void keepTorn(long number, long from) throws IOException {
        try (FileChannel segment = FileChannel.open(path(number), StandardOpenOption.READ);
                FileChannel torn = FileChannel.open(
                        file(number, TORN),
                        StandardOpenOption.CREATE,
                        StandardOpenOption.WRITE,
                        StandardOpenOption.TRUNCATE_EXISTING)) {
            long at = from;
            while (at < segment.size()) {
                at += segment.transferTo(at, segment.size() - at, torn);
            }
            torn.force(true);
        }
        List<Long> kept = numbers(TORN);
        for (long old : kept.subList(0, Math.max(0, kept.size() - TORN_KEPT))) {
            Files.deleteIfExists(file(old, TORN));
        }
    }

    private void forceDirectory() throws IOException {
        try (FileChannel folder = FileChannel.open(directory, StandardOpenOption.READ)) {
            folder.force(true);
        }
    }
}
