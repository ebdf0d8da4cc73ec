package dev.lightpath.app.publish.status;

import dev.lightpath.app.conditions.ObjectEvent;
import dev.lightpath.crds.fabric.OpticalFabric;
import dev.lightpath.crds.job.TrainingJob;
import dev.lightpath.crds.opticalswitch.OpticalSwitch;
import dev.lightpath.crds.slice.FabricSlice;
import dev.lightpath.planner.world.SliceId;
import io.fabric8.kubernetes.client.CustomResource;
import java.util.List;
import java.util.Optional;

/** Where statuses are read and written. Objects read are shared: never change them. */
public interface StatusStore {
    /** As last seen, by name. */
    List<OpticalFabric> fabrics();

    /** As last seen; empty when deleted or not seen yet. */
    Optional<FabricSlice> slice(SliceId id);

    /** As last seen. */
    List<OpticalSwitch> switches();

    /** As last seen, for counting them. */
    List<TrainingJob> jobs();

    /** Calls back after every change of a job, on any thread; must not wait. */
    void listenForJobs(Runnable listener);

    /**
     * Writes the status of an object that carries nothing else but its metadata.
     *
     * @return the object as it is now
     * @throws io.fabric8.kubernetes.client.KubernetesClientException when the API server refuses or is not there
     */
    <T extends CustomResource<?, ?>> T write(T object);

    /** Tells of something that happened to a fabric or a switch. */
    void tell(CustomResource<?, ?> about, ObjectEvent happening);
}
