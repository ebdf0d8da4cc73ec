package dev.lightpath.app.cluster;

import dev.lightpath.reading.pod.Controller;
import dev.lightpath.reading.pod.PodUse;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobBuilder;
import io.fabric8.kubernetes.client.informers.cache.ItemStore;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * An informer's store that keeps of each object only its name, its version and an extract. There are many pods and
 * Jobs, and nearly all of their content is never read.
 */
final class ExtractStore<T extends HasMetadata, X> implements ItemStore<T> {
    /** What is read of a batch Job. */
    record Controlled(String uid, Optional<Controller> controller) {}

    /** @param witnessed whether it was seen beside the watch */
    private record Kept<T, X>(T skeleton, X extract, boolean witnessed) {}

    private final ConcurrentMap<String, Kept<T, X>> objects = new ConcurrentHashMap<>();
    private final Function<T, X> extract;
    private final Function<ObjectMeta, T> skeleton;
    private final Runnable changed;

    private ExtractStore(Function<T, X> extract, Function<ObjectMeta, T> skeleton, Runnable changed) {
        this.extract = extract;
        this.skeleton = skeleton;
        this.changed = changed;
    }

    /** @param changed called after each change of a {@link PodUse} */
    static ExtractStore<Pod, PodUse> pods(Runnable changed) {
        return new ExtractStore<>(
                PodUse::of, named -> new PodBuilder().withMetadata(named).build(), changed);
    }

    /** @param changed called after a Job came, went or got another controller */
    static ExtractStore<Job, Controlled> jobs(Runnable changed) {
        return new ExtractStore<>(
                job -> new Controlled(job.getMetadata().getUid(), Controller.of(job)),
                named -> new JobBuilder().withMetadata(named).build(),
                changed);
    }

    Stream<X> extracts() {
        return objects.values().stream().map(Kept::extract);
    }

    @Override
    public String getKey(T object) {
        return object.getMetadata().getNamespace() + "/" + object.getMetadata().getName();
    }

    @Override
    public synchronized @Nullable T put(String key, T object) {
        Kept<T, X> before = objects.get(key);
        // an event from before what was witnessed is news no more
        if (before == null || !before.witnessed() || version(object) >= version(before.skeleton())) {
            keep(key, object, false);
        }
        return before == null ? null : before.skeleton();
    }

    /** An object as the API server answered, of which the watch may tell later. */
    synchronized void saw(T object) {
        String key = getKey(object);
        Kept<T, X> before = objects.get(key);
        if (before == null || version(object) > version(before.skeleton())) {
            keep(key, object, true);
        }
    }

    private void keep(String key, T object, boolean witnessed) {
        Kept<T, X> kept = new Kept<>(skeleton.apply(named(object.getMetadata())), extract.apply(object), witnessed);
        Kept<T, X> before = objects.put(key, kept);
        if (before == null || !before.extract().equals(kept.extract())) {
            changed.run();
        }
    }

    private static long version(HasMetadata object) {
        return ResourceVersion.number(object.getMetadata().getResourceVersion());
    }

    private static ObjectMeta named(ObjectMeta metadata) {
        return new ObjectMetaBuilder()
                .withNamespace(metadata.getNamespace())
                .withName(metadata.getName())
                .withUid(metadata.getUid())
                .withResourceVersion(metadata.getResourceVersion())
                .build();
    }

    @Override
    public synchronized @Nullable T remove(String key) {
        Kept<T, X> before = objects.remove(key);
        if (before == null) {
            return null;
        }
        changed.run();
        return before.skeleton();
    }

    @Override
    public Stream<String> keySet() {
        return objects.keySet().stream();
    }

    @Override
    public Stream<T> values() {
        return objects.values().stream().map(Kept::skeleton);
    }

    @Override
    public @Nullable T get(String key) {
        Kept<T, X> kept = objects.get(key);
        return kept == null ? null : kept.skeleton();
    }

    @Override
    public int size() {
        return objects.size();
    }

    @Override
    public boolean isFullState() {
        return false;
    }
}
