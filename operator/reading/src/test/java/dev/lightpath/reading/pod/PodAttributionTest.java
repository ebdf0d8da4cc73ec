package dev.lightpath.reading.pod;

import static dev.lightpath.reading.Cases.GPU;
import static dev.lightpath.reading.Cases.pod;
import static dev.lightpath.reading.Cases.yaml;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lightpath.crds.job.TrainingJob;
import dev.lightpath.crds.slice.FabricSlice;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class PodAttributionTest {
    private static final TrainingJob JOB = yaml(TrainingJob.class, """
            apiVersion: lightpath.dev/v1alpha1
            kind: TrainingJob
            metadata: {namespace: team, name: llm, uid: job-1}
            spec:
              model: {preset: gpt-7b}
              parallelism: {tensor: 16, data: 4}
              scaleUp: {fabric: ring-a}
              workload: {template: {spec: {containers: []}}}
            """);
    private static final Optional<Controller> SET =
            Optional.of(new Controller("JobSet", JobNames.jobSet(JOB), "set-1"));

    private static FabricSlice sliceOf(String uid, String status) {
        return yaml(FabricSlice.class, """
                apiVersion: lightpath.dev/v1alpha1
                kind: FabricSlice
                metadata: {namespace: team, name: llm-ring-a-1-%s}
                spec:
                  fabric: ring-a
                  job: {name: llm, uid: %s, attempt: 1}
                  demand: {scaleUp: {groups: 4, gpusPerGroup: 16}}
                %s
                """.formatted(uid, uid, status));
    }

    private static PodAttribution of(List<FabricSlice> slices, Pod... pods) {
        return of(JOB, slices, pods);
    }

    private static PodAttribution of(TrainingJob job, List<FabricSlice> slices, Pod... pods) {
        return PodAttribution.of(
                List.of(pods).stream().map(PodUse::of),
                Map.of("of-the-set", SET, "by-hand", Optional.empty()),
                key -> key.equals("team/llm") ? job : null,
                slices,
                node -> node.startsWith("n"));
    }

    private static Pod controlled(String name, String node, String job) {
        return pod(name, node, Map.of("lightpath.dev/job", "llm", "lightpath.dev/attempt", "1"))
                .editMetadata()
                .addNewOwnerReference()
                .withApiVersion("batch/v1")
                .withKind("Job")
                .withName(JobNames.jobSet(JOB) + "-workers-0")
                .withUid(job)
                .withController(true)
                .endOwnerReference()
                .endMetadata()
                .build();
    }

    @Test
    void aPodThatTheJobSetControlsUsesTheLightOfItsJobAndLeavesItsNodeToTheSlice() {
        PodAttribution pods = of(List.of(sliceOf("job-1", "")), controlled("w-0", "n1", "of-the-set"));
        assertThat(pods.of("job-1")).extracting(PodUse::node).containsExactly(Optional.of("n1"));
        assertThat(pods.busy()).isEmpty();
    }

    @Test
    void aPodThatOnlyNamesAJobMakesItsNodeBusy() {
        PodAttribution pods = of(List.of(sliceOf("job-1", "")), controlled("w-0", "n1", "by-hand"));
        assertThat(pods.of("job-1")).isEmpty();
        assertThat(pods.busy()).isEqualTo(Map.of(GPU, Set.of("n1")));
    }

    @Test
    void aPodOfAJobWithoutASliceMakesItsNodeBusy() {
        PodAttribution pods = of(List.of(), controlled("w-0", "n1", "of-the-set"));
        assertThat(pods.of("job-1")).hasSize(1);
        assertThat(pods.busy()).isEqualTo(Map.of(GPU, Set.of("n1")));
    }

    @Test
    void aPodOfAJobThatIsGoneUsesItsLightUnlessTheJobOfThatNameMadeIt() {
        List<FabricSlice> left = List.of(sliceOf("job-0", ""));
        assertThat(of(left, controlled("w-0", "n1", "by-hand")).of("job-0")).hasSize(1);
        assertThat(of(left, controlled("w-0", "n1", "of-the-set")).of("job-0")).isEmpty();
    }

    /** Anybody may write such a pod, with a rank, for any node; only one that is at its node costs something. */
    @Test
    void aPinnedPodOfAJobThatIsPodsByTheirLabelTakesNoNode() {
        TrainingJob byLabel = yaml(TrainingJob.class, """
                apiVersion: lightpath.dev/v1alpha1
                kind: TrainingJob
                metadata: {namespace: team, name: llm, uid: job-1}
                spec:
                  model: {preset: gpt-7b}
                  parallelism: {tensor: 16, data: 4}
                  scaleUp: {fabric: ring-a}
                  workload: {ref: {apiVersion: v1, kind: Pod, name: llm}}
                """);
        Pod bound = ranked(controlled("w-0", "n1", "by-hand"));
        Pod pinned = new PodBuilder(bound)
                .editSpec()
                .withNodeName(null)
                .withNewAffinity()
                .withNewNodeAffinity()
                .withNewRequiredDuringSchedulingIgnoredDuringExecution()
                .addNewNodeSelectorTerm()
                .addNewMatchField()
                .withKey("metadata.name")
                .withOperator("In")
                .withValues("n1")
                .endMatchField()
                .endNodeSelectorTerm()
                .endRequiredDuringSchedulingIgnoredDuringExecution()
                .endNodeAffinity()
                .endAffinity()
                .endSpec()
                .build();
        assertThat(of(byLabel, List.of(), pinned).busy()).isEmpty();
        assertThat(of(byLabel, List.of(), bound).busy()).isEqualTo(Map.of(GPU, Set.of("n1")));
        List<FabricSlice> slice = List.of(sliceOf("job-1", ""));
        assertThat(of(byLabel, slice, pinned).of("job-1"))
                .singleElement()
                .matches(pod -> pod.occupies() && !pod.claimsDevices());
        assertThat(of(byLabel, slice, bound).of("job-1")).singleElement().matches(PodUse::claimsDevices);
    }

    /** The workload of a job may be changed as soon as it has no place any more, which is before its pods are gone. */
    @Test
    void podsOfAnEarlierReferenceKeepTheirLight() {
        String job = """
                apiVersion: lightpath.dev/v1alpha1
                kind: TrainingJob
                metadata: {namespace: team, name: llm, uid: job-1}
                spec: {model: {preset: gpt-7b}, parallelism: {tensor: 16, data: 4}, scaleUp: {fabric: ring-a}%s}
                """;
        String recorded =
                "status: {allocation: {format: 1, revision: 1, groups: [{index: 0, nodes: [n1, n2], positions: [1, 2]}]}}";
        Pod letGo = ranked(controlled("w-0", "n1", "by-hand"));
        for (String workload : List.of(
                "",
                ", workload: {template: {spec: {}}}",
                ", workload: {ref: {apiVersion: jobset.x-k8s.io/v1alpha2, kind: JobSet, name: other}}",
                ", workload: {ref: {apiVersion: batch/v1, kind: Job, name: other}}")) {
            TrainingJob changed = yaml(TrainingJob.class, job.formatted(workload));
            PodAttribution pods = of(changed, List.of(sliceOf("job-1", recorded)), letGo);
            assertThat(pods.of("job-1")).as(workload).singleElement().matches(pod -> pod.wasLetGo("1"));
            assertThat(pods.busy()).as("its node is the slice's").isEmpty();
        }
        TrainingJob changed = yaml(
                TrainingJob.class, job.formatted(", workload: {ref: {apiVersion: batch/v1, kind: Job, name: other}}"));
        assertThat(of(changed, List.of(sliceOf("job-1", "")), letGo).of("job-1"))
                .as("there is no light")
                .isEmpty();
        assertThat(of(changed, List.of(sliceOf("job-1", recorded)), ranked(controlled("w-0", "n3", "by-hand")))
                        .of("job-1"))
                .as("there is none at its node")
                .isEmpty();
        assertThat(of(changed, List.of(sliceOf("job-1", recorded)), controlled("w-0", "n1", "by-hand"))
                        .of("job-1"))
                .as("it was not let go")
                .isEmpty();
        AtomicInteger asked = new AtomicInteger();
        PodAttribution many = PodAttribution.of(
                Collections.nCopies(20, letGo).stream().map(PodUse::of),
                Map.of("by-hand", Optional.empty()),
                key -> changed,
                List.of(sliceOf("job-1", recorded)),
                node -> asked.incrementAndGet() > 0);
        assertThat(many.of("job-1")).hasSize(20);
        assertThat(asked).as("each node of the record is looked up once").hasValue(2);
    }

    private static Pod ranked(Pod pod) {
        return new PodBuilder(pod)
                .editMetadata()
                .addToAnnotations("lightpath.dev/rank", "0")
                .endMetadata()
                .build();
    }

    /** A job without a workload takes any pod that names it. */
    @Test
    void aPodThatNamesANewJobUsesTheLightOfAnOldOneOnNodesOfItsRecordAlone() {
        TrainingJob lightOnly = yaml(TrainingJob.class, """
                apiVersion: lightpath.dev/v1alpha1
                kind: TrainingJob
                metadata: {namespace: team, name: llm, uid: job-1}
                spec: {model: {preset: gpt-7b}, parallelism: {tensor: 16, data: 4}, scaleUp: {fabric: ring-a}}
                """);
        FabricSlice recorded = sliceOf(
                "job-0",
                "status: {allocation: {format: 1, revision: 1, groups: [{index: 0, nodes: [n1, n2], positions: [1, 2]}]}}");
        PodAttribution pods = of(
                lightOnly, List.of(recorded), controlled("w-0", "n1", "by-hand"), controlled("w-1", "n5", "by-hand"));
        assertThat(pods.of("job-1")).hasSize(2);
        assertThat(pods.of("job-0")).extracting(PodUse::node).containsExactly(Optional.of("n1"));
    }
}
