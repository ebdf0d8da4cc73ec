package dev.lightpath.app.cluster;

import dev.lightpath.app.loop.Ledger;
import dev.lightpath.crds.FieldManager;
import dev.lightpath.crds.slice.FabricSlice;
import dev.lightpath.crds.slice.FabricSliceStatus;
import dev.lightpath.planner.engine.Decision;
import dev.lightpath.planner.world.Allocation;
import dev.lightpath.planner.world.LedgerEntry;
import dev.lightpath.planner.world.SliceId;
import dev.lightpath.reading.AllocationCodec;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.net.HttpURLConnection;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The ledger in the status of FabricSlices. It is listed from the API server at the start of a term and after any write
 * that went wrong; in between own answers are the newest there is, because nobody else writes it. A slice that appeared
 * since is taken from a watch: it has no record before we write one.
 */
public final class SliceLedger implements Ledger, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SliceLedger.class);
    /** Others write conditions into the same status; so often a write may find that only they came before it. */
    private static final int ATTEMPTS = 5;

    private static final PatchContext APPLY = new PatchContext.Builder()
            .withPatchType(PatchType.SERVER_SIDE_APPLY)
            .withFieldManager(FieldManager.LEDGER.word())
            .withForce(true)
            .build();

    private record Entry(String uid, LedgerEntry read) {}

    private final KubernetesClient client;
    private final Supplier<? extends Collection<FabricSlice>> watched;
    private final ExecutorService writer =
            Executors.newSingleThreadExecutor(Thread.ofPlatform().name("ledger").factory());

    private final Map<SliceId, Entry> known = new HashMap<>();
    private boolean stale = true;

    /** @param watched the slices that a watch shows now */
    public SliceLedger(KubernetesClient client, Supplier<? extends Collection<FabricSlice>> watched) {
        this.client = client;
        this.watched = watched;
    }

    /**
     * @throws IllegalArgumentException when a record cannot be read, naming the slice: then nothing may be planned, since
     *     nobody knows what it holds
     */
    @Override
    public synchronized SortedMap<SliceId, LedgerEntry> entries() {
        if (stale) {
            known.clear();
            client.resources(FabricSlice.class)
                    .inAnyNamespace()
                    .list()
                    .getItems()
                    .forEach(slice -> known.put(id(slice), entry(slice)));
            stale = false;
        }
        for (FabricSlice slice : watched.get()) {
            Entry entry = known.get(id(slice));
            if (entry == null) {
                known.put(id(slice), entry(slice));
            } else if (!entry.uid().equals(slice.getMetadata().getUid())) {
                stale = true;
            }
        }
        SortedMap<SliceId, LedgerEntry> entries = new TreeMap<>();
        known.forEach((id, entry) -> entries.put(id, entry.read()));
        return entries;
    }

    /** The slice is gone; one of the same name that came after it stays. */
    public synchronized void forget(FabricSlice gone) {
        Entry entry = known.get(id(gone));
        if (entry != null && entry.uid().equals(gone.getMetadata().getUid())) {
            known.remove(id(gone));
        }
    }

    @Override
    public void record(List<Decision.Adopt.Entry> entries, Runnable done) {
        writer.execute(() -> {
            try {
                for (Decision.Adopt.Entry entry : entries) {
                    write(entry);
                }
            } catch (RuntimeException e) {
                LOG.atWarn().addKeyValue("failure", e.getMessage()).log("ledger not written; it is read again");
                synchronized (this) {
                    stale = true;
                }
            } finally {
                done.run();
            }
        });
    }

    private void write(Decision.Adopt.Entry entry) {
        SliceId id = entry.slice();
        Entry before;
        synchronized (this) {
            before = known.get(id);
        }
        if (before == null || !before.read().version().equals(entry.version())) {
            throw new IllegalStateException("slice " + id + " changed since its allocation was decided");
        }
        String version = entry.version();
        for (int attempt = 1; ; attempt++) {
            try {
                Entry written = entry(apply(id, before.uid(), version, entry.allocation()));
                synchronized (this) {
                    known.put(id, written);
                }
                return;
            } catch (KubernetesClientException e) {
                if (e.getCode() != HttpURLConnection.HTTP_CONFLICT || attempt == ATTEMPTS) {
                    throw e;
                }
                version = versionOfSameRecord(id, before);
            }
        }
    }

    /** The slice's version now, provided that its record is still the one that the decision was made on. */
    private String versionOfSameRecord(SliceId id, Entry before) {
        FabricSlice now = client.resources(FabricSlice.class)
                .inNamespace(id.namespace())
                .withName(id.name())
                .get();
        if (now == null) {
            throw new IllegalStateException("slice " + id + " is gone");
        }
        Entry found = entry(now);
        if (!found.uid().equals(before.uid())
                || !found.read().allocation().equals(before.read().allocation())) {
            throw new IllegalStateException("somebody else wrote the record of slice " + id);
        }
        return found.read().version();
    }

    private FabricSlice apply(SliceId id, String uid, String version, Allocation allocation) {
        FabricSlice patch = new FabricSlice();
        patch.setMetadata(new ObjectMetaBuilder()
                .withNamespace(id.namespace())
                .withName(id.name())
                .withUid(uid)
                .withResourceVersion(version)
                .build());
        patch.setStatus(new FabricSliceStatus(null, List.of(), AllocationCodec.write(allocation), null));
        return client.resource(patch).subresource("status").patch(APPLY);
    }

    private static Entry entry(FabricSlice slice) {
        FabricSliceStatus status = slice.getStatus();
        dev.lightpath.crds.slice.@Nullable Allocation record = status == null ? null : status.allocation();
        return new Entry(
                slice.getMetadata().getUid(),
                new LedgerEntry(
                        Optional.ofNullable(record).map(present -> read(slice, present)),
                        slice.getMetadata().getResourceVersion()));
    }

    private static Allocation read(FabricSlice slice, dev.lightpath.crds.slice.Allocation record) {
        try {
            return AllocationCodec.read(record);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("slice " + id(slice) + ": " + e.getMessage(), e);
        }
    }

    private static SliceId id(FabricSlice slice) {
        return new SliceId(
                slice.getMetadata().getNamespace(), slice.getMetadata().getName());
    }

    /** Lets a write under way end; light stays as it is. */
    @Override
    public void close() {
        writer.shutdown();
    }
}
