package dev.lightpath.app.publish;

import dev.lightpath.app.cluster.ClusterInformers;
import dev.lightpath.app.publish.FabricEvents.Happening;
import dev.lightpath.crds.FieldManager;
import dev.lightpath.crds.fabric.OpticalFabric;
import dev.lightpath.crds.job.TrainingJob;
import dev.lightpath.crds.opticalswitch.OpticalSwitch;
import dev.lightpath.crds.slice.FabricSlice;
import dev.lightpath.planner.world.SliceId;
import io.fabric8.kubernetes.api.model.EventBuilder;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The API server: reads through the planning loop's watches, writes by server-side apply. Serves the publisher's thread
 * only.
 */
@Singleton
class ClusterStatusStore implements StatusStore {
    /** Events of cluster-scoped objects live there. */
    private static final String EVENT_NAMESPACE = "default";

    private static final int MOST_EVENTS_REMEMBERED = 1024;
    private static final PatchContext APPLY = new PatchContext.Builder()
            .withPatchType(PatchType.SERVER_SIDE_APPLY)
            .withFieldManager(FieldManager.STATUS.word())
            .withForce(true)
            .build();

    private record Told(int count, Instant first) {}

    private final KubernetesClient client;
    private final Supplier<ClusterInformers> watches;
    private final InstantSource clock;
    private final Map<String, Told> told = new HashMap<>();

    @Inject
    ClusterStatusStore(KubernetesClient client, Instance<ClusterInformers> watches) {
        this(client, watches::get, InstantSource.system());
    }

    ClusterStatusStore(KubernetesClient client, Supplier<ClusterInformers> watches, InstantSource clock) {
        this.client = client;
        this.watches = watches;
        this.clock = clock;
    }

    @Override
    public List<OpticalFabric> fabrics() {
        return watches.get().fabrics();
    }

    @Override
    public Optional<FabricSlice> slice(SliceId id) {
        return watches.get().slice(id);
    }

    @Override
    public List<OpticalSwitch> switches() {
        return watches.get().switches();
    }

    @Override
    public List<TrainingJob> jobs() {
        return watches.get().jobs();
    }

    @Override
    public <T extends CustomResource<?, ?>> T write(T object) {
        return client.resource(object).subresource("status").patch(APPLY);
    }

    /** The same words about the same object are one event that counts. */
    @Override
    public void tell(CustomResource<?, ?> about, Happening happening) {
        String name = about.getMetadata().getName();
        String event = name + "."
                + Integer.toHexString((about.getKind() + happening.reason().word() + happening.message()).hashCode());
        Instant now = clock.instant().truncatedTo(ChronoUnit.SECONDS);
        if (told.size() > MOST_EVENTS_REMEMBERED) {
            told.clear();
        }
        Told times = told.merge(event, new Told(1, now), (known, one) -> new Told(known.count() + 1, known.first()));
        client.resource(new EventBuilder()
                        .withNewMetadata()
                        .withName(event)
                        .withNamespace(EVENT_NAMESPACE)
                        .endMetadata()
                        .withNewInvolvedObject()
                        .withApiVersion(about.getApiVersion())
                        .withKind(about.getKind())
                        .withName(name)
                        .withUid(about.getMetadata().getUid())
                        .endInvolvedObject()
                        .withType(happening.warning() ? "Warning" : "Normal")
                        .withReason(happening.reason().word())
                        .withMessage(shortened(happening.message()))
                        .withCount(times.count())
                        .withFirstTimestamp(times.first().toString())
                        .withLastTimestamp(now.toString())
                        .withReportingComponent("lightpath.dev/operator")
                        .withNewSource()
                        .withComponent("lightpath-operator")
                        .endSource()
                        .build())
                .patch(APPLY);
    }

    private static String shortened(String message) {
        return message.length() <= 1024 ? message : message.substring(0, 1020) + " ...";
    }
}
