package dev.lightpath.app.job.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.lightpath.app.job.plan.SampleJob;
import dev.lightpath.crds.job.TrainingJob;
import dev.lightpath.crds.job.Workload;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class JobSetDraftTest {
    private static final String PLAIN = """
            spec:
              containers:
              - name: train
                image: example/train:1
            """;

    @Test
    void isOneIndexedJobWithAPodPerNode() {
        JsonNode jobSet = draft(PLAIN);
        assertThat(jobSet.at("/apiVersion").asText()).isEqualTo("jobset.x-k8s.io/v1alpha2");
        assertThat(jobSet.at("/kind").asText()).isEqualTo("JobSet");
        assertThat(jobSet.at("/metadata/name").asText()).isEqualTo(SampleJob.JOB_SET);
        assertThat(jobSet.at("/metadata/namespace").asText()).isEqualTo("team-a");
        assertThat(jobSet.at("/metadata/labels")).isEqualTo(yaml("""
                lightpath.dev/job: train
                app.kubernetes.io/managed-by: lightpath
                """));
        assertThat(jobSet.at("/metadata/ownerReferences/0/uid").asText()).isEqualTo(SampleJob.UID);
        assertThat(jobSet.at("/metadata/ownerReferences/0/blockOwnerDeletion").asBoolean(true))
                .isFalse();
        assertThat(jobSet.at("/spec/failurePolicy/maxRestarts").asInt()).isEqualTo(3);
        assertThat(jobSet.at("/spec/replicatedJobs")).hasSize(1);
        JsonNode workers = jobSet.at("/spec/replicatedJobs/0");
        assertThat(workers.at("/name").asText()).isEqualTo("workers");
        assertThat(workers.at("/replicas").asInt()).isEqualTo(1);
        JsonNode job = workers.at("/template/spec");
        assertThat(job.at("/completionMode").asText()).isEqualTo("Indexed");
        assertThat(job.at("/completions").asInt()).isEqualTo(4);
        assertThat(job.at("/parallelism").asInt()).isEqualTo(4);
        assertThat(job.at("/backoffLimit").isInt()).isTrue();
        assertThat(job.at("/backoffLimit").asInt()).isZero();
    }

    @Test
    void bringsNothingAlongThatOnlyTheOperatorWrites() {
        JsonNode metadata = pod(PLAIN + """
                metadata:
                  labels: {lightpath.dev/attempt: "1", team: a}
                  annotations:
                    {lightpath.dev/rank: "0", lightpath.dev/group: "0", lightpath.dev/ring-position: "0", note: b}
                """).path("metadata");
        assertThat(metadata.path("labels").has("lightpath.dev/attempt")).isFalse();
        assertThat(metadata.at("/labels/team").asText()).isEqualTo("a");
        assertThat(metadata.path("annotations").toString()).isEqualTo("{\"note\":\"b\"}");
    }

    @Test
    void aTemplateIsNotDeep() {
        String odd = PLAIN + "  odd: ";
        assertThat(draft(odd + "[".repeat(40) + "]".repeat(40)).isObject()).isTrue();
        assertThatThrownBy(() -> draft(odd + "[".repeat(60) + "]".repeat(60)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("is more than 50 levels deep: write a pod template with spec.containers");
    }

    @Test
    void waitsBehindTheGateAndLeavesDeadNodesSoon() {
        JsonNode pod = pod(PLAIN);
        assertThat(pod.at("/metadata/labels/lightpath.dev~1job").asText()).isEqualTo("train");
        assertThat(pod.at("/spec/restartPolicy").asText()).isEqualTo("Never");
        assertThat(pod.at("/spec/schedulingGates")).isEqualTo(yaml("- name: lightpath.dev/circuits"));
        assertThat(pod.at("/spec/tolerations")).isEqualTo(yaml("""
                - {key: node.kubernetes.io/not-ready, operator: Exists, effect: NoExecute, tolerationSeconds: 45}
                - {key: node.kubernetes.io/unreachable, operator: Exists, effect: NoExecute, tolerationSeconds: 45}
                """));
    }

    @Test
    void tellsEachProcessItsPlaceUnderTheNamesThatItsFrameworkReads() {
        String name = SampleJob.JOB_SET;
        assertThat(env(pod(PLAIN), 0))
                .isEqualTo(Map.ofEntries(
                        Map.entry("NNODES", "4"),
                        Map.entry("MASTER_ADDR", name + "-workers-0-0." + name),
                        Map.entry("MASTER_PORT", "29500"),
                        Map.entry("NODE_RANK", "metadata.annotations['batch.kubernetes.io/job-completion-index']"),
                        Map.entry("PET_NNODES", "$(NNODES)"),
                        Map.entry("PET_NODE_RANK", "$(NODE_RANK)"),
                        Map.entry("PET_MASTER_ADDR", "$(MASTER_ADDR)"),
                        Map.entry("PET_MASTER_PORT", "$(MASTER_PORT)"),
                        Map.entry("NPROC_PER_NODE", "4"),
                        Map.entry("PET_NPROC_PER_NODE", "$(NPROC_PER_NODE)"),
                        Map.entry("WORLD_SIZE", "16"),
                        Map.entry("JAX_COORDINATOR_ADDRESS", "$(MASTER_ADDR):29501"),
                        Map.entry("JAX_NUM_PROCESSES", "$(NNODES)"),
                        Map.entry("JAX_PROCESS_ID", "$(NODE_RANK)"),
                        Map.entry("LIGHTPATH_FILE", "/etc/lightpath/light.json"),
                        Map.entry("LIGHTPATH_HOSTFILE", "/etc/lightpath/hostfile"),
                        Map.entry("LIGHTPATH_JOB", "train"),
                        Map.entry("LIGHTPATH_ATTEMPT", "metadata.labels['lightpath.dev/attempt']"),
                        Map.entry("LIGHTPATH_RANK", "metadata.annotations['lightpath.dev/rank']"),
                        Map.entry("LIGHTPATH_GROUP", "metadata.annotations['lightpath.dev/group']")));
    }

    @Test
    void thePageNamesEveryVariable() throws IOException {
        String page = Files.readString(Path.of(System.getProperty("basedir", "."), "../../docs/frameworks/README.md"));
        Set<String> written = new TreeSet<>();
        Pattern.compile("(?m)^\\| (`[A-Z_`, ]+) \\|")
                .matcher(page.substring(page.indexOf("## Environment"), page.indexOf("## Files")))
                .results()
                .forEach(row ->
                        written.addAll(List.of(row.group(1).replace("`", "").split(", "))));
        Set<String> set = new TreeSet<>(env(pod(PLAIN), 0).keySet());
        set.addAll(List.of("RANK", "LOCAL_RANK")); // of a pod with one process
        assertThat(written).isEqualTo(set);
    }

    @Test
    void showsEachContainerTheFilesOfItsLight() {
        JsonNode pod = pod(PLAIN);
        assertThat(pod.at("/spec/volumes")).isEqualTo(yaml("""
                - name: lightpath
                  downwardAPI:
                    items:
                    - {path: light.json, fieldRef: {fieldPath: "metadata.annotations['lightpath.dev/light']"}}
                    - {path: hostfile, fieldRef: {fieldPath: "metadata.annotations['lightpath.dev/hostfile']"}}
                """));
        assertThat(pod.at("/spec/containers/0/volumeMounts"))
                .isEqualTo(yaml("- {name: lightpath, mountPath: /etc/lightpath, readOnly: true}"));
    }

    @Test
    void leavesAFolderOrVolumeOfTheTemplateAlone() {
        JsonNode own = pod("""
                spec:
                  volumes: [{name: lightpath, emptyDir: {}}]
                  containers: [{name: train}]
                """);
        assertThat(own.at("/spec/volumes")).hasSize(1);
        assertThat(own.at("/spec/containers/0/volumeMounts").isMissingNode()).isTrue();
        assertThat(env(own, 0)).doesNotContainKey("LIGHTPATH_FILE");
        JsonNode mounted = pod("""
                spec:
                  containers: [{name: train, volumeMounts: [{name: mine, mountPath: /etc/lightpath}]}]
                """);
        assertThat(mounted.at("/spec/containers/0/volumeMounts")).hasSize(1);
        assertThat(env(mounted, 0)).doesNotContainKey("LIGHTPATH_FILE");
    }

    @Test
    void namesAVariableBeforeThoseThatReferToIt() {
        List<String> names = new ArrayList<>();
        for (JsonNode variable : pod(PLAIN).at("/spec/containers/0/env")) {
            Matcher reference = Pattern.compile("[$][(]([A-Z_]+)[)]")
                    .matcher(variable.path("value").asText());
            while (reference.find()) {
                assertThat(names).contains(reference.group(1));
            }
            names.add(variable.path("name").asText());
        }
        assertThat(names).doesNotHaveDuplicates();
    }

    @Test
    void countsProcessesByTheGpusOfTheContainer() {
        JsonNode pod = pod("""
                spec:
                  containers:
                  - {name: train, resources: {limits: {nvidia.com/gpu: "2"}}}
                  - {name: side}
                  - {name: odd, resources: {limits: {nvidia.com/gpu: 1500m}}}
                """);
        assertThat(env(pod, 0)).containsEntry("NPROC_PER_NODE", "2").containsEntry("WORLD_SIZE", "8");
        assertThat(env(pod, 1)).doesNotContainKeys("NPROC_PER_NODE", "PET_NPROC_PER_NODE", "WORLD_SIZE");
        assertThat(env(pod, 2)).doesNotContainKeys("NPROC_PER_NODE", "PET_NPROC_PER_NODE", "WORLD_SIZE");
    }

    @Test
    void givesAProcessItsRankWhereItIsTheOnlyOneOfItsPod() {
        Map<String, String> env = env(pod("""
                spec:
                  containers:
                  - {name: train, resources: {limits: {nvidia.com/gpu: 1}}}
                """), 0);
        assertThat(env)
                .containsEntry("RANK", "$(NODE_RANK)")
                .containsEntry("LOCAL_RANK", "0")
                .containsEntry("WORLD_SIZE", "4");
        assertThat(env(pod(PLAIN), 0)).doesNotContainKeys("RANK", "LOCAL_RANK");
    }

    @Test
    void keepsWhatTheTemplateSays() {
        JsonNode pod = pod("""
                metadata:
                  labels: {team: a}
                spec:
                  restartPolicy: OnFailure
                  newFieldOfTomorrow: {x: 1}
                  schedulingGates: [{name: other/gate}, {name: lightpath.dev/circuits}]
                  tolerations: [{key: node.kubernetes.io/not-ready, operator: Exists, tolerationSeconds: 9}]
                  containers:
                  - {name: train, env: [{name: MASTER_PORT, value: "1"}, {name: NODE_RANK, value: mine}]}
                  - {name: side}
                """);
        assertThat(pod.at("/metadata/labels/team").asText()).isEqualTo("a");
        assertThat(pod.at("/spec/newFieldOfTomorrow/x").asInt()).isEqualTo(1);
        assertThat(pod.at("/spec/restartPolicy").asText()).isEqualTo("Never");
        assertThat(pod.at("/spec/schedulingGates")).hasSize(2);
        assertThat(pod.at("/spec/tolerations")).hasSize(2);
        assertThat(pod.at("/spec/tolerations/0/tolerationSeconds").asInt()).isEqualTo(9);
        assertThat(env(pod, 0)).containsEntry("PET_MASTER_PORT", "$(MASTER_PORT)");
        assertThat(pod.at("/spec/containers/0/env/0/value").asText()).isEqualTo("1");
        assertThat(pod.at("/spec/containers/0/env/1/value").asText()).isEqualTo("mine");
        assertThat(env(pod, 1)).containsEntry("MASTER_PORT", "29500");
    }

    @Test
    void givesPodsThePriorityClassOfTheJobUnlessTheyNameOne() {
        assertThat(pod(PLAIN).at("/spec").has("priorityClassName")).isFalse();
        assertThat(classOf(PLAIN)).isEqualTo("urgent");
        assertThat(classOf("{spec: {priorityClassName: mine, containers: [{name: train}]}}"))
                .isEqualTo("mine");
    }

    private static String classOf(String template) {
        TrainingJob job = job(template);
        SampleJob named = new SampleJob();
        named.priorityClass = "urgent";
        named.template = job.getSpec().workload();
        return Serialization.unmarshal(
                        Serialization.asYaml(JobSetDraft.of(named.job(), 4, SampleJob.GPU_RESOURCE)), JsonNode.class)
                .at("/spec/replicatedJobs/0/template/spec/template/spec/priorityClassName")
                .asText();
    }

    @Test
    void leavesTheTemplateOfTheJobAlone() {
        TrainingJob job = job(PLAIN);
        JsonNode before = job.getSpec().workload().template().deepCopy();
        JobSetDraft.of(job, 4, SampleJob.GPU_RESOURCE);
        assertThat(job.getSpec().workload().template()).isEqualTo(before);
    }

    @Test
    void refusesWhatIsNoTemplate() {
        assertThatThrownBy(() -> JobSetDraft.of(job("metadata: {}"), 4, SampleJob.GPU_RESOURCE))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("spec.containers");
        assertThatThrownBy(() -> JobSetDraft.of(job("spec: {containers: 5}"), 4, SampleJob.GPU_RESOURCE))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("containers is 5: write a list");
        assertThatThrownBy(() -> JobSetDraft.of(job("{metadata: [], spec: {}}"), 4, SampleJob.GPU_RESOURCE))
                .hasMessage("metadata is []: write an object");
    }

    private static JsonNode pod(String template) {
        return draft(template).at("/spec/replicatedJobs/0/template/spec/template");
    }

    /** Values, and where others are taken from. */
    private static Map<String, String> env(JsonNode pod, int container) {
        Map<String, String> env = new TreeMap<>();
        for (JsonNode variable :
                pod.path("spec").path("containers").path(container).path("env")) {
            String from = variable.at("/valueFrom/fieldRef/fieldPath").asText();
            env.put(
                    variable.path("name").asText(),
                    from + variable.path("value").asText());
        }
        return env;
    }

    private static JsonNode draft(String template) {
        return Serialization.unmarshal(
                Serialization.asYaml(JobSetDraft.of(job(template), 4, SampleJob.GPU_RESOURCE)), JsonNode.class);
    }

    private static TrainingJob job(String template) {
        SampleJob sample = new SampleJob();
        sample.template = new Workload(yaml(template), null);
        return sample.job();
    }

    private static JsonNode yaml(String text) {
        return Serialization.unmarshal("---\n" + text, JsonNode.class);
    }
}
