package dev.lightpath.crds.manifests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.lightpath.crds.apiserver.ApiServer;
import dev.lightpath.crds.apiserver.ApiServerExtension;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.FieldValidateable.Validation;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@ExtendWith(ApiServerExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS) // a server that does not start is said once
class ManifestsIT {

    private final KubernetesClient client;

    ManifestsIT(ApiServer server) {
        client = server.client();
    }

    @BeforeEach
    void removeWhatIsThere() {
        for (String kind : List.of("OpticalFabric", "OpticalSwitch", "TrainingJob", "FabricSlice")) {
            client.genericKubernetesResources("lightpath.dev/v1alpha1", kind)
                    .inAnyNamespace()
                    .list()
                    .getItems()
                    .forEach(resource -> client.resource(resource).delete());
        }
    }

    @AfterAll
    void closeClient() {
        removeWhatIsThere();
        client.close();
    }

    @ParameterizedTest
    @MethodSource("dev.lightpath.crds.manifests.Manifest#valid")
    void serverTakesWhatIsValid(Manifest manifest) throws IOException {
        List<JsonNode> documents = manifest.documents();
        assertThat(documents).isNotEmpty();
        documents.forEach(this::write);
    }

    @ParameterizedTest
    @MethodSource("dev.lightpath.crds.manifests.Manifest#invalid")
    void serverRefusesWhatIsInvalidAndSaysWhy(Manifest manifest) throws IOException {
        List<JsonNode> documents = manifest.documents();
        documents.subList(0, documents.size() - 1).forEach(this::write);
        assertThatThrownBy(() -> write(documents.getLast()))
                .isInstanceOf(KubernetesClientException.class)
                .hasMessageContaining(manifest.refusal())
                .extracting(refused -> ((KubernetesClientException) refused).getCode())
                .isEqualTo(422);
    }

    private void write(JsonNode document) {
        var resource = client.getKubernetesSerialization().convertValue(document, GenericKubernetesResource.class);
        var operation = client.resource(resource);
        GenericKubernetesResource existing = operation.get();
        if (existing == null) {
            existing = operation.fieldValidation(Validation.STRICT).create();
        } else {
            resource.getMetadata().setResourceVersion(existing.getMetadata().getResourceVersion());
            existing =
                    client.resource(resource).fieldValidation(Validation.STRICT).update();
        }
        if (document.has("status")) {
            resource.getMetadata().setResourceVersion(existing.getMetadata().getResourceVersion());
            client.resource(resource).fieldValidation(Validation.STRICT).updateStatus();
        }
    }
}
