package dev.lightpath.app.publish.status;

import dev.lightpath.app.Patches;
import dev.lightpath.app.cluster.ClusterInformers;
import dev.lightpath.app.cluster.CurrentShare;
import dev.lightpath.app.cluster.ShareOfCluster;
import dev.lightpath.app.conditions.EventWriter;
import dev.lightpath.app.conditions.ObjectEvent;
import dev.lightpath.crds.FieldManager;
import dev.lightpath.crds.fabric.OpticalFabric;
import dev.lightpath.crds.job.TrainingJob;
import dev.lightpath.crds.opticalswitch.OpticalSwitch;
import dev.lightpath.crds.slice.FabricSlice;
import dev.lightpath.planner.world.SliceId;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The API server: reads through the planning loop's watches, writes by server-side apply. Serves the publisher's thread
 * only.
 */
@Singleton
public class ClusterStatusStore implements StatusStore {
    private static final PatchContext APPLY = Patches.apply(FieldManager.STATUS);

    private final KubernetesClient client;
    private final Supplier<ClusterInformers> watches;
    private final CurrentShare share;
    private final EventWriter events;

    @Inject
    ClusterStatusStore(
            KubernetesClient client, Instance<ClusterInformers> watches, CurrentShare share, EventWriter events) {
        this(client, watches::get, share, events);
    }

    ClusterStatusStore(
            KubernetesClient client, Supplier<ClusterInformers> watches, CurrentShare share, EventWriter events) {
        this.client = client;
        this.watches = watches;
        this.share = share;
        this.events = events;
    }

    private ShareOfCluster led() {
        return new ShareOfCluster(watches.get(), share.get());
    }

    @Override
    public List<OpticalFabric> fabrics() {
        return led().fabrics();
    }

    @Override
    public Optional<FabricSlice> slice(SliceId id) {
        return watches.get().slice(id);
    }

    @Override
    public List<OpticalSwitch> switches() {
        return led().switches();
    }

    @Override
    public List<TrainingJob> jobs() {
        return led().jobs();
    }

    @Override
    public void listenForJobs(Runnable listener) {
        watches.get().listenForJobs(listener);
    }

    @Override
    public <T extends CustomResource<?, ?>> T write(T object) {
        return client.resource(object).subresource("status").patch(APPLY);
    }

    @Override
    public void tell(CustomResource<?, ?> about, ObjectEvent happening) {
        events.tell(about, happening);
    }
}
