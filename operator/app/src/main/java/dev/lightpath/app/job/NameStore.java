package dev.lightpath.app.job;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.informers.cache.ItemStore;
import io.fabric8.kubernetes.client.utils.KubernetesResourceUtil;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * An informer's store that keeps names, versions and labels: JobSets hold pod templates, and are read back by those who
 * act on them.
 */
final class NameStore implements ItemStore<GenericKubernetesResource> {
    private final ConcurrentMap<String, GenericKubernetesResource> objects = new ConcurrentHashMap<>();

    private static GenericKubernetesResource named(GenericKubernetesResource object) {
        ObjectMeta whole = object.getMetadata();
        GenericKubernetesResource named = new GenericKubernetesResource();
        named.setApiVersion(object.getApiVersion());
        named.setKind(object.getKind());
        named.setMetadata(new ObjectMetaBuilder()
                .withNamespace(whole.getNamespace())
                .withName(whole.getName())
                .withUid(whole.getUid())
                .withResourceVersion(whole.getResourceVersion())
                .withLabels(whole.getLabels())
                .build());
        return named;
    }

    @Override
    public String getKey(GenericKubernetesResource object) {
        return KubernetesResourceUtil.getNamespace(object) + "/" + KubernetesResourceUtil.getName(object);
    }

    @Override
    public @Nullable GenericKubernetesResource put(String key, GenericKubernetesResource object) {
        return objects.put(key, named(object));
    }

    @Override
    public @Nullable GenericKubernetesResource remove(String key) {
        return objects.remove(key);
    }

    @Override
    public Stream<String> keySet() {
        return objects.keySet().stream();
    }

    @Override
    public Stream<GenericKubernetesResource> values() {
        return objects.values().stream();
    }

    @Override
    public @Nullable GenericKubernetesResource get(String key) {
        return objects.get(key);
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
