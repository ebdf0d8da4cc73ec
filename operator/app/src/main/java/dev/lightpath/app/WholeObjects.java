package dev.lightpath.app;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.lightpath.reading.ApiJson;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;

/**
 * A client for those who act on objects as they are, which clients that watch do not show; of pods as {@link PodJson}
 * says.
 */
public final class WholeObjects {
    /** Names the client where it is injected. */
    public static final String CLIENT = "whole";

    private WholeObjects() {}

    /** Not for watches: it knows no kinds but those it is asked for. */
    public static KubernetesClient client(Config config) {
        return new KubernetesClientBuilder()
                .withConfig(config)
                .withKubernetesSerialization(
                        new KubernetesSerialization(PodJson.sparing(ApiJson.generous(new ObjectMapper())), false))
                .build();
    }
}
