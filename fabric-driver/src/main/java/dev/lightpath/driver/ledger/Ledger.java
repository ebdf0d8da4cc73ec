package dev.lightpath.driver.ledger;

import dev.lightpath.driver.journal.Journal;
import dev.lightpath.driver.journal.RecordLog;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The durable state of the driver: device ledgers in memory, each change of them in the journal. A change is visible at
 * once, and durable when its future completes. It is reported to clients only after that. While the journal cannot be
 * written, memory is ahead of it, and no change should be begun. Once it can, all of memory becomes durable at once.
 */
public final class Ledger implements AutoCloseable {
    /** How long an ended operation is remembered. */
    public static final Duration OPERATION_MEMORY = Duration.ofHours(24);

    /** Time between two attempts to rewrite a journal that could not be. */
    public static final Duration RETRY = Duration.ofSeconds(5);

    private static final Logger LOG = LoggerFactory.getLogger(Ledger.class);

    private final Map<String, DeviceLedger> devices = new ConcurrentHashMap<>();
    private final ReentrantReadWriteLock folding = new ReentrantReadWriteLock();
    private final AtomicBoolean compacting = new AtomicBoolean();
    /** Whether something that was folded in could not be written. */
    private final AtomicBoolean isBehind = new AtomicBoolean();

    private final AtomicLong compactionsFailed = new AtomicLong();
    private final List<CatchUp> listeners = new CopyOnWriteArrayList<>();
    private final Clock clock;
    private final long compactAboveBytes;
    private final String instanceId;
    private final RecordLog journal;
    private final Object order = new Object();
    private volatile long compactedBytes;
    /** Why the last compaction failed; null when it did not. */
    private volatile @Nullable Throwable compactionFailure;

    private volatile long compactionFailedNanos;

    /** Opens the log of a directory and hands over its records, oldest first. */
    @FunctionalInterface
    public interface LogOpener {
        RecordLog open(Path directory, Consumer<byte[]> replay) throws IOException;
    }

    /** Called when a device's memory is durable again, with the operations that were not reported meanwhile. */
    @FunctionalInterface
    public interface CatchUp {
        void caughtUp(String deviceId, List<StoredOperation> operations);
    }

    private Ledger(Path directory, Clock clock, long compactAboveBytes, LogOpener opener) throws IOException {
        this.clock = clock;
        this.compactAboveBytes = compactAboveBytes;
        this.journal = opened(directory, opener);
        boolean opened = false;
        try {
            this.instanceId = InstanceId.of(directory);
            opened = true;
        } finally {
            if (!opened) {
                journal.close();
            }
        }
        try {
            compact().join();
        } catch (CompletionException told) {
            // the driver starts all the same, and tries again
        }
    }

    private RecordLog opened(Path directory, LogOpener opener) throws IOException {
        Instant endedBefore = clock.instant().minus(OPERATION_MEMORY);
        try {
            return opener.open(directory, bytes -> {
                LedgerRecord entry = RecordCodec.decode(bytes);
                DeviceLedger device = device(entry.deviceId());
                device.fold(entry);
                // not when all are read: a journal has many more operations than there are to be remembered
                operation(entry).ifPresent(key -> device.forgetIfExpired(key, endedBefore));
            });
        } catch (RuntimeException unreadable) {
            throw new IOException(
                    directory + ": a record of the journal cannot be read: " + unreadable.getMessage(), unreadable);
        }
    }

    private static Optional<StoredOperation.Key> operation(LedgerRecord entry) {
        return switch (entry) {
            case LedgerRecord.Admitted r -> Optional.of(r.stored().key());
            case LedgerRecord.Updated r -> Optional.of(StoredOperation.Key.of(r.operation()));
            case LedgerRecord.EpochRaised unused -> Optional.empty();
            case LedgerRecord.GenerationShown unused -> Optional.empty();
            case LedgerRecord.Held unused -> Optional.empty();
            case LedgerRecord.Claimed unused -> Optional.empty();
            case LedgerRecord.Owned unused -> Optional.empty();
            case LedgerRecord.Overridden unused -> Optional.empty();
            case LedgerRecord.Described unused -> Optional.empty();
            case LedgerRecord.Forgotten unused -> Optional.empty();
        };
    }

    /**
     * Opens the ledger of a state directory, which is created if missing.
     *
     * @param compactAboveBytes the journal is rewritten when it has grown by this much and has doubled
     */
    public static Ledger open(Path directory, Clock clock, long compactAboveBytes) throws IOException {
        return open(directory, clock, compactAboveBytes, Journal::open);
    }

    /** As {@link #open(Path, Clock, long)}, on a log of another make. */
    public static Ledger open(Path directory, Clock clock, long compactAboveBytes, LogOpener opener)
            throws IOException {
        return new Ledger(directory, clock, compactAboveBytes, opener);
    }

    /** Names this installation; kept in the state directory. */
    public String instanceId() {
        return instanceId;
    }

