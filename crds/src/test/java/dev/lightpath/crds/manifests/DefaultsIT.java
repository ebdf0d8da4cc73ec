package dev.lightpath.crds.manifests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.crds.apiserver.ApiServer;
import dev.lightpath.crds.apiserver.ApiServerExtension;
import dev.lightpath.crds.fabric.OpticalFabric;
import dev.lightpath.crds.job.TrainingJob;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@ExtendWith(ApiServerExtension.class)
class DefaultsIT {

    private final ApiServer server;

    DefaultsIT(ApiServer server) {
        this.server = server;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ocsTrx: {shape: Line, reach: 2, gpusPerNode: 2, driver: {endpoint: 'h:1'}}",
                "ocs: {pods: [{name: p, index: 0, ports: 1, gpus: 1}], topology: {logical: {}}}"
            })
    void recordsKnowTheDefaultsOfTheFabric(String spec) {
        assertThat(fromServer("OpticalFabric", spec, OpticalFabric.class).getSpec())
                .isEqualTo(fromText("OpticalFabric", spec, OpticalFabric.class).getSpec());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{model: {preset: gpt-7b}, parallelism: {tensor: 4}, scaleUp: {fabric: f}}",
                "{model: {preset: gpt-7b}, parallelism: {tensor: 4}, scaleOut: {fabric: f}}"
            })
    void recordsKnowTheDefaultsOfTheJob(String spec) {
        assertThat(fromServer("TrainingJob", spec, TrainingJob.class).getSpec())
                .isEqualTo(fromText("TrainingJob", spec, TrainingJob.class).getSpec());
    }

    @Test
    void fabricOf4096PodsIsTakenAndOneMoreIsNot() {
        assertThat(pods(4096)).isEmpty();
        assertThat(pods(4097)).contains("spec.ocs.pods").contains("4096");
    }

    private String pods(int count) {
        var pods = new StringBuilder();
        for (int i = 0; i < count; i++) {
            pods.append("{name: pod-%d, index: %d, ports: 16, gpus: 64},".formatted(i, i));
        }
        String spec = "ocs: {pods: [%s], topology: {logical: {}}}".formatted(pods);
        try {
            fromServer("OpticalFabric", spec, OpticalFabric.class);
            return "";
        } catch (KubernetesClientException e) {
            return String.valueOf(e.getMessage());
        }
    }

    private <T extends HasMetadata> T fromServer(String kind, String spec, Class<T> type) {
        try (KubernetesClient client = server.client()) {
            var written = client.getKubernetesSerialization()
                    .unmarshal(manifest(kind, spec), GenericKubernetesResource.class);
            var taken = client.resource(written).dryRun().create();
            return client.getKubernetesSerialization().convertValue(taken, type);
        }
    }

    private <T extends HasMetadata> T fromText(String kind, String spec, Class<T> type) {
        return new KubernetesSerialization().unmarshal(manifest(kind, spec), type);
    }

    private static String manifest(String kind, String spec) {
        return """
                apiVersion: lightpath.dev/v1alpha1
                kind: %s
                metadata: {name: defaults%s}
                spec:
                  %s
                """.formatted(kind, kind.equals("TrainingJob") ? ", namespace: default" : "", spec);
    }
}
