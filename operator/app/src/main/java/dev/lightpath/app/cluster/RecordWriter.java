package dev.lightpath.app.cluster;

import dev.lightpath.app.Patches;
import dev.lightpath.crds.FieldManager;
import dev.lightpath.crds.slice.Allocation;
import dev.lightpath.crds.slice.FabricSlice;
import dev.lightpath.crds.slice.FabricSliceStatus;
import dev.lightpath.planner.world.SliceId;
import dev.lightpath.reading.AllocationCodec;
import dev.lightpath.reading.SliceParts;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import java.net.HttpURLConnection;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * Writes one record over the record that it was decided on, and over no other: others write conditions into the same
 * status all the time, so the version of a slice alone does not tell. Thread-safe.
 */
final class RecordWriter {
    /** So often a write may find that only conditions came before it. */
    private static final int ATTEMPTS = 5;

    private static final PatchContext APPLY = Patches.apply(FieldManager.LEDGER);

    private final KubernetesClient client;
    private final Supplier<? extends Collection<FabricSlice>> watched;
    private final BooleanSupplier leads;
    private final PartStore parts;
    private final RecordMarks marks;

    /**
     * @param watched the slices that a watch shows now
     * @param leads whether this process may still write
     */
    RecordWriter(
            KubernetesClient client,
            Supplier<? extends Collection<FabricSlice>> watched,
            BooleanSupplier leads,
            RecordMarks marks) {
        this.client = client;
        this.watched = watched;
        this.leads = leads;
        this.parts = new PartStore(client);
        this.marks = marks;
    }

    /** The parts of a record, of which the first counts once it is written: with it all others. */
    static List<SliceParts.Part> split(dev.lightpath.planner.world.Allocation allocation) {
        return SliceParts.split(AllocationCodec.write(allocation));
    }

    /**
     * Writes the parts after the first, and then the first.
     *
     * @param before what the decision was made on
     * @return the slice as it is now
     * @throws IllegalStateException if somebody else wrote the record, the slice is gone, or this process leads no more
     */
    FabricSlice write(SliceId id, ReadRecord before, List<SliceParts.Part> records) {
        if (records.size() > 1) {
            parts.write(id, before.uid(), records, this::requireLead);
        }
        return writeFirst(id, before, records.getFirst().record());
    }

    /** Deletes parts of the record before that the record now has no more. */
    void prune(SliceId id, ReadRecord before, List<SliceParts.Part> records) {
        if (before.first() != null
                && !SliceParts.names(id.name(), before.first()).isEmpty()) {
            parts.prune(id, before.uid(), records.getFirst().record());
        }
    }

    private FabricSlice writeFirst(SliceId id, ReadRecord before, Allocation record) {
        String version = before.neverWritten() ? marked(id, before) : newest(before);
        for (int attempt = 1; ; attempt++) {
            try {
                return apply(id, before.uid(), version, record);
            } catch (KubernetesClientException e) {
                if (e.getCode() != HttpURLConnection.HTTP_CONFLICT || attempt == ATTEMPTS) {
                    throw e;
                }
                version = versionOfSameRecord(id, before);
            }
        }
    }

    /**
     * Marks a slice before its first record: whatever ends or is lost in between, its light is never taken for
     * nobody's.
     */
    private String marked(SliceId id, ReadRecord before) {
        requireLead();
        FabricSlice marked = marks.write(id, before.uid());
        if (ReadRecord.first(marked) != null) {
            throw new IllegalStateException("somebody else wrote the record of slice " + id);
        }
        return marked.getMetadata().getResourceVersion();
    }

    /**
     * The version to write over: conditions were nearly always written after the record, and a watch mostly shows them
     * with the record still being the one that the decision was made on. Asking for it is saved in the way of every
     * repair.
     */
    private String newest(ReadRecord before) {
        String known = before.read().version();
        return watched.get().stream()
                .filter(slice -> slice.getMetadata().getUid().equals(before.uid())
                        && ResourceVersion.number(slice.getMetadata().getResourceVersion())
                                > ResourceVersion.number(known)
                        && Objects.equals(ReadRecord.first(slice), before.first()))
                .map(slice -> slice.getMetadata().getResourceVersion())
                .findFirst()
                .orElse(known);
    }

    /** The slice's version now, provided that its record is still the one that the decision was made on. */
    private String versionOfSameRecord(SliceId id, ReadRecord before) {
        FabricSlice now = client.resources(FabricSlice.class)
                .inNamespace(id.namespace())
                .withName(id.name())
                .get();
        if (now == null) {
            throw new IllegalStateException("slice " + id + " is gone");
        }
        if (!now.getMetadata().getUid().equals(before.uid())
                || !Objects.equals(ReadRecord.first(now), before.first())) {
            throw new IllegalStateException("somebody else wrote the record of slice " + id);
        }
        return now.getMetadata().getResourceVersion();
    }

    /**
     * @throws IllegalStateException if this process leads no more; a write that is on its way then is noticed by who
     * does
     */
    private void requireLead() {
        if (!leads.getAsBoolean()) {
            throw new IllegalStateException("this process leads no more");
        }
    }

    private FabricSlice apply(SliceId id, String uid, String version, Allocation allocation) {
        requireLead();
        FabricSlice patch = new FabricSlice();
        patch.setMetadata(new ObjectMetaBuilder()
                .withNamespace(id.namespace())
                .withName(id.name())
                .withUid(uid)
                .withResourceVersion(version)
                .build());
        patch.setStatus(new FabricSliceStatus(null, List.of(), allocation, null));
        return client.resource(patch).subresource("status").patch(APPLY);
    }
}
