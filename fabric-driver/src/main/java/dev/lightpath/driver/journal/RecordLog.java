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
     * Starts anew with these records, which are asked for one by one by another thread; all records appended before the
     * call are then forgotten. When this succeeds the log is well, whatever failed before. When it fails the log is as
     * it was, or has failed itself.
     */
    CompletableFuture<Void> rotate(Iterable<byte[]> snapshot);

    /** Size in bytes since it last started anew. */
    long sizeBytes();

    /** Why nothing can be appended until it has started anew; null while all is well. */
    @Nullable
    IOException failure();

    @Override
    void close() throws IOException;
}