    /** The ledger of a device, empty when nothing is known of it. */
    public DeviceLedger device(String deviceId) {
        return devices.computeIfAbsent(deviceId, DeviceLedger::new);
    }

    /**
     * Certificate name that a role belongs to: the first one that wrote under it, on this device or else on any other.
     */
    public Optional<String> writerOf(String deviceId, String role) {
        String here = device(deviceId).writer(role);
        return here != null
                ? Optional.of(here)
                : devices.values().stream()
                        .flatMap(device -> Stream.ofNullable(device.writer(role)))
                        .min(Comparator.naturalOrder());
    }

    public Collection<DeviceLedger> devices() {
        return devices.values();
    }

    /** Folds a record in and appends it to the journal; the future completes when it is durable. */
    public CompletableFuture<Void> write(LedgerRecord entry) {
        folding.readLock().lock();
        CompletableFuture<Void> durable;
        try {
            byte[] bytes = RecordCodec.encode(entry);
            synchronized (order) {
                DeviceLedger device = device(entry.deviceId());
                device.fold(entry);
                durable = journal.append(bytes);
                operation(entry).ifPresent(key -> device.writing(key, durable));
            }
            // in the lock, so that a snapshot with this record is written only after its waiting callers were informed
            var told = durable.whenComplete((done, failed) -> {
                if (failed != null) {
                    isBehind.set(true);
                }
            });
        } finally {
            folding.readLock().unlock();
        }
        long size = journal.sizeBytes();
        if (compactionFailure == null && size > compactedBytes + compactAboveBytes && size > 2 * compactedBytes) {
            var unused = compact();
        }
        return durable;
    }

    /** Completes when all that is remembered of an operation, and visible now, is durable. */
    public CompletableFuture<Void> written(String deviceId, StoredOperation.Key key) {
        synchronized (order) {
            return device(deviceId).written(key);
        }
    }

    /**
     * Rewrites the journal as the shortest one with the same state, without operations past their time. If that fails
     * the journal is unchanged, and {@link #tend} tries again.
     */
    public CompletableFuture<Void> compact() {
        if (!compacting.compareAndSet(false, true)) {
            return CompletableFuture.completedFuture(null);
        }
        CompletableFuture<Void> rewritten;
        folding.writeLock().lock();
        try {
            devices.values().forEach(d -> d.prune(clock.instant().minus(OPERATION_MEMORY)));
            List<Supplier<byte[]>> snapshot = devices.values().stream()
                    .flatMap(d -> d.snapshot().stream())
                    .toList();
            rewritten =
                    journal.rotate(() -> snapshot.stream().map(Supplier::get).iterator());
        } catch (RuntimeException | Error bug) {
            rewritten = CompletableFuture.failedFuture(bug);
        } finally {
            folding.writeLock().unlock();
        }
        return rewritten.whenComplete((done, failed) -> {
            compacted(failed);
            compacting.set(false);
            if (failed == null && isBehind.getAndSet(false)) {
                Thread.startVirtualThread(this::tellCaughtUp);
            }
        });
    }

    private void compacted(@Nullable Throwable failed) {
        if (failed == null) {
            compactedBytes = journal.sizeBytes();
            if (compactionFailure != null) {
                LOG.atInfo().addKeyValue("bytes", compactedBytes).log("the journal is rewritten");
            }
        } else {
            compactionsFailed.incrementAndGet();
            if (compactionFailure == null) {
                LOG.atError().log("the journal cannot be rewritten, which is tried again: " + failed);
            }
        }
        compactionFailedNanos = System.nanoTime();
        compactionFailure = failed;
    }

    private void tellCaughtUp() {
        for (DeviceLedger device : devices.values()) {
            List<StoredOperation> late = device.caughtUp();
            listeners.forEach(each -> each.caughtUp(device.deviceId(), late));
        }
    }

    /** To be called now and then: tries again what failed before, at most once in {@link #RETRY}. Returns at once. */
    public void tend() {
        boolean isWell = compactionFailure == null && journal.failure() == null;
        if (!isWell && System.nanoTime() - compactionFailedNanos >= RETRY.toNanos()) {
            var unused = compact();
        }
    }

    /** From now on calls the listener when memory is durable again after it was not. */
    public void onCaughtUp(CatchUp listener) {
        listeners.add(listener);
    }

    /** True when an ended operation is past the time it is remembered for. */
    public boolean isExpired(StoredOperation stored) {
        return DeviceLedger.isExpired(stored, clock.instant().minus(OPERATION_MEMORY));
    }

    /** Why nothing can be made durable now; null while all is well. */
    public @Nullable IOException failure() {
        return journal.failure();
    }

    /** Why the journal, though it may be well, is longer than it has to be; null while all is well. */
    public @Nullable Throwable compactionFailure() {
        return compactionFailure;
    }

    /** How often the journal could not be rewritten. */
    public long compactionsFailed() {
        return compactionsFailed.get();
    }

    public long journalBytes() {
        return journal.sizeBytes();
    }

    @Override
    public void close() throws IOException {
        journal.close();
    }
}
