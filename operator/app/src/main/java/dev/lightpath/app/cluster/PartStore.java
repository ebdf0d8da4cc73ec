package dev.lightpath.app.cluster;

import dev.lightpath.app.Patches;
import dev.lightpath.app.objects.FinalizerPatch;
import dev.lightpath.app.objects.PartRemoval;
import dev.lightpath.crds.FieldManager;
import dev.lightpath.crds.LightpathLabels;
import dev.lightpath.crds.LightpathNames;
import dev.lightpath.crds.slice.Allocation;
import dev.lightpath.crds.slice.FabricSlice;
import dev.lightpath.crds.slice.FabricSliceSpec;
import dev.lightpath.crds.slice.FabricSliceStatus;
import dev.lightpath.planner.world.SliceId;
import dev.lightpath.reading.SliceParts;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import java.net.HttpURLConnection;
import java.util.List;
import java.util.Optional;

/**
 * Keeps the parts beside part 0 of records that are too large for one slice. The slice owns them; their finalizer keeps
 * them until it is gone.
 */
final class PartStore {
    private static final PatchContext APPLY = Patches.apply(FieldManager.LEDGER);

    private static final PatchContext JSON_PATCH = Patches.json(FieldManager.LEDGER);

    private final KubernetesClient client;
    private final PartRemoval removal;

    PartStore(KubernetesClient client) {
        this.client = client;
        this.removal = new PartRemoval(client);
    }

    /**
     * Writes all but part 0, which makes them count.
     *
     * @param lead throws where this process leads no more: who does may be writing the same revision
     * @throws IllegalStateException when the slice is not there any more
     */
    void write(SliceId id, String uid, List<SliceParts.Part> parts, Runnable lead) {
        FabricSlice whole = client.resources(FabricSlice.class)
                .inNamespace(id.namespace())
                .withName(id.name())
                .get();
        if (whole == null || !whole.getMetadata().getUid().equals(uid)) {
            throw new IllegalStateException("slice " + id + " is gone");
        }
        for (SliceParts.Part part : parts.subList(1, parts.size())) {
            FabricSlice made = make(object(whole, part), uid);
            FabricSlice patch = new FabricSlice();
            patch.setMetadata(new ObjectMetaBuilder()
                    .withNamespace(made.getMetadata().getNamespace())
                    .withName(made.getMetadata().getName())
                    .withUid(made.getMetadata().getUid())
                    // what somebody wrote since is not written over
                    .withResourceVersion(made.getMetadata().getResourceVersion())
                    .build());
            lead.run();
            patch.setStatus(new FabricSliceStatus(null, List.of(), part.record(), null));
            client.resource(patch).subresource("status").patch(APPLY);
        }
    }

    private FabricSlice make(FabricSlice part, String uid) {
        try {
            return client.resource(part).create();
        } catch (KubernetesClientException e) {
            if (e.getCode() != HttpURLConnection.HTTP_CONFLICT) {
                throw e;
            }
        }
        FabricSlice there = client.resources(FabricSlice.class)
                .inNamespace(part.getMetadata().getNamespace())
                .withName(part.getMetadata().getName())
                .get();
        if (there != null && SliceParts.isOf(there, uid)) {
            Optional<String> held = FinalizerPatch.adding(there);
            if (held.isEmpty()) {
                // left by an attempt that did not come to its end; it may be going, and stays as long as it counts
                return there;
            }
            if (there.getMetadata().getDeletionTimestamp() == null) {
                return client.resource(there).patch(JSON_PATCH, held.get());
            }
        }
        if (there != null) {
            // of a slice of the same name that is gone: whoever deletes what has no owner would take it from this one
            removal.remove(there);
        }
        return client.resource(part).create();
    }

    private static FabricSlice object(FabricSlice whole, SliceParts.Part part) {
        FabricSlice object = new FabricSlice();
        object.setMetadata(new ObjectMetaBuilder()
                .withNamespace(whole.getMetadata().getNamespace())
                .withName(part.name(whole.getMetadata().getName()))
                .withFinalizers(LightpathNames.FINALIZER)
                .withLabels(whole.getMetadata().getLabels())
                .addToLabels(LightpathLabels.MANAGED_BY, LightpathLabels.LIGHTPATH)
                .addNewOwnerReference()
                .withApiVersion(whole.getApiVersion())
                .withKind(FabricSlice.KIND)
                .withName(whole.getMetadata().getName())
                .withUid(whole.getMetadata().getUid())
                .withBlockOwnerDeletion(false)
                .endOwnerReference()
                .build());
        object.setSpec(new FabricSliceSpec(
                whole.getSpec().fabric(),
                whole.getSpec().job(),
                part.number(),
                whole.getSpec().demand()));
        return object;
    }

    /** Deletes the parts that the record does not name. */
    void prune(SliceId id, String uid, Allocation first) {
        List<String> named = SliceParts.names(id.name(), first);
        client.resources(FabricSlice.class).inNamespace(id.namespace()).list().getItems().stream()
                .filter(part -> SliceParts.isPart(part) && SliceParts.isOf(part, uid))
                .filter(part -> !named.contains(part.getMetadata().getName()))
                .forEach(removal::remove);
    }
}
