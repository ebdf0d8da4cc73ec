package dev.lightpath.app.publish;

import dev.lightpath.app.conditions.ObjectEvent;
import dev.lightpath.app.publish.status.Scenes;
import dev.lightpath.app.publish.status.StatusStore;
import dev.lightpath.crds.fabric.OpticalFabric;
import dev.lightpath.crds.fabric.OpticalFabricSpec;
import dev.lightpath.crds.job.TrainingJob;
import dev.lightpath.crds.opticalswitch.OpticalSwitch;
import dev.lightpath.crds.opticalswitch.OpticalSwitchSpec;
import dev.lightpath.crds.opticalswitch.StripedWiring;
import dev.lightpath.crds.opticalswitch.SwitchDriver;
import dev.lightpath.crds.opticalswitch.Wiring;
import dev.lightpath.crds.slice.Demand;
import dev.lightpath.crds.slice.FabricSlice;
import dev.lightpath.crds.slice.FabricSliceSpec;
import dev.lightpath.planner.world.SliceId;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** Shows its objects as a watch that lags behind for ever; answers writes as the API server does. */
final class LaggingStore implements StatusStore {
    volatile List<TrainingJob> jobs = List.of();
    volatile Runnable jobListener = () -> {};
    /** Whether a job changes whenever jobs are looked at. */
    volatile boolean busyJobs;

    /** How many rounds began. */
    final AtomicInteger rounds = new AtomicInteger();

    final AtomicInteger looks = new AtomicInteger();
    /** How many writes there were when jobs were looked at. */
    final List<Integer> writesBefore = new CopyOnWriteArrayList<>();
    /** What the API server is to compare before it writes. */
    final Map<String, Optional<String>> compared = new ConcurrentHashMap<>();

    volatile Runnable written = () -> {};
    /** While jobs are looked at. */
    volatile Runnable looked = () -> {};
    /** Whether the API server knows no observedRevision. */
    volatile boolean oldDefinitions;

    final OpticalFabric fabric = new OpticalFabric();
    final FabricSlice slice = new FabricSlice();
    /** As a watch shows it. */
    volatile FabricSlice shown = slice;

    final OpticalSwitch device = new OpticalSwitch();
    final List<CustomResource<?, ?>> writes = new CopyOnWriteArrayList<>();
    final List<ObjectEvent> happenings = new CopyOnWriteArrayList<>();
    final AtomicInteger refusals = new AtomicInteger();
    final AtomicInteger tries = new AtomicInteger();
    String refused = "";
    int code = 500;
    private int version = 10;

    LaggingStore() {
        fabric.setMetadata(new ObjectMetaBuilder()
                .withName("ring-a")
                .withUid("f")
                .withGeneration(4L)
                .withResourceVersion("1")
                .build());
        fabric.setSpec(new OpticalFabricSpec(null, null, null, null, null, null, null, null));
        slice.setMetadata(new ObjectMetaBuilder()
                .withNamespace("team")
                .withName(Scenes.SLICE.name())
                .withUid("s")
                .withGeneration(1L)
                .withResourceVersion("2")
                .build());
        slice.setSpec(new FabricSliceSpec("ring-a", null, 0, new Demand(null, null, null)));
        device.setSpec(new OpticalSwitchSpec(
                "spine",
                new SwitchDriver("driver:9440", "ocs-1", null),
                null,
                new Wiring(new StripedWiring(1, null, 1), List.of(), null),
                List.of(),
                0,
                false));
        device.setMetadata(new ObjectMetaBuilder()
                .withName("ocs-1")
                .withUid("d")
                .withGeneration(2L)
                .withResourceVersion("3")
                .build());
    }

    @Override
    public List<OpticalFabric> fabrics() {
        rounds.incrementAndGet();
        return List.of(fabric);
    }

    @Override
    public Optional<FabricSlice> slice(SliceId id) {
        return id.equals(Scenes.SLICE) ? Optional.of(shown) : Optional.empty();
    }

    @Override
    public List<OpticalSwitch> switches() {
        return List.of(device);
    }

    @Override
    public List<TrainingJob> jobs() {
        writesBefore.add(writes.size());
        looks.incrementAndGet();
        looked.run();
        if (busyJobs) {
            jobListener.run();
        }
        return jobs;
    }

    @Override
    public void listenForJobs(Runnable listener) {
        jobListener = listener;
    }

    @Override
    public <T extends CustomResource<?, ?>> T write(T object) {
        tries.incrementAndGet();
        compared.put(
                object.getMetadata().getName(),
                Optional.ofNullable(object.getMetadata().getResourceVersion()));
        written.run();
        if (refused.equals(object.getMetadata().getName())
                || refusals.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
            throw new KubernetesClientException("refused", code, null);
        }
        object.getMetadata().setResourceVersion(Integer.toString(version++));
        object.getMetadata()
                .setGeneration(object instanceof OpticalFabric ? 4L : object instanceof FabricSlice ? 1L : 2L);
        writes.add(object);
        if (oldDefinitions && object instanceof FabricSlice each) {
            each.setStatus(each.getStatus().withoutObservedRevision());
        } else if (oldDefinitions && object instanceof OpticalFabric each) {
            each.setStatus(each.getStatus().withoutForeignCircuits());
        }
        return object;
    }

    @Override
    public void tell(CustomResource<?, ?> about, ObjectEvent happening) {
        happenings.add(happening);
    }

    List<OpticalFabric> writtenFabrics() {
        return writes.stream()
                .filter(OpticalFabric.class::isInstance)
                .map(OpticalFabric.class::cast)
                .toList();
    }
}
