package dev.lightpath.app.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.IntNode;
import dev.lightpath.crds.LightpathNames;
import dev.lightpath.crds.job.TrainingJob;
import dev.lightpath.reading.TemplateSize;
import dev.lightpath.reading.pod.Controller;
import dev.lightpath.reading.pod.PodUse;
import io.fabric8.kubernetes.api.model.DefaultKubernetesResourceList;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.WatchEvent;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
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

    @Test
    void ofPodsIsReadWhatSomebodyLooksAt() {
        Pod pod = serialization.unmarshal("""
                {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p", "annotations": {"a": "b"},
                  "ownerReferences": [{"kind": "Job", "name": "j", "uid": "u", "apiVersion": "batch/v1", "controller": true}]},
                 "spec": {"nodeName": "n", "hostNetwork": true, "schedulingGates": [{"name": "g"}], "nodeSelector": {"x": "y"},
                  "affinity": {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": []}}},
                  "tolerations": [{"key": "t"}], "volumes": [{"name": "v"}], "hostAliases": [{"ip": "1.2.3.4"}],
                  "containers": [%1$s], "initContainers": [%1$s]},
                 "status": {"phase": "Running", "podIP": "1.1.1.1", "hostIP": "2.2.2.2", "hostIPs": [{"ip": "2.2.2.2"}],
                  "containerStatuses": [{"name": "c"}], "message": "long"}}
                """.formatted("""
                {"name": "c", "env": [{"name": "E", "value": "long"}], "args": ["long"], "command": ["long"],
                 "resources": {"limits": {"nvidia.com/gpu": "8"}, "requests": {"nvidia.com/gpu": "8"}}}"""), Pod.class);
        assertThat(serialization.asJson(pod.getSpec()))
                .doesNotContain("long", "env", "nodeSelector\"", "volumes", "hostAliases")
                .contains(
                        "\"hostNetwork\":true",
                        "\"nodeName\":\"n\"",
                        "\"key\":\"t\"",
                        "\"name\":\"g\"",
                        "nodeAffinity");
        assertThat(pod.getSpec().getAdditionalProperties()).isEmpty();
        assertThat(pod.getSpec().getContainers().getFirst().getEnv()).isEmpty();
        assertThat(pod.getSpec().getContainers().getFirst().getAdditionalProperties())
                .isEmpty();
        assertThat(PodUse.of(pod).resources()).containsExactly("nvidia.com/gpu");
        assertThat(PodUse.of(pod).controller()).contains(new Controller("Job", "j", "u"));
        assertThat(pod.getMetadata().getAnnotations()).containsEntry("a", "b");
        assertThat(pod.getStatus().getPhase()).isEqualTo("Running");
        assertThat(pod.getStatus().getPodIP()).isEqualTo("1.1.1.1");
        assertThat(pod.getStatus().getHostIP()).isEqualTo("2.2.2.2");
        assertThat(pod.getStatus().getHostIPs()).hasSize(1);
        assertThat(pod.getStatus().getContainerStatuses()).isEmpty();
        assertThat(pod.getStatus().getMessage()).isNull();
        assertThat(serialization.clone(pod)).as("as the framework copies it").isEqualTo(pod);
    }

    @Test
    void ofJobsNoTemplateIsRead() {
        Job job = serialization.unmarshal("""
                {"apiVersion": "batch/v1", "kind": "Job", "metadata": {"name": "j", "uid": "u"},
                 "spec": {"parallelism": 3, "template": {"spec": {"containers": [{"name": "c"}]}}}}
                """, Job.class);
        assertThat(job.getSpec().getTemplate()).isNull();
        assertThat(job.getSpec().getAdditionalProperties()).isEmpty();
        assertThat(job.getSpec().getParallelism()).isEqualTo(3);
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
