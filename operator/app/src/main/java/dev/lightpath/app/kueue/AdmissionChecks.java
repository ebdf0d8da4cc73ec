package dev.lightpath.app.kueue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.lightpath.app.Page;
import dev.lightpath.app.Patches;
import dev.lightpath.crds.FieldManager;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The AdmissionChecks of the cluster whose controller is the operator. Says of each that it is {@code Active}: Kueue
 * reserves no quota in a ClusterQueue before that.
 */
public final class AdmissionChecks implements ResourceEventHandler<GenericKubernetesResource>, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(AdmissionChecks.class);
    /** A replica that begins to lead hears of them again. */
    private static final Duration AGAIN = Duration.ofSeconds(30);

    private static final PatchContext APPLY = Patches.apply(FieldManager.STATUS);

    private final KubernetesClient client;
    private final BooleanSupplier leading;
    private final SharedIndexInformer<GenericKubernetesResource> informer;

    private AdmissionChecks(KubernetesClient client, BooleanSupplier leading) {
        this.client = client;
        this.leading = leading;
        this.informer = client.genericKubernetesResources(Kueue.CHECKS)
                .withLimit(Page.OBJECTS)
                .runnableInformer(AGAIN.toMillis())
                .exceptionHandler((started, failure) -> {
                    LOG.atWarn()
                            .addKeyValue("failure", failure.getMessage())
                            .log("the AdmissionChecks cannot be watched; trying again");
                    return true;
                });
        informer.addEventHandler(this);
    }

    /** @param leading whether this replica may write */
    public static AdmissionChecks watch(KubernetesClient client, BooleanSupplier leading) {
        AdmissionChecks checks = new AdmissionChecks(client, leading);
        var unused = checks.informer.start();
        return checks;
    }

    /** Whether they were listed, once. */
    public boolean isRead() {
        return informer.hasSynced();
    }

    /**
     * Names of those that are ours.
     *
     * @throws KubernetesClientException before the first list: without its check a Workload counts as one without
     *     quota, and its job would give its place back
     */
    public Set<String> names() {
        if (!isRead()) {
            throw new KubernetesClientException("the AdmissionChecks of the cluster are not read yet");
        }
        return informer.getStore().list().stream()
                .filter(AdmissionChecks::isOurs)
                .map(check -> check.getMetadata().getName())
                .collect(Collectors.toUnmodifiableSet());
    }

    private static boolean isOurs(GenericKubernetesResource check) {
        return Kueue.CONTROLLER.equals(check.get("spec", "controllerName"));
    }

    @Override
    public void onAdd(GenericKubernetesResource check) {
        if (isOurs(check) && leading.getAsBoolean() && !isActive(check)) {
            try {
                activate(check);
            } catch (KubernetesClientException e) {
                LOG.atWarn()
                        .addKeyValue("admissionCheck", check.getMetadata().getName())
                        .addKeyValue("failure", e.getMessage())
                        .log("the AdmissionCheck cannot be set Active; trying again");
            }
        }
    }

    @Override
    public void onUpdate(GenericKubernetesResource before, GenericKubernetesResource after) {
        onAdd(after);
    }

    @Override
    public void onDelete(GenericKubernetesResource check, boolean unknown) {
        // it is in no list any more
    }

    private boolean isActive(GenericKubernetesResource check) {
        JsonNode json = client.getKubernetesSerialization().convertValue(check, JsonNode.class);
        for (JsonNode condition : json.path("status").path("conditions")) {
            if (condition.path("type").asText().equals("Active")) {
                return condition.path("status").asText().equals("True")
                        && condition.path("observedGeneration").asLong()
                                == check.getMetadata().getGeneration();
            }
        }
        return false;
    }

    private void activate(GenericKubernetesResource check) {
        String json = """
                {"apiVersion": "%s/%s", "kind": "AdmissionCheck", "metadata": {"name": "%s"}, "status": {"conditions": [
                 {"type": "Active", "status": "True", "reason": "Active", "message": "Lightpath's operator answers it",
                  "observedGeneration": %d, "lastTransitionTime": "%s"}]}}
                """.formatted(
                        Kueue.GROUP,
                        Kueue.VERSION,
                        check.getMetadata().getName(),
                        check.getMetadata().getGeneration(),
                        Instant.now().truncatedTo(ChronoUnit.SECONDS));
        client.genericKubernetesResources(Kueue.CHECKS)
                .withName(check.getMetadata().getName())
                .subresource("status")
                .patch(APPLY, json);
    }

    @Override
    public void close() {
        informer.close();
    }
}
