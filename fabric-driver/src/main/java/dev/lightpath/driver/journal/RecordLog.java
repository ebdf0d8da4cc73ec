package dev.lightpath.driver.journal;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Durable, ordered records. */
public interface RecordLog extends AutoCloseable {
    /** Appends a record; the future completes when it is durable, and records become durable in the order of the calls. */
    CompletableFuture<Void> append(byte[] bytes);

    /** Starts anew with these records; all records appended before the call are then forgotten. */
    CompletableFuture<Void> rotate(List<byte[]> snapshot);

    /** Size in bytes since it last started anew. */
    long sizeBytes();

    /** Why nothing can be written any more; null while all is well. */
    @Nullable
    IOException failure();

    @Override
    void close() throws IOException;
}
