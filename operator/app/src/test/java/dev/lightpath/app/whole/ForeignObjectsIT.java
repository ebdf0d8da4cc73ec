package dev.lightpath.app.whole;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.crds.apiserver.ApiServer;
import dev.lightpath.crds.apiserver.ApiServerExtension;
import dev.lightpath.crds.job.TrainingJob;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobBuilder;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Objects that the operator did not make, in forms that nobody expects: they harm no job of others. */
@ExtendWith(ApiServerExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ForeignObjectsIT {
    private static final String ODD_JOBS = "/apis/lightpath.dev/v1alpha1/namespaces/odd/trainingjobs";
    private static final int NODES = 16;
    private static final String TWO_GROUPS_OF_TWO =
            "{model: {preset: gpt-7b}, parallelism: {tensor: 8, data: 2}, scaleUp: {fabric: ring-a}%s}";

    private Installation all;

    @BeforeAll
    void install(ApiServer server, @TempDir Path folder) throws IOException {
        all = new Installation(server, folder, NODES);
        all.start();
    }

    @AfterEach
    void nothingIsLeft() {
        all.client.resources(TrainingJob.class).inNamespace("default").delete();
        all.awaitNothingLeft();
    }

    @AfterAll
    void uninstall() throws IOException {
        all.close();
    }

    /**
     * Whoever may write in one namespace may write names longer, and lists deeper, than a reader of JSON reads unasked.
     */
    @Test
    void oddObjectsOfAnybodyHideNoOthers() {
        SortedMap<String, String> odd = new TreeMap<>(Map.of(
                "name", "{\"" + "A".repeat(60_000) + "\": 1}",
                "lists", "[".repeat(9_000) + "]".repeat(9_000),
                "objects", "{\"a\": ".repeat(9_000) + "1" + "}".repeat(9_000)));
        all.client
                .resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName("odd")
                        .endMetadata()
                        .build())
                .create();
        odd.forEach((name, value) -> all.client.raw(ODD_JOBS, "POST", oddJob(name, value)));
        all.client.raw("/api/v1/namespaces/odd/pods", "POST", """
                {"metadata": {"name": "odd"}, "spec": {"schedulingGates": [{"name": "odd/gate"}],
                 "containers": [{"name": "c", "image": "i", "env": [{"name": "%s", "value": "1"}]}]}}
                """.formatted("A".repeat(60_000)));
        all.apply("llm", TWO_GROUPS_OF_TWO.formatted(""));
        all.awaitReady("llm");
        all.delete("llm");
        all.awaitNothingLeft();

        all.kill();
        all.start();

        all.apply("llm", TWO_GROUPS_OF_TWO.formatted(""));
        all.awaitReady("llm");
        for (String job : odd.keySet()) {
            all.eventually(
                    job + " is told what is wrong with it",
                    () -> assertThat(all.client.raw(ODD_JOBS + "/" + job)).contains("InvalidTemplate"));
            all.client.raw(ODD_JOBS + "/" + job, "DELETE", null);
        }
        all.client.raw("/api/v1/namespaces/odd/pods/odd?gracePeriodSeconds=0", "DELETE", null);
    }

    /**
     * As objects of Java each of these templates takes 4 MB: kept twice, they would not fit into the 256 MB of the
     * operator.
     */
    @Test
    void largeTemplatesOfOneNamespaceTakeNoMemoryOfOthers() {
        String jobs = "/apis/lightpath.dev/v1alpha1/namespaces/large/trainingjobs";
        int count = 40;
        all.client
                .resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName("large")
                        .endMetadata()
                        .build())
                .create();
        String large = "[" + "{\"a\":1},".repeat(19_000) + "1]";
        for (int number = 0; number < count; number++) {
            all.client.raw(
                    jobs,
                    "POST",
                    oddJob("large-" + number, large).replaceFirst("\"spec\": \\{", "\"spec\": {\"suspend\": true, "));
        }
        all.apply("llm", TWO_GROUPS_OF_TWO.formatted(""));
        all.awaitReady("llm");
        all.kill();
        all.start();
        long process = all.pid();
        all.delete("llm");
        all.awaitNothingLeft();
        all.apply("llm", TWO_GROUPS_OF_TWO.formatted(""));
        all.awaitReady("llm");
        assertThat(all.pid()).as("no process ended").isEqualTo(process);
        for (int number = 0; number < count; number++) {
            all.client.raw(jobs + "/large-" + number, "DELETE", null);
        }
        all.eventually(
                "they are gone",
                () -> assertThat(all.client.raw(jobs + "?limit=1")).contains("\"items\":[]"));
    }

    @Test
    void aTemplateThatIsTooLargeIsRefusedUntilItIsSmaller() {
        String jobs = "/apis/lightpath.dev/v1alpha1/namespaces/default/trainingjobs";
        all.client.raw(jobs, "POST", oddJob("huge", "\"" + "x".repeat(300_000) + "\""));
        all.eventually(
                "it is told the limit",
                () -> assertThat(all.client.raw(jobs + "/huge"))
                        .contains("spec.workload.template: it has 293 KiB; at most 32 KiB are allowed"));
        all.client.raw(jobs + "/huge", "DELETE", null);
        all.eventually("it is gone", () -> assertThat(all.client.raw(jobs)).doesNotContain("\"huge\""));
    }

    @Test
    void podsOfSomebodyElseWaitBehindTheirGate() {
        all.client.resource(jobOfSomebodyElse("open", false)).create();
        all.apply(
                "open",
                TWO_GROUPS_OF_TWO.formatted(", workload: {ref: {apiVersion: batch/v1, kind: Job, name: open}}"));
        all.eventually(
                "the gate is missed",
                () -> assertThat(all.says("open", "Ready")).isEqualTo("False GateMissing"));

        Job mine = all.client.resource(jobOfSomebodyElse("mine", true)).create();
        all.apply(
                "mine",
                TWO_GROUPS_OF_TWO.formatted(", workload: {ref: {apiVersion: batch/v1, kind: Job, name: mine}}"));
        Pod forged = pod(mine, 0);
        forged.getMetadata().setName("forged");
        forged.getMetadata().setOwnerReferences(List.of());
        forged.getMetadata().getLabels().keySet().removeIf(label -> label.endsWith("controller-uid"));
        all.client.resource(forged).create();
        for (int index = 3; index >= 0; index--) {
            all.client.resource(pod(mine, index)).create();
        }
        all.eventually(
                "all pods are let go",
                () -> assertThat(pods("mine"))
                        .filteredOn(pod -> pod.getSpec().getSchedulingGates().isEmpty())
                        .extracting(pod -> pod.getMetadata().getName())
                        .containsExactlyInAnyOrder("mine-0", "mine-1", "mine-2", "mine-3"));
        List<String> ranked = all.slices().stream()
                .filter(slice -> slice.getSpec().job().name().equals("mine"))
                .flatMap(slice -> slice.getStatus().allocation().groups().stream())
                .flatMap(group -> group.nodes().stream())
                .toList();
        assertThat(ranked).hasSize(4);
        for (Pod pod : pods("mine")) {
            if (pod.getMetadata().getName().equals("forged")) {
                assertThat(pod.getSpec().getSchedulingGates())
                        .as("a label makes no pod the job's")
                        .isNotEmpty();
                continue;
            }
            Map<String, String> annotations = pod.getMetadata().getAnnotations();
            String rank = annotations.get("lightpath.dev/rank");
            assertThat(rank).isEqualTo(annotations.get("batch.kubernetes.io/job-completion-index"));
            assertThat(pod.getSpec()
                            .getAffinity()
                            .getNodeAffinity()
                            .getRequiredDuringSchedulingIgnoredDuringExecution()
                            .getNodeSelectorTerms())
                    .singleElement()
                    .satisfies(
                            term -> assertThat(term.getMatchFields().getFirst().getValues())
                                    .containsExactly(ranked.get(Integer.parseInt(rank))));
        }
        for (String name : List.of("open", "mine")) {
            all.client
                    .pods()
                    .inNamespace("default")
                    .withLabel("job-name", name)
                    .withGracePeriod(0)
                    .delete();
            all.client
                    .batch()
                    .v1()
                    .jobs()
                    .inNamespace("default")
                    .withName(name)
                    .withGracePeriod(0)
                    .delete();
        }
    }

    private static String oddJob(String name, String odd) {
        return """
                {"apiVersion": "lightpath.dev/v1alpha1", "kind": "TrainingJob", "metadata": {"name": "%s"},
                 "spec": {"model": {"preset": "gpt-7b"}, "parallelism": {"tensor": 8}, "scaleUp": {"fabric": "ring-a"},
                  "workload": {"template": {"spec": {"containers": [{"name": "c", "image": "i"}], "odd": %s}}}}}
                """.formatted(name, odd);
    }

    private List<Pod> pods(String job) {
        return all.client
                .pods()
                .inNamespace("default")
                .withLabel("job-name", job)
                .list()
                .getItems();
    }

    private static Job jobOfSomebodyElse(String name, boolean gated) {
        JobBuilder job = new JobBuilder()
                .withNewMetadata()
                .withName(name)
                .withNamespace("default")
                .endMetadata()
                .withNewSpec()
                .withCompletions(4)
                .withParallelism(4)
                .withCompletionMode("Indexed")
                .withNewTemplate()
                .withNewSpec()
                .withRestartPolicy("Never")
                .addNewContainer()
                .withName("train")
                .withImage("example/train")
                .endContainer()
                .endSpec()
                .endTemplate()
                .endSpec();
        return gated
                ? job.editSpec()
                        .editTemplate()
                        .editSpec()
                        .addNewSchedulingGate("lightpath.dev/circuits")
                        .endSpec()
                        .endTemplate()
                        .endSpec()
                        .build()
                : job.build();
    }

    /** As the controller of Jobs makes them. */
    private static Pod pod(Job owner, int index) {
        String name = owner.getMetadata().getName();
        return new PodBuilder()
                .withNewMetadata()
                .withName(name + "-" + index)
                .withNamespace("default")
                .addToLabels("job-name", name)
                .addToLabels("batch.kubernetes.io/job-name", name)
                .addToLabels(
                        "batch.kubernetes.io/controller-uid",
                        owner.getMetadata().getUid())
                .addToLabels("controller-uid", owner.getMetadata().getUid())
                .addToAnnotations("batch.kubernetes.io/job-completion-index", Integer.toString(index))
                .addNewOwnerReference()
                .withApiVersion("batch/v1")
                .withKind("Job")
                .withName(name)
                .withUid(owner.getMetadata().getUid())
                .withController(true)
                .endOwnerReference()
                .endMetadata()
                .withSpec(owner.getSpec().getTemplate().getSpec())
                .build();
    }
}
