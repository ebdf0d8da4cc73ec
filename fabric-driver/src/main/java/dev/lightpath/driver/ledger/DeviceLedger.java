package dev.lightpath.driver.ledger;

import dev.lightpath.driver.adapter.CircuitPair;
import dev.lightpath.driver.adapter.DeviceDescription;
import dev.lightpath.proto.driver.v1alpha1.ItemResult;
import dev.lightpath.proto.driver.v1alpha1.ItemState;
import dev.lightpath.proto.driver.v1alpha1.Operation;
import dev.lightpath.proto.driver.v1alpha1.PortOverride;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The stored state of one device. Only {@link Ledger} changes it. A caller that must decide and write in one step holds
 * this object's monitor.
 */
public final class DeviceLedger {
    private final String deviceId;
    private final Map<String, EpochMark> epochs = new ConcurrentHashMap<>();
    /** Highest of an operation of the role, also of one that is forgotten. */
    private final Map<String, Long> generations = new ConcurrentHashMap<>();

    private final Map<StoredOperation.Key, KeptOperation> operations = new ConcurrentHashMap<>();
    /** Those of {@link #operations} that are not over, of a day's worth of them. */
    private final Map<StoredOperation.Key, StoredOperation> unsettled = new ConcurrentHashMap<>();

    /** Operations whose latest record is not known to be durable, and its end. */
    private final Map<StoredOperation.Key, CompletableFuture<Void>> beingWritten = new ConcurrentHashMap<>();

    private final Map<CircuitPair, CircuitOwner> owners = new ConcurrentHashMap<>();
    /** Whose the circuits were that an operation broke which may still be put back. */
    private final Map<CircuitPair, CircuitOwner> formerOwners = new ConcurrentHashMap<>();

    private final Map<String, LedgerRecord.Overridden> overrides = new ConcurrentHashMap<>();
    /** Certificate names that wrote under a role first, by role. */
    private final Map<String, String> writers = new ConcurrentHashMap<>();

    private volatile @Nullable String holdingRole;
    private volatile @Nullable DeviceDescription description;

    DeviceLedger(String deviceId) {
        this.deviceId = deviceId;
    }

    public String deviceId() {
        return deviceId;
    }

    /** Role that holds the device; null when none has written yet. */
    public @Nullable String holdingRole() {
        return holdingRole;
    }

    /** Certificate name that wrote first to this device under a role that no rule names; null when none did. */
    public @Nullable String writer(String role) {
        return writers.get(role);
    }

    /** Highest epoch of a role; epoch 0 when it never wrote. */
    public EpochMark epoch(String role) {
        return epochs.getOrDefault(role, new EpochMark(0, ""));
    }

    /** Highest generation of an admitted operation of a role; 0 when there was none. */
    public long generation(String role) {
        return generations.getOrDefault(role, 0L);
    }

    public Optional<StoredOperation> operation(String role, String operationId) {
        return Optional.ofNullable(operations.get(new StoredOperation.Key(role, operationId)))
                .map(KeptOperation::stored);
    }

    /** Operations with an unknown end, and those that await a confirmation. */
    public Collection<StoredOperation> unsettled() {
        return unsettled.values();
    }

    public Optional<CircuitOwner> owner(CircuitPair pair) {
        return Optional.ofNullable(owners.get(pair));
    }

    public PortOverride override(String port) {
        LedgerRecord.Overridden entry = overrides.get(port);
        return entry == null ? PortOverride.PORT_OVERRIDE_NONE : entry.override();
    }

    /** Whether the shutter of a port is closed, or was asked to close by a call that was not answered. */
    public boolean mayBeShut(String port) {
        LedgerRecord.Overridden entry = overrides.get(port);
        return entry != null && entry.mayBeShut();
    }

    /** The device as last described; null when it never was or is no longer part of the installation. */
    public @Nullable DeviceDescription description() {
        return description;
    }

    CompletableFuture<Void> written(StoredOperation.Key key) {
        return beingWritten.getOrDefault(key, CompletableFuture.completedFuture(null));
    }

    /** A record of an operation was folded in and is being written. */
    void writing(StoredOperation.Key key, CompletableFuture<Void> durable) {
        beingWritten.put(key, durable);
        var unused = durable.thenRun(() -> beingWritten.remove(key, durable));
    }

    /** All state is durable: returns the operations that could not be reported meanwhile. */
    List<StoredOperation> caughtUp() {
        List<StoredOperation> late = new ArrayList<>();
        beingWritten.forEach((key, durable) -> {
            if (durable.isCompletedExceptionally() && beingWritten.remove(key, durable)) {
                KeptOperation kept = operations.get(key);
                if (kept != null) {
                    late.add(kept.stored());
                }
            }
        });
        return late;
    }

