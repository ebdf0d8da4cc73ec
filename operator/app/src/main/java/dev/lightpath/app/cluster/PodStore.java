package dev.lightpath.app.cluster;

import dev.lightpath.reading.PodUse;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.informers.cache.ItemStore;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** An informer's store that keeps of each pod its name, its version and its {@link PodUse}. */
final class PodStore implements ItemStore<Pod> {
    private record Kept(Pod skeleton, PodUse use) {}

    private final ConcurrentMap<String, Kept> pods = new ConcurrentHashMap<>();
    private final Runnable changed;

    /** @param changed called after each change of a {@link PodUse} */
    PodStore(Runnable changed) {
        this.changed = changed;
    }

    Stream<PodUse> uses() {
        return pods.values().stream().map(Kept::use);
    }

    @Override
    public String getKey(Pod pod) {
        return pod.getMetadata().getNamespace() + "/" + pod.getMetadata().getName();
    }

    @Override
    public @Nullable Pod put(String key, Pod pod) {
        Kept kept = new Kept(skeleton(pod), PodUse.of(pod));
        Kept before = pods.put(key, kept);
        if (before == null || !before.use().equals(kept.use())) {
            changed.run();
        }
        return before == null ? null : before.skeleton();
    }

    private static Pod skeleton(Pod pod) {
        return new PodBuilder()
                .withMetadata(new ObjectMetaBuilder()
                        .withNamespace(pod.getMetadata().getNamespace())
                        .withName(pod.getMetadata().getName())
                        .withUid(pod.getMetadata().getUid())
                        .withResourceVersion(pod.getMetadata().getResourceVersion())
                        .build())
                .build();
    }

    @Override
    public @Nullable Pod remove(String key) {
        Kept before = pods.remove(key);
        if (before == null) {
            return null;
        }
        changed.run();
        return before.skeleton();
    }

    @Override
    public Stream<String> keySet() {
        return pods.keySet().stream();
    }

    @Override
    public Stream<Pod> values() {
        return pods.values().stream().map(Kept::skeleton);
    }

    @Override
    public @Nullable Pod get(String key) {
        Kept kept = pods.get(key);
        return kept == null ? null : kept.skeleton();
    }

    @Override
    public int size() {
        return pods.size();
    }

    @Override
    public boolean isFullState() {
        return false;
    }
}
