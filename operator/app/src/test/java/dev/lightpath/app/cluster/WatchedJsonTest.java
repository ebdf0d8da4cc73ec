package dev.lightpath.app.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.IntNode;
import dev.lightpath.crds.LightpathNames;
import dev.lightpath.crds.job.TrainingJob;
import dev.lightpath.reading.TemplateSize;
import io.fabric8.kubernetes.api.model.DefaultKubernetesResourceList;
import io.fabric8.kubernetes.api.model.WatchEvent;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class WatchedJsonTest {
    private static final String JOB = """
            {"apiVersion": "lightpath.dev/v1alpha1", "kind": "TrainingJob", "metadata": {"name": "large", "labels": {"a": "b"},
              "managedFields": [{"manager": "x", "fieldsV1": {"f:spec": {}}}], "resourceVersion": "7"},
             "spec": {"workload": {"template": %s}, "priority": 3}}""".formatted("[".repeat(9_000) + "]".repeat(9_000));

    private KubernetesSerialization serialization;

    @BeforeEach
    void customised() {
        ObjectMapper mapper = new ObjectMapper();
        new WatchedJson().customize(mapper);
        serialization = new KubernetesSerialization(mapper, true);
        serialization.registerKubernetesResource(TrainingJob.class);
    }

    @Test
    void listsAreReadWithoutTemplatesAndManagedFields() {
        Jobs list = serialization.unmarshal("""
                {"apiVersion": "lightpath.dev/v1alpha1", "kind": "TrainingJobList", "items": [%s, %s]}
                """.formatted(JOB, JOB), Jobs.class);
        assertThat(list.getItems()).hasSize(2).allSatisfy(WatchedJsonTest::assertLight);
    }

    @Test
    void eventsAreReadWithoutTemplatesAndManagedFields() {
        WatchEvent event =
                serialization.unmarshal("{\"type\": \"MODIFIED\", \"object\": %s}".formatted(JOB), WatchEvent.class);
        assertThat(event.getObject()).isInstanceOfSatisfying(TrainingJob.class, WatchedJsonTest::assertLight);
    }

    @Test
    void onlyTheSizeIsReadOfATemplateThatIsTooLarge() {
        String large = JOB.replaceFirst("\\[\\[+]+", "{\"a\": \"" + "x".repeat(TemplateSize.MOST) + "\"}");
        TrainingJob job = serialization.unmarshal(large, TrainingJob.class);
        assertThat(TemplateSize.of(job)).isGreaterThan(TemplateSize.MOST);
        assertThat(TemplateSize.of(serialization.clone(job)))
                .as("as the framework copies it")
                .isEqualTo(TemplateSize.of(job));
        assertThat(TemplateSize.problem(job))
                .hasValueSatisfying(problem -> assertThat(problem).startsWith("it has 32 KiB; at most 32 KiB"));
        assertThat(job.getSpec().priority()).isEqualTo(3);
    }

    private static void assertLight(TrainingJob job) {
        assertThat(job.getSpec().workload()).as("pods are asked for").isNotNull();
        assertThat(job.getSpec().workload().template())
                .as("the size: opening and closing brackets")
                .isEqualTo(IntNode.valueOf(18_000));
        assertThat(job.getMetadata().getManagedFields()).isEmpty();
        assertThat(job.getMetadata().getAdditionalProperties()).isEmpty();
        assertThat(job.getMetadata().getLabels()).containsEntry("a", "b");
        assertThat(job.getMetadata().getResourceVersion()).isEqualTo("7");
        assertThat(job.getMetadata().getFinalizers())
                .as("the framework adds none")
                .containsExactly(LightpathNames.FINALIZER);
        assertThat(job.getSpec().priority()).isEqualTo(3);
    }

    private static final class Jobs extends DefaultKubernetesResourceList<TrainingJob> {}
}
