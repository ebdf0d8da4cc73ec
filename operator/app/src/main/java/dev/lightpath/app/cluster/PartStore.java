package dev.lightpath.app.cluster;

import dev.lightpath.crds.FieldManager;
import dev.lightpath.crds.LightpathLabels;
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
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.net.HttpURLConnection;
import java.util.List;

/** Keeps the parts beside part 0 of records that are too large for one slice. The slice owns them: they go with it. */
final class PartStore {
    private static final PatchContext APPLY = new PatchContext.Builder()
            .withPatchType(PatchType.SERVER_SIDE_APPLY)
            .withFieldManager(FieldManager.LEDGER.word())
            .withForce(true)
            .build();

    private final KubernetesClient client;

    PartStore(KubernetesClient client) {
        this.client = client;
    }

    /**
     * Writes all but part 0, which makes them count.
     *
     * @throws IllegalStateException when the slice is not there any more
     */
    void write(SliceId id, String uid, List<Allocation> records) {
        FabricSlice whole = client.resources(FabricSlice.class)
                .inNamespace(id.namespace())
                .withName(id.name())
                .get();
        if (whole == null || !whole.getMetadata().getUid().equals(uid)) {
            throw new IllegalStateException("slice " + id + " is gone");
        }
        for (int part = 1; part < records.size(); part++) {
            FabricSlice object = part(whole, records.get(part).revision(), part);
            try {
                client.resource(object).create();
            } catch (KubernetesClientException e) {
                // left by an attempt that did not come to its end
                if (e.getCode() != HttpURLConnection.HTTP_CONFLICT) {
                    throw e;
                }
            }
            object.setSpec(null);
            object.getMetadata().setResourceVersion(null);
            object.setStatus(new FabricSliceStatus(null, List.of(), records.get(part), null));
            client.resource(object).subresource("status").patch(APPLY);
        }
    }

    private static FabricSlice part(FabricSlice whole, long revision, int part) {
        FabricSlice object = new FabricSlice();
        object.setMetadata(new ObjectMetaBuilder()
                .withNamespace(whole.getMetadata().getNamespace())
                .withName(SliceParts.name(whole.getMetadata().getName(), revision, part))
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
                part,
                whole.getSpec().demand()));
        return object;
    }

    /** Deletes the parts of other revisions than this one. */
    void prune(SliceId id, String uid, long revision) {
        client.resources(FabricSlice.class).inNamespace(id.namespace()).list().getItems().stream()
                .filter(SliceParts::isPart)
                .filter(part ->
                        part.getMetadata().getOwnerReferences().stream().anyMatch(owner -> uid.equals(owner.getUid())))
                .filter(part -> !part.getMetadata()
                        .getName()
                        .equals(SliceParts.name(
                                id.name(), revision, part.getSpec().part())))
                .forEach(part -> client.resource(part).delete());
    }
}
