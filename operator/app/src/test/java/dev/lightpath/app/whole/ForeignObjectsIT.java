package dev.lightpath.app.whole;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.lightpath.crds.apiserver.ApiServer;
import dev.lightpath.crds.apiserver.ApiServerExtension;
import dev.lightpath.crds.job.TrainingJob;
import dev.lightpath.crds.slice.FabricSlice;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.ResourceQuota;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobBuilder;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
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
        ApiServer.namespace(all.client, "odd");
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
        ApiServer.namespace(all.client, "large");
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

    /** Whoever may write a job may take its finalizer, and it is gone before anybody gave its light up. */
    @Test
    void aJobThatIsGoneAllAtOnceLeavesNothing() {
        var jobs = all.client.resources(TrainingJob.class).inNamespace("default");
        all.apply("sudden", TWO_GROUPS_OF_TWO.formatted(""));
        all.awaitReady("sudden");

        all.eventually("it is gone at once", () -> {
            if (jobs.withName("sudden").get() == null) {
                return;
            }
            jobs.withName("sudden").edit(job -> {
                job.getMetadata().setFinalizers(List.of());
                return job;
            });
            jobs.withName("sudden").delete();
            assertThat(jobs.withName("sudden").get()).isNull();
        });

        all.awaitNothingLeft();
    }

    /** Deletion of a namespace deletes slices and jobs in any order. */
    @Test
    void aNamespaceThatGoesKeepsItsSlicesUntilTheirLightIsDark() {
        var slices = all.client.resources(FabricSlice.class).inNamespace("going");
        var jobs = all.client.resources(TrainingJob.class).inNamespace("going");
        var namespace = ApiServer.namespace(all.client, "going");
        TrainingJob wish = all.client
                .getKubernetesSerialization()
                .unmarshal("""
                apiVersion: lightpath.dev/v1alpha1
                kind: TrainingJob
                metadata: {name: late, namespace: going}
                spec: %s
                """.formatted(TWO_GROUPS_OF_TWO.formatted("")), TrainingJob.class);
        all.client.resource(wish).create();
        all.eventually(
                "the job has its light",
                () -> assertThat(jobs.withName("late").get().getStatus().conditions())
                        .anyMatch(condition -> condition.getType().equals("Ready")
                                && condition.getStatus().equals("True")));

        all.client.resource(namespace).delete();
        String slice = slices.list().getItems().getFirst().getMetadata().getName();
        slices.withName(slice).delete();
        all.eventually(
                "the job tells of its slice",
                () -> assertThat(jobs.withName("late").get().getStatus().conditions())
                        .anyMatch(condition -> condition.getReason().equals("SliceDeleted")));
        await("the slice stays")
                .during(Duration.ofSeconds(2))
                .atMost(Duration.ofSeconds(20))
                .until(() -> slices.withName(slice).get() != null);
        jobs.withName("late").delete();

        all.eventually("all is dark and gone", () -> {
            assertThat(jobs.list().getItems()).isEmpty();
            assertThat(slices.list().getItems()).isEmpty();
            all.assertLightAsRecorded();
        });
    }

    /** A quota or a webhook of somebody else may refuse what a job needs: the job says so, and goes on once it may. */
    @Test
    void aCreationThatIsRefusedIsTold() {
        var jobs = all.client.resources(TrainingJob.class).inNamespace("full");
        var slices = all.client.resources(FabricSlice.class).inNamespace("full");
        ApiServer.namespace(all.client, "full");
        // without a controller that would count
        ResourceQuota quota = all.client.getKubernetesSerialization().unmarshal("""
                apiVersion: v1
                kind: ResourceQuota
                metadata: {name: no-slices, namespace: full}
                spec: {hard: {count/fabricslices.lightpath.dev: "0"}}
                status: {hard: {count/fabricslices.lightpath.dev: "0"}, used: {count/fabricslices.lightpath.dev: "0"}}
                """, ResourceQuota.class);
        all.client.resource(quota).create();
        all.client.resource(quota).updateStatus();
        FabricSlice tried = all.client.getKubernetesSerialization().unmarshal("""
                apiVersion: lightpath.dev/v1alpha1
                kind: FabricSlice
                metadata: {name: tried, namespace: full}
                spec:
                  fabric: ring-a
                  part: 0
                  job: {name: tried, uid: u, attempt: 1}
                  demand: {scaleUp: {groups: 1, gpusPerGroup: 8}}
                """, FabricSlice.class);
        // a quota counts a moment after it was written
        all.eventually(
                "the quota counts",
                () -> assertThatThrownBy(
                                () -> all.client.resource(tried).dryRun().create())
                        .hasMessageContaining("exceeded quota: no-slices"));
        TrainingJob wish = all.client
                .getKubernetesSerialization()
                .unmarshal("""
                apiVersion: lightpath.dev/v1alpha1
                kind: TrainingJob
                metadata: {name: one-too-many, namespace: full}
                spec: %s
                """.formatted(TWO_GROUPS_OF_TWO.formatted("")), TrainingJob.class);
        all.client.resource(wish).create();

        all.eventually(
                "it is told who refuses what",
                () -> assertThat(jobs.withName("one-too-many").get().getStatus().conditions())
                        .filteredOn(condition -> condition.getType().equals("Placed"))
                        .singleElement()
                        .satisfies(placed -> {
                            assertThat(placed.getStatus()).isEqualTo("False");
                            assertThat(placed.getReason()).isEqualTo("CreationRefused");
                            assertThat(placed.getMessage())
                                    .contains("FabricSlice one-too-many-", "exceeded quota: no-slices");
                        }));
        assertThat(jobs.withName("one-too-many").get().getStatus().attempt()).isNull();

        all.client.resource(quota).delete();
        jobs.withName("one-too-many").patch(PatchContext.of(PatchType.JSON_MERGE), "{\"spec\":{\"priority\":1}}");
        all.eventually(
                "it has its slice",
                () -> assertThat(slices.list().getItems())
                        .extracting(slice -> slice.getSpec().job().attempt())
                        .containsExactly(1));
        jobs.withName("one-too-many").delete();
        all.eventually("all is gone", () -> {
            assertThat(jobs.list().getItems()).isEmpty();
            assertThat(slices.list().getItems()).isEmpty();
        });
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
