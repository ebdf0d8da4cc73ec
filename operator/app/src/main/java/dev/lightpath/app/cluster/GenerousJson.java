package dev.lightpath.app.cluster;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.lightpath.reading.ApiJson;
import io.quarkus.kubernetes.client.KubernetesClientObjectMapperCustomizer;
import jakarta.inject.Singleton;

/** The client reads what the API server took from whomsoever. */
@Singleton
final class GenerousJson implements KubernetesClientObjectMapperCustomizer {
    @Override
    public void customize(ObjectMapper mapper) {
        ApiJson.generous(mapper);
    }
}
