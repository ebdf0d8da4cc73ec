package dev.lightpath.driver.journal;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Durable, ordered records. One thread writes: whatever has been appended while it was writing goes to disk as one frame
 * with one fsync, so the cost of a commit is shared under load. After a failed write nothing is accepted any more, because
 * what is on disk is not known.
 */
public final class Journal implements RecordLog {
    private static final int MAX_FRAME_RECORDS = 1024;

    private sealed interface Task {
        CompletableFuture<Void> done();

        record Append(byte[] bytes, CompletableFuture<Void> done) implements Task {}

        record Rotate(List<byte[]> snapshot, CompletableFuture<Void> done) implements Task {}

        record Stop(CompletableFuture<Void> done) implements Task {}
    }

    private final Segments segments;
    private final FileChannel lockFile;
    private final LinkedBlockingQueue<Task> tasks = new LinkedBlockingQueue<>();
    private final Thread writer;
    private FileChannel channel;
    private long number;
    private volatile long sizeBytes;
    private volatile @Nullable IOException failure;

    private Journal(Segments segments, FileChannel lockFile, FileChannel channel, long number) throws IOException {
        this.segments = segments;
        this.lockFile = lockFile;
        this.channel = channel;
        this.number = number;
        this.sizeBytes = channel.size();
        this.writer = Thread.ofPlatform().name("journal").daemon(true).unstarted(this::writeUntilStopped);
        writer.start();
    }

    /**
     * Opens the journal of a directory and hands over its records, oldest first. A frame cut short by a crash is dropped:
     * nobody was told that it was durable.
     *
     * @throws JournalDamagedException when acknowledged records are unreadable
     * @throws IOException when the directory is unusable or another process has it open
     */
    public static Journal open(Path directory, Consumer<byte[]> replay) throws IOException {
        Files.createDirectories(directory);
        FileChannel lockFile =
                FileChannel.open(directory.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        boolean opened = false;
        try {
            lock(lockFile, directory);
            Segments segments = new Segments(directory);
            List<Long> numbers = segments.numbers();
            Journal journal = numbers.isEmpty()
                    ? new Journal(segments, lockFile, segments.create(1, List.of()), 1)
                    : reopen(segments, lockFile, numbers, replay);
            opened = true;
            return journal;
        } finally {
            if (!opened) {
                lockFile.close();
            }
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
            throw new IOException(directory + ": another driver server has this stateDirectory open");
        }
    }

    private static Journal reopen(Segments segments, FileChannel lockFile, List<Long> numbers, Consumer<byte[]> replay)
            throws IOException {
        long last = numbers.getLast();
        Path path = segments.path(last);
        Frames.Scan scan = Frames.scan(Files.readAllBytes(path), path);
        scan.records().forEach(replay);
        for (long old : numbers.subList(0, numbers.size() - 1)) {
            Files.deleteIfExists(segments.path(old));
        }
        if (scan.endBytes() == 0) {
            return new Journal(segments, lockFile, segments.create(last + 1, List.of()), last + 1);
        }
        FileChannel channel = FileChannel.open(path, StandardOpenOption.WRITE);
        channel.truncate(scan.endBytes());
        channel.position(scan.endBytes());
        channel.force(true);
        return new Journal(segments, lockFile, channel, last);
    }

    @Override
    public CompletableFuture<Void> append(byte[] bytes) {
        return submit(new Task.Append(bytes, new CompletableFuture<>()));
    }

    /** Starts a new segment with these records. */
    @Override
    public CompletableFuture<Void> rotate(List<byte[]> snapshot) {
        return submit(new Task.Rotate(List.copyOf(snapshot), new CompletableFuture<>()));
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
        return task.done();
    }

    private void writeUntilStopped() {
        List<Task> batch = new ArrayList<>();
        while (true) {
            try {
                batch.add(tasks.take());
            } catch (InterruptedException interrupted) {
                continue;
            }
            tasks.drainTo(batch, MAX_FRAME_RECORDS);
            boolean stop = write(batch);
            batch.clear();
            if (stop) {
                return;
            }
        }
    }

    private boolean write(List<Task> batch) {
        List<Task.Append> frame = new ArrayList<>();
        for (Task task : batch) {
            switch (task) {
                case Task.Append append -> frame.add(append);
                case Task.Rotate rotate -> {
                    commit(frame);
                    rotateTo(rotate);
                }
                case Task.Stop stop -> {
                    commit(frame);
                    stop.done().complete(null);
                    return true;
                }
            }
        }
        commit(frame);
        return false;
    }

    private void commit(List<Task.Append> frame) {
        if (frame.isEmpty()) {
            return;
        }
        try {
            refuseAfterFailure();
            Segments.writeFully(
                    channel, Frames.frame(frame.stream().map(Task.Append::bytes).toList()));
            channel.force(false);
            sizeBytes = channel.position();
            frame.forEach(append -> append.done().complete(null));
        } catch (IOException e) {
            failure = e;
            frame.forEach(append -> append.done().completeExceptionally(e));
        }
        frame.clear();
    }

    private void rotateTo(Task.Rotate rotate) {
        try {
            refuseAfterFailure();
            FileChannel next = segments.create(number + 1, rotate.snapshot());
            channel.close();
            Files.deleteIfExists(segments.path(number));
            channel = next;
            number++;
            sizeBytes = channel.position();
            rotate.done().complete(null);
        } catch (IOException e) {
            failure = e;
            rotate.done().completeExceptionally(e);
        }
    }

    private void refuseAfterFailure() throws IOException {
        IOException earlier = failure;
        if (earlier != null) {
            throw new IOException("the journal failed earlier: " + earlier.getMessage(), earlier);
        }
    }

    @Override
    public void close() throws IOException {
        submit(new Task.Stop(new CompletableFuture<>())).join();
        channel.close();
        lockFile.close();
    }
}
