package dev.lightpath.app.cluster;

import dev.lightpath.reading.Controller;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobBuilder;
import io.fabric8.kubernetes.client.informers.cache.ItemStore;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** An informer's store that keeps of each batch Job its name, its version and what controls it. */
final class JobStore implements ItemStore<Job> {
    private record Kept(Job skeleton, Optional<Controller> controller) {}

    private final ConcurrentMap<String, Kept> jobs = new ConcurrentHashMap<>();
    private final Runnable changed;

    /** @param changed called after a Job came or went */
    JobStore(Runnable changed) {
        this.changed = changed;
    }

    /** What controls each Job, by uid. */
    Map<String, Optional<Controller>> controllers() {
        Map<String, Optional<Controller>> controllers = new HashMap<>();
        jobs.values()
                .forEach(kept -> controllers.put(kept.skeleton().getMetadata().getUid(), kept.controller()));
        return controllers;
    }

    @Override
    public String getKey(Job job) {
        return job.getMetadata().getNamespace() + "/" + job.getMetadata().getName();
    }

    @Override
    public @Nullable Job put(String key, Job job) {
        Kept kept = new Kept(skeleton(job), Controller.of(job));
        Kept before = jobs.put(key, kept);
        if (before == null
                || !before.controller().equals(kept.controller())
                || !before.skeleton()
                        .getMetadata()
                        .getUid()
                        .equals(kept.skeleton().getMetadata().getUid())) {
            changed.run();
        }
        return before == null ? null : before.skeleton();
    }

    private static Job skeleton(Job job) {
        return new JobBuilder()
                .withMetadata(new ObjectMetaBuilder()
                        .withNamespace(job.getMetadata().getNamespace())
                        .withName(job.getMetadata().getName())
                        .withUid(job.getMetadata().getUid())
                        .withResourceVersion(job.getMetadata().getResourceVersion())
                        .build())
                .build();
    }

    @Override
    public @Nullable Job remove(String key) {
        Kept before = jobs.remove(key);
        if (before == null) {
            return null;
        }
        changed.run();
        return before.skeleton();
    }

    @Override
    public Stream<String> keySet() {
        return jobs.keySet().stream();
    }

    @Override
    public Stream<Job> values() {
        return jobs.values().stream().map(Kept::skeleton);
    }

    @Override
    public @Nullable Job get(String key) {
        Kept kept = jobs.get(key);
        return kept == null ? null : kept.skeleton();
    }

    @Override
    public int size() {
        return jobs.size();
    }

    @Override
    public boolean isFullState() {
        return false;
    }
}
