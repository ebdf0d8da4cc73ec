package dev.lightpath.driver.journal;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Durable, ordered records. One thread writes: everything appended during a write goes to disk as one frame with one
 * fsync, so the cost of a commit is shared under load. After a failed write it is unknown what is on disk. Nothing is
 * appended then until a new segment holds all records that count.
 */
public final class Journal implements RecordLog {
    private static final int MAX_FRAME_RECORDS = 1024;

    private sealed interface Task {
        CompletableFuture<Void> done();

        record Append(byte[] bytes, CompletableFuture<Void> done) implements Task {}

        record Rotate(Iterable<byte[]> snapshot, CompletableFuture<Void> done) implements Task {}

        record Stop(CompletableFuture<Void> done) implements Task {}
    }

    /** The end of the segment that counts, cut at a crash. */
    private record Torn(long number, long from) {}

    private final Segments segments;
    private final FileChannel lockFile;
    private final LinkedBlockingQueue<Task> tasks = new LinkedBlockingQueue<>();
    private final Thread writer;
    /** The segment that records are appended to; null while the journal may only be read. */
    private @Nullable SegmentWriter segment;

    private @Nullable Torn torn;
    private long number;
    private volatile long sizeBytes;
    private volatile @Nullable IOException failure;
    private volatile boolean isStopped;

    private Journal(Segments segments, FileChannel lockFile) {
        this.segments = segments;
        this.lockFile = lockFile;
        this.writer = Thread.ofPlatform().name("journal").daemon(true).unstarted(this::writeUntilStopped);
    }

    /**
     * Opens the journal of a directory and hands over its records, oldest first, one at a time. A frame cut short by a
     * crash is left out; it was never reported as durable. After that, and after a segment of an older format, nothing
     * can be appended before {@link #rotate}, which keeps the bytes that were cut off in a separate file.
     *
     * @throws JournalDamagedException when acknowledged records are unreadable; nothing is changed on disk then
     * @throws StateInUseException when another process has it open
     * @throws IOException when the directory is unusable
     */
    public static Journal open(Path directory, Consumer<byte[]> replay) throws IOException {
        FileChannel lockFile = lockFile(directory);
        boolean opened = false;
        try {
            lock(lockFile, directory);
            Journal journal = new Journal(new Segments(directory), lockFile);
            journal.begin(replay);
            journal.writer.start();
            opened = true;
            return journal;
        } finally {
            if (!opened) {
                lockFile.close();
            }
        }
    }

