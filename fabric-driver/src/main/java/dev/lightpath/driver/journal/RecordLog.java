package dev.lightpath.driver.journal;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Durable, ordered records. */
public interface RecordLog extends AutoCloseable {
    /**
     * Appends a record; the future completes when it is durable, and records become durable in the order of the calls.
     */
    CompletableFuture<Void> append(byte[] bytes);

    /**
     * Starts a new segment with these records, which another thread reads one by one; all records appended before the
     * call are then dropped. If this succeeds the log can be written again, whatever failed before. If it fails the log
     * is unchanged, or has failed itself.
     */
    CompletableFuture<Void> rotate(Iterable<byte[]> snapshot);

    /** Size in bytes since its last new segment. */
    long sizeBytes();

    /** Why nothing can be appended until a new segment is started; null while all is well. */
    @Nullable
    IOException failure();

    @Override
    void close() throws IOException;
}
