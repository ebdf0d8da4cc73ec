package dev.lightpath.cli.live;

import dev.lightpath.crds.fabric.OpticalFabric;
import dev.lightpath.crds.job.TrainingJob;
import dev.lightpath.crds.slice.FabricSlice;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.util.SortedMap;
import java.util.TreeMap;

/** Jobs, slices and fabrics as the API server's watches tell of them: asking over and over would load what is under study. */
final class Watching implements AutoCloseable {
    private final SharedIndexInformer<TrainingJob> jobs;
    private final SharedIndexInformer<FabricSlice> slices;
    private final SharedIndexInformer<OpticalFabric> fabrics;

    Watching(KubernetesClient client) {
        slices = client.resources(FabricSlice.class).inAnyNamespace().inform();
        jobs = client.resources(TrainingJob.class).inAnyNamespace().inform();
        fabrics = client.resources(OpticalFabric.class).inform();
    }

    /** What is known now; of three watches that run beside each other one may be behind. */
    Records records() {
        SortedMap<String, TrainingJob> byName = new TreeMap<>();
        jobs.getStore().list().forEach(job -> byName.put(job.getMetadata().getName(), job));
        SortedMap<String, OpticalFabric> fabricByName = new TreeMap<>();
        fabrics.getStore()
                .list()
                .forEach(fabric -> fabricByName.put(fabric.getMetadata().getName(), fabric));
        return new Records(byName, slices.getStore().list(), fabricByName);
    }

    @Override
    public void close() {
        slices.close();
        jobs.close();
        fabrics.close();
    }
}
