package dev.lightpath.app.cluster;

import dev.lightpath.app.Patches;
import dev.lightpath.crds.FieldManager;
import dev.lightpath.crds.LightpathAnnotations;
import dev.lightpath.crds.slice.FabricSlice;
import dev.lightpath.planner.world.SliceId;
import dev.lightpath.reading.SliceParts;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Marks slices that have a record, or are about to get their first, by an annotation, which outlives the loss of their
 * status: such a slice, and no other, may be recognised by its light. A slice that has a record and no mark was
 * recorded by an older operator: it is marked beside the loop, when a watch shows it.
 */
final class RecordMarks implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(RecordMarks.class);
    private static final Duration AFTER_FAILURE = Duration.ofSeconds(30);
    private static final PatchContext MERGE = Patches.merge(FieldManager.LEDGER);

    private final KubernetesClient client;
    private final BooleanSupplier leads;
    private final ExecutorService writer = Executors.newSingleThreadExecutor(
            Thread.ofPlatform().name("record-marks").daemon().factory());
    /** By UID. */
    private final Set<String> underWay = ConcurrentHashMap.newKeySet();

    private volatile long notBefore = System.nanoTime();

    /** @param leads whether this process may still write */
    RecordMarks(KubernetesClient client, BooleanSupplier leads) {
        this.client = client;
        this.leads = leads;
    }

    /** Whether the slice had a record, or has one. */
    static boolean isMarked(FabricSlice slice) {
        Map<String, String> annotations = slice.getMetadata().getAnnotations();
        return annotations != null && annotations.containsKey(LightpathAnnotations.RECORDED);
    }

    /**
     * Has slices marked that a watch shows with a record and without a mark. Returns at once; linear in the slices.
     *
     * @return whether there are none
     */
    boolean mark(Collection<FabricSlice> seen) {
        if (System.nanoTime() - notBefore < 0) {
            return false;
        }
        boolean all = true;
        for (FabricSlice slice : seen) {
            boolean recorded =
                    slice.getStatus() != null && slice.getStatus().allocation() != null && !SliceParts.isPart(slice);
            String uid = slice.getMetadata().getUid();
            if (isMarked(slice)) {
                underWay.remove(uid);
            } else if (recorded) {
                all = false;
                if (underWay.add(uid)) {
                    writer.execute(() -> writeLate(slice, uid));
                }
            }
        }
        return all;
    }

    /**
     * Marks a slice now.
     *
     * @return the slice with its mark
     * @throws KubernetesClientException conflict when it is another one of the same name
     */
    FabricSlice write(SliceId slice, String uid) {
        FabricSlice named = new FabricSlice();
        named.setMetadata(new ObjectMetaBuilder()
                .withNamespace(slice.namespace())
                .withName(slice.name())
                .build());
        // the client reads an object first that it has by its name alone
        return client.resource(named)
                .patch(
                        MERGE,
                        "{\"metadata\": {\"uid\": \"" + uid + "\", \"annotations\": {\"" + LightpathAnnotations.RECORDED
                                + "\": \"true\"}}}");
    }

    private void writeLate(FabricSlice slice, String uid) {
        try {
            if (leads.getAsBoolean()) {
                var unused = write(
                        new SliceId(
                                slice.getMetadata().getNamespace(),
                                slice.getMetadata().getName()),
                        uid);
                // the watch shows the mark soon; until then the slice is not marked again
                return;
            }
        } catch (KubernetesClientException e) {
            boolean gone =
                    e.getCode() == HttpURLConnection.HTTP_NOT_FOUND || e.getCode() == HttpURLConnection.HTTP_CONFLICT;
            if (!gone) {
                LOG.atWarn()
                        .addKeyValue("slice", slice.getMetadata().getName())
                        .addKeyValue("failure", e.getMessage())
                        .log("slice not marked as recorded; it is tried again");
                notBefore = System.nanoTime() + AFTER_FAILURE.toNanos();
            }
        }
        underWay.remove(uid);
    }

    @Override
    public void close() {
        writer.shutdown();
    }
}
