package dev.lightpath.driver.crash;

import dev.lightpath.driver.journal.RecordLog;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;

/** A journal whose driver may stop before a record is written, or when it is written and nobody has been told. */
final class CrashingLog implements RecordLog {
    private final RecordLog disk;
    private final CrashPoint crash;

    CrashingLog(RecordLog disk, CrashPoint crash) {
        this.disk = disk;
        this.crash = crash;
    }

    @Override
    public CompletableFuture<Void> append(byte[] bytes) {
        if (!crash.passes("before a record")) {
            return new CompletableFuture<>();
        }
        CompletableFuture<Void> written = disk.append(bytes);
        written.join();
        return crash.passes("after a record") ? written : new CompletableFuture<>();
    }

    @Override
    public CompletableFuture<Void> rotate(Iterable<byte[]> snapshot) {
        return disk.rotate(snapshot);
    }

    @Override
    public long sizeBytes() {
        return disk.sizeBytes();
    }

    @Override
    public IOException failure() {
        return disk.failure();
    }

    @Override
    public void close() throws IOException {
        disk.close();
    }
}