    /** What the JDK says of a file that cannot be used is often its name alone. */
    private static FileChannel lockFile(Path directory) throws IOException {
        try {
            Files.createDirectories(directory);
            return FileChannel.open(directory.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        } catch (FileSystemException unusable) {
            String why = switch (unusable) {
                case FileAlreadyExistsException file -> file.getFile() + " is no directory";
                case AccessDeniedException denied -> "access to " + denied.getFile() + " is denied";
                case NoSuchFileException none -> none.getFile() + " cannot be made";
                default -> String.valueOf(unusable.getMessage());
            };
            throw new IOException("stateDirectory: " + directory + " cannot be used: " + why, unusable);
        }
    }

    private static void lock(FileChannel lockFile, Path directory) throws IOException {
        FileLock lock;
        try {
            lock = lockFile.tryLock();
        } catch (OverlappingFileLockException sameProcess) {
            lock = null;
        }
        if (lock == null) {
            throw new StateInUseException(directory);
        }
    }

    private void begin(Consumer<byte[]> replay) throws IOException {
        List<Long> numbers = segments.numbers();
        if (numbers.isEmpty()) {
            startAnew(List.of());
            return;
        }
        number = numbers.getLast();
        Path path = segments.path(number);
        SegmentReader.Scan scan = SegmentReader.read(path, number, replay);
        sizeBytes = scan.wholeBytes();
        torn = scan.isTorn() ? new Torn(number, scan.wholeBytes()) : null;
        if (scan.isTorn() || !scan.isOfToday()) {
            failure = new IOException(path + (scan.isTorn() ? ": its end is torn" : ": is of an older format")
                    + ", and it has not been rewritten yet");
        } else {
            segment = SegmentWriter.continuing(path, number, scan.frames(), scan.wholeBytes());
        }
    }

    @Override
    public CompletableFuture<Void> append(byte[] bytes) {
        return submit(new Task.Append(bytes, new CompletableFuture<>()));
    }

    @Override
    public CompletableFuture<Void> rotate(Iterable<byte[]> snapshot) {
        return submit(new Task.Rotate(snapshot, new CompletableFuture<>()));
    }

    /** Size of the current segment in bytes. */
    @Override
    public long sizeBytes() {
        return sizeBytes;
    }

    @Override
    public @Nullable IOException failure() {
        return failure;
    }

    private CompletableFuture<Void> submit(Task task) {
        tasks.add(task);
        if (isStopped) {
            refuseWaiting();
        }
        return task.done();
    }

    private void refuseWaiting() {
        for (Task late = tasks.poll(); late != null; late = tasks.poll()) {
            late.done().completeExceptionally(new IOException("the journal is closed"));
        }
    }

    private void writeUntilStopped() {
        List<Task> batch = new ArrayList<>();
        while (!isStopped) {
            try {
                batch.add(tasks.take());
            } catch (InterruptedException interrupted) {
                continue;
            }
            tasks.drainTo(batch, MAX_FRAME_RECORDS);
            try {
                write(batch);
            } catch (Throwable bug) {
                // without this, callers would wait for ever after the thread has ended
                failure = failed("the journal's thread", bug);
                batch.forEach(task -> task.done().completeExceptionally(bug));
            }
            batch.clear();
        }
        refuseWaiting();
    }

    private void write(List<Task> batch) {
        List<Task.Append> frame = new ArrayList<>();
        long payload = 0;
        for (Task task : batch) {
            switch (task) {
                case Task.Append append -> {
                    if (payload + Frames.bytes(append.bytes()) > SegmentWriter.FULL_FRAME_BYTES) {
                        commit(frame);
                        payload = 0;
                    }
                    frame.add(append);
                    payload += Frames.bytes(append.bytes());
                }
                case Task.Rotate rotate -> {
                    commit(frame);
                    payload = 0;
                    rotateTo(rotate);
                }
                case Task.Stop stop -> {
                    commit(frame);
                    payload = 0;
                    isStopped = true;
                    stop.done().complete(null);
                }
            }
        }
        commit(frame);
    }

    private void commit(List<Task.Append> frame) {
        if (frame.isEmpty()) {
            return;
        }
        try {
            SegmentWriter open = segment;
            IOException earlier = failure;
            if (earlier != null || open == null) {
                throw new IOException(
                        "the journal cannot be written: " + (earlier == null ? "" : earlier.getMessage()));
            }
            try {
                open.commit(frame.stream().map(Task.Append::bytes).toList());
            } catch (Throwable e) {
                failure = failed("a write", e);
                throw e;
            }
            sizeBytes = open.bytes();
            frame.forEach(append -> append.done().complete(null));
        } catch (Throwable e) {
            frame.forEach(append -> append.done().completeExceptionally(e));
        }
        frame.clear();
    }

    private static IOException failed(String what, Throwable why) {
        return why instanceof IOException io ? io : new IOException(what + " failed: " + why, why);
    }

    private void rotateTo(Task.Rotate rotate) {
        try {
            startAnew(rotate.snapshot());
            rotate.done().complete(null);
        } catch (Throwable e) {
            rotate.done().completeExceptionally(e);
        }
    }

    /** A failure before the new segment has its name leaves the old one as it was. */
    private void startAnew(Iterable<byte[]> snapshot) throws IOException {
        Torn end = torn;
        if (end != null) {
            segments.keepTorn(end.number(), end.from());
        }
        SegmentWriter next = segments.draft(number + 1, snapshot);
        number++;
        try {
            segments.adopt(number);
        } catch (Throwable e) {
            // which of the two would count after a crash is not known: neither is written to
            failure = failed("naming " + segments.path(number), e);
            next.close();
            throw e;
        }
        SegmentWriter before = segment;
        segment = next;
        torn = null;
        sizeBytes = next.bytes();
        failure = null;
        if (before != null) {
            before.close();
        }
        segments.dropBelow(number);
    }

    @Override
    public void close() throws IOException {
        if (isStopped) {
            return;
        }
        submit(new Task.Stop(new CompletableFuture<>())).join();
        SegmentWriter open = segment;
        if (open != null) {
            open.close();
        }
        lockFile.close();
    }
}
