package dev.lightpath.app.publish;

import com.fasterxml.jackson.databind.JsonNode;
import dev.lightpath.app.WholeObjects;
import dev.lightpath.app.access.Refused;
import dev.lightpath.crds.job.TrainingJob;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.OAuthTokenProvider;
import io.fabric8.kubernetes.client.dsl.FieldValidateable;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.List;

/**
 * Jobs that a caller sends, judged by the API server in a dry run with the caller's own token: roles, schema, rules and
 * admission policies count as if the caller applied them. Nothing is stored.
 */
@Singleton
class CallersJobs {
    private static final String FIELD_MANAGER = "lightpath-plan";

    private final Config config;

    @Inject
    CallersJobs(Config config) {
        this.config = config;
    }

    /**
     * The jobs as the API server would store them. Blocks for one request a job.
     *
     * @param token of the caller
     * @throws Refused in the server's words, when it takes one of them from nobody or not from the caller
     */
    List<TrainingJob> judged(String token, String namespace, List<JsonNode> manifests) {
        List<TrainingJob> jobs = new ArrayList<>();
        try (KubernetesClient client = WholeObjects.client(as(token))) {
            for (JsonNode manifest : manifests) {
                jobs.add(judged(client, namespace, manifest));
            }
        }
        return jobs;
    }

    private static TrainingJob judged(KubernetesClient client, String namespace, JsonNode manifest) {
        String name = manifest.at("/metadata/name").asText();
        try {
            GenericKubernetesResource wish =
                    client.getKubernetesSerialization().convertValue(manifest, GenericKubernetesResource.class);
            GenericKubernetesResource taken = client.resource(wish)
                    .inNamespace(namespace)
                    .dryRun()
                    .fieldValidation(FieldValidateable.Validation.STRICT)
                    .fieldManager(FIELD_MANAGER)
                    .forceConflicts()
                    .serverSideApply();
            return client.getKubernetesSerialization().convertValue(taken, TrainingJob.class);
        } catch (KubernetesClientException e) {
            String said = e.getStatus() == null || e.getStatus().getMessage() == null
                    ? String.valueOf(e.getMessage())
                    : e.getStatus().getMessage();
            throw new Refused(
                    e.getCode() >= 400 && e.getCode() < 500 ? e.getCode() : 503,
                    "TrainingJob " + name + ": " + said.replaceAll("\\s+", " ").strip());
        } catch (IllegalArgumentException e) {
            throw new Refused(400, "TrainingJob " + name + ": it is no object that the API server takes");
        }
    }

    /**
     * The way to the API server with the caller's token alone: a provider, so that none of the operator's takes its
     * place.
     */
    private Config as(String token) {
        OAuthTokenProvider callers = () -> token;
        return new ConfigBuilder(config)
                .withOauthTokenProvider(callers)
                .withOauthToken(null)
                .withAutoOAuthToken(null)
                .withUsername(null)
                .withPassword(null)
                .withClientCertData(null)
                .withClientCertFile(null)
                .withClientKeyData(null)
                .withClientKeyFile(null)
                .withRequestRetryBackoffLimit(0)
                .build();
    }
}
