package dev.lightpath.app.publish.node;

import dev.lightpath.app.Patches;
import dev.lightpath.app.cluster.ClusterInformers;
import dev.lightpath.app.cluster.CurrentShare;
import dev.lightpath.app.cluster.ResourceVersion;
import dev.lightpath.app.cluster.ShareOfCluster;
import dev.lightpath.crds.FieldManager;
import dev.lightpath.crds.fabric.OpticalFabric;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.NodeCondition;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.utils.Serialization;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** The API server: reads through the planning loop's watches, writes conditions by server-side apply. */
@Singleton
final class ClusterNodeStore implements NodeStore {
    private static final PatchContext APPLY = Patches.apply(FieldManager.NODE);

    private static final PatchContext MERGE = Patches.merge(FieldManager.TOPOLOGY);

    private final KubernetesClient client;
    private final Instance<ClusterInformers> watches;
    private final CurrentShare share;

    ClusterNodeStore(KubernetesClient client, Instance<ClusterInformers> watches, CurrentShare share) {
        this.client = client;
        this.watches = watches;
        this.share = share;
    }

    private ShareOfCluster led() {
        return new ShareOfCluster(watches.get(), share.get());
    }

    @Override
    public List<Node> nodes() {
        return led().nodes();
    }

    @Override
    public boolean isOurs(Node node) {
        return led().isOurs(node);
    }

    @Override
    public List<OpticalFabric> fabrics() {
        return led().fabrics();
    }

    @Override
    public long description() {
        return share.get().whole() ? 0 : watches.get().description();
    }

    /** With the uid, so that a Node made anew under the same name is not taken for the old one. */
    @Override
    public long write(Node node, List<NodeCondition> conditions) {
        Node written = client.resource(new NodeBuilder()
                        .withNewMetadata()
                        .withName(node.getMetadata().getName())
                        .withUid(node.getMetadata().getUid())
                        .endMetadata()
                        .withNewStatus()
                        .withConditions(conditions)
                        .endStatus()
                        .build())
                .subresource("status")
                .patch(APPLY);
        return ResourceVersion.number(written.getMetadata().getResourceVersion());
    }

    @Override
    public void listen(BiConsumer<Node, Node> changed) {
        watches.get().listenForNodes(changed);
    }

    @Override
    public void label(Node node, Map<String, Optional<String>> labels) {
        Map<String, @Nullable String> values = new TreeMap<>();
        labels.forEach((key, value) -> values.put(key, value.orElse(null)));
        // the client reads an object first that it has by its name alone
        client.resource(new NodeBuilder()
                        .withNewMetadata()
                        .withName(node.getMetadata().getName())
                        .endMetadata()
                        .build())
                .patch(
                        MERGE,
                        Serialization.asJson(Map.of(
                                "metadata", Map.of("uid", node.getMetadata().getUid(), "labels", values))));
    }
}
