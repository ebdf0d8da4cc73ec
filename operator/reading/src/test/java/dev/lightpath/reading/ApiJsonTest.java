package dev.lightpath.reading;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.lightpath.crds.job.TrainingJob;
import io.fabric8.kubernetes.api.model.DefaultKubernetesResourceList;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import org.junit.jupiter.api.Test;

class ApiJsonTest {
    private final KubernetesSerialization serialization =
            new KubernetesSerialization(ApiJson.generous(new ObjectMapper()), true);

    @Test
    void aLongNameInOneJobHidesNoOther() {
        String name = "A".repeat(1_000_000);
        assertThat(templateOf("{\"" + name + "\": 1}").path(name).asInt()).isEqualTo(1);
    }

    @Test
    void aDeepListInOneJobHidesNoOther() {
        assertThat(templateOf("{\"deep\": " + "[".repeat(9_000) + "]".repeat(9_000) + "}")
                        .path("deep")
                        .isArray())
                .isTrue();
    }

    private JsonNode templateOf(String template) {
        DefaultKubernetesResourceList<?> read = serialization.unmarshal("""
                {"apiVersion": "lightpath.dev/v1alpha1", "kind": "TrainingJobList", "items": [
                  {"apiVersion": "lightpath.dev/v1alpha1", "kind": "TrainingJob", "metadata": {"name": "odd",
                    "managedFields": [{"manager": "x", "fieldsV1": {"f:spec": %1$s}}]},
                    "spec": {"workload": {"template": %1$s}}},
                  {"apiVersion": "lightpath.dev/v1alpha1", "kind": "TrainingJob", "metadata": {"name": "other"}}]}
                """.formatted(template), Jobs.class);
        assertThat(read.getItems()).hasSize(2);
        return ((TrainingJob) read.getItems().getFirst()).getSpec().workload().template();
    }

    private static final class Jobs extends DefaultKubernetesResourceList<TrainingJob> {}
}
