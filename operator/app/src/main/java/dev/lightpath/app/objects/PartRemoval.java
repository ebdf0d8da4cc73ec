package dev.lightpath.app.objects;

import dev.lightpath.crds.slice.FabricSlice;
import dev.lightpath.reading.SliceParts;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import org.jspecify.annotations.Nullable;

/** Takes parts of records away that do not count any more (ADR 20). */
public final class PartRemoval {
    private final KubernetesClient client;

    public PartRemoval(KubernetesClient client) {
        this.client = client;
    }

    /**
     * Removes the operator's finalizer from the very version that was read, and deletes the part if it is not being
     * deleted yet.
     *
     * @return false when the API server had something newer
     */
    public boolean remove(FabricSlice part) {
        return ConditionalWrite.isCurrent(() -> {
            HasMetadata now = FinalizerPatch.removing(part)
                    .<HasMetadata>map(patch -> client.resource(part).patch(ConditionalWrite.JSON_PATCH, patch))
                    .orElse(part);
            if (now.getMetadata().getDeletionTimestamp() == null) {
                client.resource(now)
                        .lockResourceVersion(now.getMetadata().getResourceVersion())
                        .delete();
            }
        });
    }

    /**
     * Removes the parts of a slice after the slice. They stay while the finalizer of another party keeps the slice.
     *
     * @return false when the API server had something newer
     */
    public boolean after(FabricSlice letGo) {
        boolean current = true;
        for (String name : SliceParts.names(letGo)) {
            @Nullable FabricSlice part = named(letGo, name);
            current &= part == null || removeLeft(part);
        }
        return current;
    }

    /**
     * Its slice is asked for first: a part of one that is there stays, however old or new the part is that was seen.
     *
     * @return false when the API server had something newer
     */
    public boolean removeLeft(FabricSlice part) {
        return !SliceParts.isLeft(part, name -> named(part, name)) || remove(part);
    }

    private @Nullable FabricSlice named(FabricSlice beside, String name) {
        return client.resources(FabricSlice.class)
                .inNamespace(beside.getMetadata().getNamespace())
                .withName(name)
                .get();
    }
}
