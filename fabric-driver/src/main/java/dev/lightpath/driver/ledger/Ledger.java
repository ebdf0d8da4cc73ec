package dev.lightpath.driver.ledger;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.lightpath.driver.journal.Journal;
import dev.lightpath.driver.journal.RecordLog;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The durable memory of the driver: device ledgers in memory, each change of them in the journal. A change is visible at
 * once and durable when its future completes; nobody outside is told of it before.
 */
public final class Ledger implements AutoCloseable {
    /** How long an ended operation is remembered. */
    public static final Duration OPERATION_MEMORY = Duration.ofHours(24);

    private final Map<String, DeviceLedger> devices = new ConcurrentHashMap<>();
    private final ReentrantReadWriteLock folding = new ReentrantReadWriteLock();
    private final AtomicBoolean compacting = new AtomicBoolean();
    private final Clock clock;
    private final long compactAboveBytes;
    private final String instanceId;
    private final RecordLog journal;
    private volatile long compactedBytes;
    private final Object order = new Object();

    @GuardedBy("order")
    private CompletableFuture<Void> latest = CompletableFuture.completedFuture(null);

    /** Opens the log of a directory and hands over its records, oldest first. */
    @FunctionalInterface
    public interface LogOpener {
        RecordLog open(Path directory, Consumer<byte[]> replay) throws IOException;
    }

    private Ledger(Path directory, Clock clock, long compactAboveBytes, LogOpener opener) throws IOException {
        this.clock = clock;
        this.compactAboveBytes = compactAboveBytes;
        this.journal = opener.open(directory, bytes -> {
            LedgerRecord entry = RecordCodec.decode(bytes);
            device(entry.deviceId()).fold(entry);
        });
        this.instanceId = InstanceId.of(directory);
        this.compactedBytes = journal.sizeBytes();
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

    /** Certificate name that a role belongs to: whoever wrote first under it, on this device or else on any other. */
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
                device(entry.deviceId()).fold(entry);
                durable = journal.append(bytes);
                latest = durable;
            }
        } finally {
            folding.readLock().unlock();
        }
        long size = journal.sizeBytes();
        if (size > compactedBytes + compactAboveBytes && size > 2 * compactedBytes) {
            var unused = compact();
        }
        return durable;
    }

    /** Completes when all that is visible now is durable. */
    public CompletableFuture<Void> written() {
        synchronized (order) {
            return latest;
        }
    }

    /** Rewrites the journal as the shortest one with the same fold, without operations past their time. */
    public CompletableFuture<Void> compact() {
        if (!compacting.compareAndSet(false, true)) {
            return CompletableFuture.completedFuture(null);
        }
        folding.writeLock().lock();
        try {
            devices.values().forEach(d -> d.prune(clock.instant().minus(OPERATION_MEMORY)));
            List<byte[]> snapshot = devices.values().stream()
                    .flatMap(d -> d.snapshot().stream())
                    .map(RecordCodec::encode)
                    .toList();
            return journal.rotate(snapshot).whenComplete((done, failed) -> {
                compactedBytes = journal.sizeBytes();
                compacting.set(false);
            });
        } finally {
            folding.writeLock().unlock();
        }
    }

    /** True when an ended operation is past the time it is remembered for. */
    public boolean isExpired(StoredOperation stored) {
        return DeviceLedger.isExpired(stored, clock.instant().minus(OPERATION_MEMORY));
    }

    /** Why nothing can be made durable any more; null while all is well. */
    public @Nullable IOException failure() {
        return journal.failure();
    }

    public long journalBytes() {
        return journal.sizeBytes();
    }

    @Override
    public void close() throws IOException {
        journal.close();
    }
}
