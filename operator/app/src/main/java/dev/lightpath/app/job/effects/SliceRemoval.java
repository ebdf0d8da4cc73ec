package dev.lightpath.app.job.effects;

import dev.lightpath.app.objects.ConditionalWrite;
import dev.lightpath.app.objects.FinalizerPatch;
import dev.lightpath.app.objects.PartRemoval;
import dev.lightpath.crds.slice.Allocation;
import dev.lightpath.crds.slice.FabricSlice;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Takes slices away whose light is dark. */
final class SliceRemoval {
    private final KubernetesClient client;
    private final PartRemoval parts;

    SliceRemoval(KubernetesClient client) {
        this.client = client;
        this.parts = new PartRemoval(client);
    }

    /**
     * First marks the very version that was read as being deleted, then removes its finalizer. So a record written
     * meanwhile stays.
     *
     * @return false when the API server had something newer
     */
    boolean remove(FabricSlice looked) {
        if (looked.getMetadata().getDeletionTimestamp() != null) {
            return letGo(looked);
        }
        var slice = client.resource(looked);
        if (!ConditionalWrite.isCurrent(
                () -> slice.lockResourceVersion(looked.getMetadata().getResourceVersion())
                        .delete())) {
            return false;
        }
        @Nullable FabricSlice going = slice.get();
        if (going == null) {
            return true;
        }
        return Objects.equals(record(going), record(looked)) && letGo(going);
    }

    /** Takes our finalizer off the very version that was read, and then the parts of its record away. */
    boolean letGo(FabricSlice going) {
        return FinalizerPatch.removing(going)
                        .map(patch -> ConditionalWrite.isCurrent(
                                () -> client.resource(going).patch(ConditionalWrite.JSON_PATCH, patch)))
                        .orElse(true)
                && parts.after(going);
    }

    private static @Nullable Allocation record(FabricSlice slice) {
        return slice.getStatus() == null ? null : slice.getStatus().allocation();
    }
}