    void fold(LedgerRecord entry) {
        switch (entry) {
            case LedgerRecord.EpochRaised r -> epochs.put(r.role(), new EpochMark(r.epoch(), r.holder()));
            case LedgerRecord.Held r -> holdingRole = r.role();
            case LedgerRecord.Claimed r -> {
                if (r.name().isEmpty()) {
                    writers.remove(r.role());
                } else {
                    writers.put(r.role(), r.name());
                }
            }
            case LedgerRecord.GenerationShown r -> generations.merge(r.role(), r.generation(), Math::max);
            case LedgerRecord.Admitted r -> {
                generations.merge(
                        r.stored().key().role(), r.stored().operation().getDesiredGeneration(), Math::max);
                remember(r.stored());
            }
            case LedgerRecord.Updated r -> update(r.operation());
            case LedgerRecord.Owned r -> owners.put(r.pair(), r.owner());
            case LedgerRecord.Overridden r -> {
                if (r.override() == PortOverride.PORT_OVERRIDE_NONE) {
                    overrides.remove(r.port());
                } else {
                    overrides.put(r.port(), r);
                }
            }
            case LedgerRecord.Described r -> description = r.description();
            case LedgerRecord.Forgotten unused -> description = null;
        }
    }

    private void remember(StoredOperation stored) {
        KeptOperation kept = KeptOperation.of(deviceId, stored);
        operations.put(stored.key(), kept);
        switch (kept) {
            case KeptOperation.Unsettled unused -> unsettled.put(stored.key(), stored);
            case KeptOperation.Over unused -> unsettled.remove(stored.key());
        }
    }

    private void update(Operation operation) {
        var key = StoredOperation.Key.of(operation);
        KeptOperation known = operations.get(key);
        if (known != null) {
            remember(known.stored().with(operation));
        }
        CircuitOwner owner = new CircuitOwner(key.role(), key.operationId());
        for (ItemResult item : operation.getItemsList()) {
            CircuitPair pair = CircuitPair.of(item.getKey());
            switch (item.getAction()) {
                case ITEM_ACTION_CONNECT -> {
                    switch (item.getState()) {
                        case ITEM_STATE_CONNECTED, ITEM_STATE_TUNING, ITEM_STATE_UNKNOWN -> owners.put(pair, owner);
                        case ITEM_STATE_ROLLED_BACK -> owners.remove(pair);
                        default -> {}
                    }
                }
                case ITEM_ACTION_DISCONNECT -> disconnect(pair, item.getState(), operation.hasConfirmBefore());
                default -> {}
            }
        }
    }

    /** A restored circuit has the owner that it had before it was broken, or none. */
    private void disconnect(CircuitPair pair, ItemState state, boolean mayBePutBack) {
        switch (state) {
            case ITEM_STATE_DARK -> {
                CircuitOwner was = owners.remove(pair);
                if (was != null) {
                    formerOwners.put(pair, was);
                }
            }
            case ITEM_STATE_ROLLED_BACK -> {
                CircuitOwner was = formerOwners.remove(pair);
                if (was != null) {
                    owners.put(pair, was);
                }
            }
            default -> {}
        }
        if (!mayBePutBack) {
            formerOwners.remove(pair);
        }
    }

    /** Forgets operations that ended before this instant and await nothing. */
    void prune(Instant endedBefore) {
        operations.values().removeIf(kept -> kept.isOverBefore(endedBefore));
    }

    void forgetIfExpired(StoredOperation.Key key, Instant endedBefore) {
        operations.computeIfPresent(key, (same, kept) -> kept.isOverBefore(endedBefore) ? null : kept);
    }

    static boolean isExpired(StoredOperation stored, Instant endedBefore) {
        return !stored.isUnsettled() && stored.operation().getFinishedAt().getSeconds() < endedBefore.getEpochSecond();
    }

    /** Records whose fold is this ledger, as bytes once they are asked for. */
    List<Supplier<byte[]>> snapshot() {
        List<LedgerRecord> before = new ArrayList<>();
        DeviceDescription described = description;
        if (described != null) {
            before.add(new LedgerRecord.Described(deviceId, described));
        }
        String role = holdingRole;
        if (role != null) {
            before.add(new LedgerRecord.Held(deviceId, role));
        }
        epochs.forEach((r, mark) -> before.add(new LedgerRecord.EpochRaised(deviceId, r, mark.epoch(), mark.holder())));
        generations.forEach((r, generation) -> before.add(new LedgerRecord.GenerationShown(deviceId, r, generation)));
        writers.forEach((r, name) -> before.add(new LedgerRecord.Claimed(deviceId, r, name)));
        List<LedgerRecord> after = new ArrayList<>();
        // former owners are written as owners first; the records of the operations that broke their circuits then make
        // them former owners
        formerOwners.forEach((pair, owner) -> after.add(new LedgerRecord.Owned(deviceId, pair, owner)));
        unsettled.values().stream()
                .map(StoredOperation::operation)
                .filter(Operation::hasConfirmBefore)
                .forEach(operation -> after.add(new LedgerRecord.Updated(deviceId, operation)));
        owners.forEach((pair, owner) -> after.add(new LedgerRecord.Owned(deviceId, pair, owner)));
        after.addAll(overrides.values());
        return Stream.of(
                        before.stream().map(DeviceLedger::encoded),
                        List.copyOf(operations.values()).stream().<Supplier<byte[]>>map(kept -> kept::record),
                        after.stream().map(DeviceLedger::encoded))
                .flatMap(each -> each)
                .toList();
    }

    private static Supplier<byte[]> encoded(LedgerRecord entry) {
        return () -> RecordCodec.encode(entry);
    }
}
