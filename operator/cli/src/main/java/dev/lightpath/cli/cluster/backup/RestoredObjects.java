package dev.lightpath.cli.cluster.backup;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.lightpath.crds.FieldManager;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Objects of a backup in a cluster, where each has another UID: it is known once the object is found or made. */
final class RestoredObjects {
    private final KubernetesClient client;
    private final boolean dryRun;
    /** UIDs of the cluster by those of the backup: owners, and jobs of slices. */
    private final Map<String, String> uids = new HashMap<>();

    /** @param dryRun whether nothing is written; objects then keep the UIDs of the backup */
    RestoredObjects(KubernetesClient client, boolean dryRun) {
        this.client = client;
        this.dryRun = dryRun;
    }

    /** The UID here of an object of the backup; empty where it is neither found nor made yet. */
    Optional<String> uid(String ofBackup) {
        return Optional.ofNullable(uids.get(ofBackup));
    }

    /** The object here, if there is one of its name. */
    <T extends HasMetadata> Optional<T> find(T saved) {
        T found = client.resource(saved).get();
        if (found != null) {
            know(saved, found);
        }
        return Optional.ofNullable(found);
    }

    private void know(HasMetadata saved, HasMetadata now) {
        if (saved.getMetadata().getUid() != null) {
            uids.put(saved.getMetadata().getUid(), now.getMetadata().getUid());
        }
    }

    /** Makes an object, without its status. */
    void create(HasMetadata saved) {
        if (dryRun) {
            know(saved, saved);
            return;
        }
        HasMetadata fresh = client.getKubernetesSerialization().clone(saved);
        fresh.setMetadata(fresh(saved.getMetadata()));
        if (fresh instanceof CustomResource<?, ?> custom) {
            custom.setStatus(null);
        }
        know(saved, client.resource(fresh).create());
    }

    /** Without what belongs to the API server. Whoever owns nothing here any more would have it deleted as garbage. */
    private ObjectMeta fresh(ObjectMeta saved) {
        List<OwnerReference> owners = saved.getOwnerReferences().stream()
                .filter(owner -> uids.containsKey(owner.getUid()))
                .map(owner -> new OwnerReferenceBuilder(owner)
                        .withUid(uids.get(owner.getUid()))
                        .build())
                .toList();
        return new ObjectMetaBuilder(saved)
                .withUid(null)
                .withResourceVersion(null)
                .withGeneration(null)
                .withCreationTimestamp(null)
                .withDeletionTimestamp(null)
                .withDeletionGracePeriodSeconds(null)
                .withManagedFields(List.of())
                .withOwnerReferences(owners)
                .build();
    }

    /** A status without the generations of the API server that it comes from. */
    <S> S withoutGenerations(S status, Class<S> type) {
        ObjectNode json = client.getKubernetesSerialization().convertValue(status, ObjectNode.class);
        json.remove("observedGeneration");
        for (JsonNode condition : json.path("conditions")) {
            ((ObjectNode) condition).remove("observedGeneration");
        }
        return client.getKubernetesSerialization().convertValue(json, type);
    }

    /**
     * Writes a status over what is there.
     *
     * @param bare the status alone
     * @param of the object of the backup that it is of
     * @param manager of the operator, so that what the operator writes later replaces it
     */
    void write(CustomResource<?, ?> bare, HasMetadata of, FieldManager manager) {
        if (dryRun) {
            return;
        }
        bare.setMetadata(new ObjectMetaBuilder()
                .withNamespace(of.getMetadata().getNamespace())
                .withName(of.getMetadata().getName())
                .withUid(uids.get(of.getMetadata().getUid()))
                .build());
        client.resource(bare)
                .subresource("status")
                .patch(new PatchContext.Builder()
                        .withPatchType(PatchType.SERVER_SIDE_APPLY)
                        .withFieldManager(manager.word())
                        .withForce(true)
                        .build());
    }
}
