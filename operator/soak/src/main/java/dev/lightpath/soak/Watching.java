package dev.lightpath.soak;

import dev.lightpath.crds.fabric.OpticalFabric;
import dev.lightpath.crds.job.TrainingJob;
import dev.lightpath.crds.slice.FabricSlice;
import dev.lightpath.soak.oracle.Records;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Jobs, slices and fabrics as the API server's watches tell of them: asking over and over would load what is under
 * study.
 */
final class Watching implements AutoCloseable {
    private final SharedIndexInformer<TrainingJob> jobs;
    private final SharedIndexInformer<FabricSlice> slices;
    private final SharedIndexInformer<OpticalFabric> fabrics;
    private final SliceLog log = new SliceLog();

    Watching(KubernetesClient client) {
        slices = client.resources(FabricSlice.class).inAnyNamespace().inform(log);
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
        return new Records(byName, log.now(), fabricByName);
    }

    /**
     * Every set of slices that the watch told of until these records, oldest first, and forgets them: what was recorded
     * for an instant had its light too.
     */
    List<List<FabricSlice>> until(Records records) {
        return log.until(records.slices());
    }

    @Override
    public void close() {
        slices.close();
        jobs.close();
        fabrics.close();
    }

    /** The slices after each event of their watch. */
    private static final class SliceLog implements ResourceEventHandler<FabricSlice> {
        private final SortedMap<String, FabricSlice> byUid = new TreeMap<>();
        private final List<List<FabricSlice>> told = new ArrayList<>(List.of(List.of()));

        @Override
        public synchronized void onAdd(FabricSlice slice) {
            byUid.put(slice.getMetadata().getUid(), slice);
            told.add(List.copyOf(byUid.values()));
        }

        @Override
        public void onUpdate(FabricSlice old, FabricSlice slice) {
            onAdd(slice);
        }

        @Override
        public synchronized void onDelete(FabricSlice slice, boolean finalStateUnknown) {
            byUid.remove(slice.getMetadata().getUid());
            told.add(List.copyOf(byUid.values()));
        }

        synchronized List<FabricSlice> now() {
            return told.getLast();
        }

        synchronized List<List<FabricSlice>> until(List<FabricSlice> last) {
            List<List<FabricSlice>> passed = new ArrayList<>();
            while (told.size() > 1 && told.getFirst() != last) {
                passed.add(told.removeFirst());
            }
            passed.add(told.getFirst());
            return passed;
        }
    }
}
